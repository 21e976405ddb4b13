// SPDX-License-Identifier: MIT
//
// SPIR-V binary -> Module. Checks what a Module can no longer express: the header, word counts, the order of the sections (2.4,
// Logical Layout) and the nesting of functions and blocks. All other rules are in `validate/`.

import { isText } from '../base/is-text';
import {
  type AddressingModel,
  type Capability,
  type ExecutionMode,
  type ExecutionModel,
  type MemoryModel,
  Op,
} from './grammar.gen';
import { readString } from './literal-string';
import {
  type Block,
  emptyModule,
  type FunctionDefinition,
  type Id,
  type Instruction,
  type Module,
  type SourceLine,
} from './module';
import { NO_RESULT, TYPED_RESULT, UNTYPED_RESULT } from './result-shapes.gen';
import { SpirvError } from './spirv-error';

const MAGIC = 0x07230203;
const HEADER_WORDS = 5;
/** Universal limit on the bound (2.17). */
const MAX_BOUND = 0x3fffff;

enum Shape {
  Unknown,
  None,
  Result,
  TypeAndResult,
}

let shapes: Uint8Array | undefined;

function resultShapes(): Uint8Array {
  if (shapes) return shapes;
  shapes = new Uint8Array(0x10000);
  for (const op of NO_RESULT) shapes[op] = Shape.None;
  for (const op of UNTYPED_RESULT) shapes[op] = Shape.Result;
  for (const op of TYPED_RESULT) shapes[op] = Shape.TypeAndResult;
  return shapes;
}

/** The sections in their order. */
enum Section {
  Capabilities,
  Extensions,
  Imports,
  MemoryModel,
  EntryPoints,
  ExecutionModes,
  Strings,
  Names,
  Processed,
  Annotations,
  Globals,
  Functions,
}

const SECTION_OF: Partial<Record<Op, Section>> = {
  [Op.Capability]: Section.Capabilities,
  [Op.Extension]: Section.Extensions,
  [Op.ConditionalExtensionINTEL]: Section.Extensions,
  [Op.ConditionalCapabilityINTEL]: Section.Capabilities,
  [Op.ExtInstImport]: Section.Imports,
  [Op.MemoryModel]: Section.MemoryModel,
  [Op.EntryPoint]: Section.EntryPoints,
  [Op.ConditionalEntryPointINTEL]: Section.EntryPoints,
  [Op.ExecutionMode]: Section.ExecutionModes,
  [Op.ExecutionModeId]: Section.ExecutionModes,
  [Op.String]: Section.Strings,
  [Op.Source]: Section.Strings,
  [Op.SourceContinued]: Section.Strings,
  [Op.SourceExtension]: Section.Strings,
  [Op.Name]: Section.Names,
  [Op.MemberName]: Section.Names,
  [Op.ModuleProcessed]: Section.Processed,
  [Op.Decorate]: Section.Annotations,
  [Op.MemberDecorate]: Section.Annotations,
  [Op.DecorationGroup]: Section.Annotations,
  [Op.GroupDecorate]: Section.Annotations,
  [Op.GroupMemberDecorate]: Section.Annotations,
  [Op.DecorateId]: Section.Annotations,
  [Op.DecorateString]: Section.Annotations,
  [Op.MemberDecorateString]: Section.Annotations,
  [Op.AliasDomainDeclINTEL]: Section.Annotations,
  [Op.AliasScopeDeclINTEL]: Section.Annotations,
  [Op.AliasScopeListDeclINTEL]: Section.Annotations,
};

/** Instructions that end a block (2.2.5). */
const TERMINATORS: ReadonlySet<Op> = new Set([
  Op.Branch,
  Op.BranchConditional,
  Op.Switch,
  Op.Return,
  Op.ReturnValue,
  Op.Kill,
  Op.Unreachable,
  Op.TerminateInvocation,
  Op.IgnoreIntersectionKHR,
  Op.TerminateRayKHR,
  Op.EmitMeshTasksEXT,
  Op.AbortKHR,
]);

const LITTLE_ENDIAN = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

/** The words of the file in the order of this machine. */
function wordsOf(bytes: Uint8Array): Uint32Array {
  if (bytes.length < HEADER_WORDS * 4)
    throw new SpirvError(`a module has at least ${HEADER_WORDS * 4} bytes; this one has ${bytes.length}`, 0);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const little = view.getUint32(0, true) === MAGIC;
  if (!little && view.getUint32(0, false) !== MAGIC)
    throw new SpirvError(
      `a module starts with the magic number 0x07230203${isText(bytes.subarray(0, 20)) ? '; this is text' : ''}`,
      0,
    );
  if (bytes.length % 4 !== 0)
    throw new SpirvError(
      `the size of a module is a multiple of 4 bytes; this one has ${bytes.length}`,
      bytes.length >> 2,
    );
  if (little === LITTLE_ENDIAN)
    return new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  const words = new Uint32Array(bytes.length >> 2);
  for (let i = 0; i < words.length; i++) words[i] = view.getUint32(i * 4, little);
  return words;
}

