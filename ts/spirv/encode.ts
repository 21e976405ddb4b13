// SPDX-License-Identifier: MIT
//
// Module -> SPIR-V binary (2.3), little-endian. Sections in the order of 2.4; lines where they change.
import { Op } from './grammar.gen';
import { stringWords } from './literal-string';
import type { FunctionDefinition, Instruction, Module, SourceLine } from './module';

const MAGIC = 0x07230203;

/** The binary form of a module. */
export function encode(module: Module): Uint8Array {
  const words = new WordWriter();
  words.push5(MAGIC, module.version, module.generator, module.bound, 0);
  for (const capability of module.capabilities) words.instruction(Op.Capability, [capability]);
  for (const extension of module.extensions) words.instruction(Op.Extension, stringWords(extension));
  for (const [name, id] of module.extInstImports)
    words.instruction(Op.ExtInstImport, [id, ...stringWords(name)]);
  words.instruction(Op.MemoryModel, [module.addressing, module.memoryModel]);
  for (const entry of module.entryPoints) {
    const operands = [entry.model, entry.function, ...stringWords(entry.name), ...entry.interface];
    words.instruction(Op.EntryPoint, operands);
  }
  for (const { function: id, mode, operands, ids } of module.executionModes)
    words.instruction(ids ? Op.ExecutionModeId : Op.ExecutionMode, [id, mode, ...operands]);
  for (const instruction of module.debug) words.write(instruction);
  for (const instruction of module.annotations) words.write(instruction);
  const globals = new LineWriter(words);
  for (const instruction of module.globals) globals.write(instruction);
  globals.end();
  for (const definition of module.functions) writeFunction(definition, words);
  return words.bytes();
}

function writeFunction(definition: FunctionDefinition, words: WordWriter): void {
  const lines = new LineWriter(words);
  lines.write(definition.definition);
  for (const parameter of definition.parameters) words.write(parameter);
  for (const block of definition.blocks) {
    words.instruction(Op.Label, [block.label]);
    for (const instruction of block.instructions) lines.write(instruction);
    // A line's scope ends with the block.
    lines.forget();
  }
  words.instruction(Op.FunctionEnd, []);
}

/** Writes OpLine where the line changes, OpNoLine where it ends. */
class LineWriter {
  private current: SourceLine | undefined;

  constructor(private readonly words: WordWriter) {}

  write(instruction: Instruction): void {
    const { line } = instruction;
    if (line !== this.current) this.change(line);
    this.words.write(instruction);
  }

  private change(line: SourceLine | undefined): void {
    const { current } = this;
    this.current = line;
    if (!line) this.words.instruction(Op.NoLine, []);
    else if (
      !current ||
      current.line !== line.line ||
      current.column !== line.column ||
      current.file !== line.file
    )
      this.words.instruction(Op.Line, [line.file, line.line, line.column]);
  }

  forget(): void {
    this.current = undefined;
  }

  end(): void {
    if (this.current) this.change(undefined);
  }
}

class WordWriter {
  private words = new Uint32Array(4096);
  private length = 0;

  push5(a: number, b: number, c: number, d: number, e: number): void {
    this.words.set([a, b, c, d, e], this.length);
    this.length += 5;
  }

  instruction(op: Op, operands: readonly number[]): void {
    this.reserve(operands.length + 1);
    this.words[this.length++] = ((operands.length + 1) << 16) | op;
    for (let i = 0; i < operands.length; i++) this.words[this.length++] = operands[i]!;
  }

  write(instruction: Instruction): void {
    const { op, type, result, operands } = instruction;
    const count = 1 + (type !== 0 ? 1 : 0) + (result !== 0 ? 1 : 0) + operands.length;
    this.reserve(count);
    const { words } = this;
    let at = this.length;
    words[at++] = (count << 16) | op;
    if (type !== 0) words[at++] = type;
    if (result !== 0) words[at++] = result;
    for (let i = 0; i < operands.length; i++) words[at++] = operands[i]!;
    this.length = at;
  }

  bytes(): Uint8Array {
    const out = new Uint8Array(this.length * 4);
    if (isLittleEndian) out.set(new Uint8Array(this.words.buffer, 0, this.length * 4));
    else {
      const view = new DataView(out.buffer);
      for (let i = 0; i < this.length; i++) view.setUint32(i * 4, this.words[i]!, true);
    }
    return out;
  }

  private reserve(count: number): void {
    if (this.length + count <= this.words.length) return;
    const grown = new Uint32Array(Math.max(this.words.length * 2, this.length + count));
    grown.set(this.words);
    this.words = grown;
  }
}

const isLittleEndian = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;