/** Decodes a module's binary form, in either byte order. Throws a `SpirvError`. */
export function decode(bytes: Uint8Array): Module {
  return new Decoder(wordsOf(bytes)).module();
}

const OTHER = 1;
const STRING = 2;

class Decoder {
  private at = HEADER_WORDS;
  private section = Section.Capabilities;
  private line: SourceLine | undefined;
  private function: FunctionDefinition | undefined;
  private block: Block | undefined;
  private hasMemoryModel = false;
  private hasDefinition = false;
  private readonly bound: number;
  /** By id, OTHER or STRING if it is defined. */
  private readonly defined: Uint8Array;
  private readonly out: Module;

  constructor(private readonly words: Uint32Array) {
    this.bound = words[3]!;
    const version = words[1]!;
    if ((version & 0xff0000ff) !== 0 || version >>> 16 !== 1 || ((version >> 8) & 0xff) > 6)
      throw new SpirvError(`the version is one of 1.0 to 1.6, not 0x${version.toString(16)}`, 1);
    if (this.bound === 0 || this.bound > MAX_BOUND)
      throw new SpirvError(`the bound is between 1 and ${MAX_BOUND}, not ${this.bound}`, 3);
    if (words[4] !== 0) throw new SpirvError('the reserved schema word is 0', 4);
    this.defined = new Uint8Array(this.bound);
    this.out = emptyModule({
      version,
      generator: words[2]!,
      bound: this.bound,
      addressing: 0 as AddressingModel,
      memoryModel: 0 as MemoryModel,
    });
  }

  module(): Module {
    const { words } = this;
    const shapes = resultShapes();
    while (this.at < words.length) {
      const first = words[this.at]!;
      const count = first >>> 16;
      const op: Op = first & 0xffff;
      if (count === 0) this.fail('an instruction has at least one word');
      if (this.at + count > words.length)
        this.fail(`Op${Op[op] ?? op} takes ${count} words, but the module ends before`);
      const shape = shapes[op]!;
      if (shape === Shape.Unknown) this.fail(`${op} is not an opcode`);
      if (count < shape) this.fail(`Op${Op[op]} has no room for its result`);
      let next = this.at + 1;
      const type = shape === Shape.TypeAndResult ? this.id(words[next++]!) : (0 as Id);
      const result = shape >= Shape.Result ? this.id(words[next++]!) : (0 as Id);
      if (result !== 0) {
        if (this.defined[result]) this.fail(`an id is defined once; %${result} is defined again`);
        this.defined[result] = op === Op.String ? STRING : OTHER;
      }
      const end = this.at + count;
      const operands = new Array<number>(end - next);
      for (let i = 0; next < end; i++, next++) operands[i] = words[next]!;
      this.instruction({ op, type, result, operands });
      this.at = end;
    }
    if (!this.hasMemoryModel) this.fail('a module has exactly one OpMemoryModel');
    if (this.function) this.fail('a function ends with OpFunctionEnd; the module ends before');
    return this.out;
  }

  private fail(rule: string): never {
    throw new SpirvError(rule, this.at);
  }

  private id(word: number): Id {
    if (word === 0 || word >= this.bound)
      this.fail(`ids are between 1 and the bound, ${this.bound}; found ${word}`);
    return word as Id;
  }

  private need(instruction: Instruction, count: number): void {
    if (instruction.operands.length < count)
      this.fail(`Op${Op[instruction.op]} takes at least ${count} operands`);
  }

  private exactly(instruction: Instruction, count: number): void {
    if (instruction.operands.length !== count)
      this.fail(`Op${Op[instruction.op]} takes ${count} operands, not ${instruction.operands.length}`);
  }

  private string(instruction: Instruction, at: number): { text: string; next: number } {
    return (
      readString(instruction.operands, at) ??
      this.fail(`the string of Op${Op[instruction.op]} is not terminated within the instruction`)
    );
  }

  private enter(section: Section, op: Op): void {
    if (this.function) this.fail(`Op${Op[op]} is inside a function, but belongs outside of functions`);
    if (section < this.section)
      this.fail(
        `Op${Op[op]} comes too late: its section belongs before ${Section[this.section]}, as the sections of a module are in a fixed order`,
      );
    this.section = section;
  }

  private instruction(i: Instruction): void {
    switch (i.op) {
      case Op.Line:
        this.exactly(i, 3);
        if (this.section < Section.Globals) this.enter(Section.Globals, i.op);
        // Here, as the module keeps only lines with an instruction.
        if (this.defined[this.id(i.operands[0]!)] !== STRING)
          this.fail(`OpLine: its file, %${i.operands[0]}, is an OpString`);
        this.line = { file: this.id(i.operands[0]!), line: i.operands[1]!, column: i.operands[2]! };
        return;
      case Op.NoLine:
        this.exactly(i, 0);
        if (this.section < Section.Globals) this.enter(Section.Globals, i.op);
        this.line = undefined;
        return;
      case Op.Nop:
        this.exactly(i, 0);
        return;
    }
    const section = SECTION_OF[i.op];
    if (section !== undefined) {
      this.enter(section, i.op);
      this.preamble(section, i);
    } else if (i.op === Op.Function || this.function) {
      this.inFunction(i);
    } else {
      this.enter(Section.Globals, i.op);
      if (
        i.op === Op.Label ||
        i.op === Op.FunctionEnd ||
        i.op === Op.FunctionParameter ||
        TERMINATORS.has(i.op)
      )
        this.fail(`Op${Op[i.op]} stands in a function`);
      if (this.line) i.line = this.line;
      this.out.globals.push(i);
    }
  }

  private preamble(section: Section, i: Instruction): void {
    const { out } = this;
    switch (section) {
      case Section.Capabilities:
        this.exactly(i, 1);
        out.capabilities.add(i.operands[0]! as Capability);
        return;
      case Section.Extensions:
        out.extensions.add(this.string(i, 0).text);
        return;
      case Section.Imports:
        out.extInstImports.set(this.string(i, 0).text, i.result);
        return;
      case Section.MemoryModel:
        if (this.hasMemoryModel) this.fail('a module has exactly one OpMemoryModel');
        this.exactly(i, 2);
        this.hasMemoryModel = true;
        out.addressing = i.operands[0]! as AddressingModel;
        out.memoryModel = i.operands[1]! as MemoryModel;
        return;
      case Section.EntryPoints: {
        this.need(i, 3);
        const name = this.string(i, 2);
        out.entryPoints.push({
          model: i.operands[0]! as ExecutionModel,
          function: this.id(i.operands[1]!),
          name: name.text,
          interface: i.operands.slice(name.next).map((id) => this.id(id)),
        });
        return;
      }
      case Section.ExecutionModes:
        this.need(i, 2);
        out.executionModes.push({
          function: this.id(i.operands[0]!),
          mode: i.operands[1]! as ExecutionMode,
          operands: i.operands.slice(2),
          ids: i.op === Op.ExecutionModeId,
        });
        return;
      case Section.Annotations:
        // Groups and scopes have a result, and others name them.
        if (i.result === 0) this.need(i, 1);
        out.annotations.push(i);
        return;
      default:
        this.debug(i);
    }
  }

  private debug(i: Instruction): void {
    if (i.op === Op.Source) this.need(i, 2);
    else this.string(i, i.op === Op.Name ? 1 : i.op === Op.MemberName ? 2 : 0);
    this.out.debug.push(i);
  }

  private inFunction(i: Instruction): void {
    if (this.line) i.line = this.line;
    switch (i.op) {
      case Op.Function:
        if (this.function) this.fail('a function ends with OpFunctionEnd before the next one starts');
        this.exactly(i, 2);
        this.enter(Section.Functions, i.op);
        if (!this.hasMemoryModel) this.fail('OpMemoryModel stands before the functions');
        this.function = { definition: i, parameters: [], blocks: [] };
        return;
      case Op.FunctionParameter:
        if (this.function!.blocks.length > 0 || this.block)
          this.fail('OpFunctionParameter must directly follow OpFunction');
        this.function!.parameters.push(i);
        return;
      case Op.FunctionEnd:
        this.exactly(i, 0);
        if (this.block) this.fail('a block ends with a terminator before OpFunctionEnd');
        if (this.function!.blocks.length > 0) this.hasDefinition = true;
        else if (this.hasDefinition) this.fail('function declarations stand before function definitions');
        this.out.functions.push(this.function!);
        this.function = undefined;
        this.line = undefined;
        return;
      case Op.Label:
        this.exactly(i, 0);
        if (this.block) this.fail('a block ends with a terminator before the next OpLabel');
        this.block = { label: i.result, instructions: [] };
        this.function!.blocks.push(this.block);
        return;
    }
    if (!this.block) {
      // Debug information may come between a function's parameters and its first block.
      if (i.op === Op.ExtInst && this.function!.blocks.length === 0) return;
      this.fail(`Op${Op[i.op]} must be in a block, after an OpLabel`);
    }
    this.block!.instructions.push(i);
    if (TERMINATORS.has(i.op)) {
      this.block = undefined;
      this.line = undefined;
    }
  }
}
