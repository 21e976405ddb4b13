// SPDX-License-Identifier: MIT
//
// Operands by the grammar: their number, the existing enumerants, and the capabilities that opcodes and enumerants need (2.2,
// 3.x; each table's "Required Capabilities").
import { Capability, MemoryModel, Op } from '../grammar.gen';
import { type EnumerantSpec, grammarTables, type InstructionSpec, type OperandSpec } from '../grammar-tables';
import { readString } from '../literal-string';
import type { Id, Instruction } from '../module';
import type { Context } from './context';

/** Sets whose names are not in the tables, and non-semantic sets (SPV_KHR_non_semantic_info). */
const isExtendedSet = (name: string): boolean =>
  grammarTables().extended[name] !== undefined || OTHER_SETS.has(name) || name.startsWith('NonSemantic.');

/** `SPIRV.debug` is what llvm-spirv calls DebugInfo. */
const OTHER_SETS: ReadonlySet<string> = new Set(['GLSL.std.450', 'DebugInfo', 'SPIRV.debug']);

export function checkGrammar(c: Context): void {
  const walker = new Walker(c);
  for (const [name, result] of c.module.extInstImports)
    if (!isExtendedSet(name))
      c.fail({ op: Op.ExtInstImport, type: 0 as Id, result, operands: [] }, `'${name}' is not a known set`);
  for (const capability of c.module.capabilities) {
    if (Capability[capability] === undefined) c.fail(undefined, `${capability} is not a capability`);
    walker.header(Op.Capability, [capability]);
    if (withImplied(new Set([capability])).has('Matrix'))
      c.fail(
        undefined,
        `OpCapability ${Capability[capability]}: it is of graphics, and OpenCL does not have it`,
      );
  }
  // A separate rule refuses other memory models.
  if (c.module.memoryModel === MemoryModel.OpenCL)
    walker.header(Op.MemoryModel, [c.module.addressing, c.module.memoryModel]);
  for (const { function: f, mode, operands, ids } of c.module.executionModes)
    walker.header(ids ? Op.ExecutionModeId : Op.ExecutionMode, [f, mode, ...operands]);
  for (const i of c.module.debug) walker.instruction(i);
  for (const i of c.module.annotations) walker.instruction(i);
  for (const i of c.module.globals) walker.instruction(i);
  for (const f of c.module.functions) {
    walker.instruction(f.definition);
    for (const p of f.parameters) walker.instruction(p);
  }
  c.eachInstruction((i) => walker.instruction(i));
}

/** The declared capabilities and those that they imply. */
function withImplied(declared: ReadonlySet<Capability>): Set<string> {
  const table = new Map<string, EnumerantSpec>();
  const names = new Map<number, string>();
  for (const e of grammarTables().operandKinds.Capability!.enumerants!) {
    table.set(e.name, e);
    names.set(e.value, e.name);
    for (const alias of e.aliases ?? []) table.set(alias, e);
  }
  const result = new Set<string>();
  const work = [...declared].map((d) => names.get(d) ?? '');
  for (let name = work.pop(); name !== undefined; name = work.pop()) {
    if (result.has(name)) continue;
    result.add(name);
    const spec = table.get(name);
    for (const alias of [spec?.name, ...(spec?.aliases ?? [])]) if (alias) result.add(alias);
    work.push(...(spec?.capabilities ?? []));
  }
  return result;
}

/** Enumerants whose capabilities and versions are not required, as in spirv-val: they are used beyond what the table says. */
const LENIENT_KINDS: ReadonlySet<string> = new Set(['FPRoundingMode', 'ImageFormat', 'SourceLanguage']);

class Walker {
  private readonly tables = grammarTables();
  private readonly capabilities: Set<string>;
  private readonly values = new Map<string, Map<number, EnumerantSpec>>();

  constructor(private readonly c: Context) {
    this.capabilities = withImplied(c.module.capabilities);
  }

  private enumerants(kind: string): Map<number, EnumerantSpec> {
    let table = this.values.get(kind);
    if (!table) {
      table = new Map(this.tables.operandKinds[kind]!.enumerants!.map((e) => [e.value, e]));
      this.values.set(kind, table);
    }
    return table;
  }

  private require(i: Instruction, what: string, capabilities: readonly string[] | undefined): void {
    if (!capabilities || capabilities.length === 0) return;
    if (capabilities.some((name) => this.capabilities.has(name))) return;
    this.c.fail(i, `${what} requires one of these capabilities: ${capabilities.join(' ')}`);
  }

  /** Checks an instruction that a module stores in another form. */
  header(op: Op, operands: number[]): void {
    this.instruction({ op, type: 0 as Id, result: 0 as Id, operands });
  }

  /** A feature from a later version than the module's needs an extension that adds it. */
  private available(i: Instruction, e: EnumerantSpec): void {
    if (e.version === undefined || (e.version > 0 && e.version <= this.c.module.version >> 8)) return;
    if (e.extensions?.some((name) => this.c.module.extensions.has(name))) return;
    const version = e.version > 0 ? `SPIR-V ${e.version >> 8}.${e.version & 0xff}` : '';
    const ways = [version, ...(e.extensions ?? [])].filter(Boolean).join(' or ');
    this.c.fail(i, `${e.name} needs ${ways}`);
  }

  /** llvm-spirv writes enumerants of version 1.1 into modules of version 1.0. */
  private control(i: Instruction, e: EnumerantSpec): void {
    if (e.capabilities === undefined && e.extensions === undefined && (e.version ?? 0) > 0x102)
      this.available(i, e);
  }

  instruction(i: Instruction): void {
    const spec = this.tables.instructions.get(i.op);
    if (!spec) this.c.fail(i, `${i.op} is not an opcode`);
    this.require(i, spec!.name, spec!.capabilities);
    this.operands(i, spec!, 0);
  }

  private operands(i: Instruction, spec: InstructionSpec, start: number): void {
    let at = start;
    for (const [kind, quantifier, name] of spec.operands) {
      if (kind === 'IdResult' || kind === 'IdResultType') continue;
      if (quantifier === '*') {
        while (at < i.operands.length) at = this.operand(i, kind, name, at);
      } else if (quantifier === '' || at < i.operands.length) at = this.operand(i, kind, name, at);
    }
    if (at < i.operands.length)
      this.c.fail(i, `too many operands: ${i.operands.length} words, of which ${at} are understood`);
  }

  /** Checks the operand at `at` and returns the index of the next one. */
  private operand(i: Instruction, kind: string, name: string | undefined, at: number): number {
    const words = i.operands;
    if (at >= words.length) this.c.fail(i, `the operand ${name ?? kind} is missing`);
    const spec = this.tables.operandKinds[kind]!;
    switch (spec.category) {
      case 'Id':
        this.id(i, words[at]!);
        return at + 1;
      case 'ValueEnum': {
        const enumerant = this.enumerants(kind).get(words[at]!);
        if (!enumerant) this.c.fail(i, `${words[at]} is not a ${kind}`);
        if (!LENIENT_KINDS.has(kind)) this.available(i, enumerant!);
        if (kind === 'Capability') return at + 1;
        if (!LENIENT_KINDS.has(kind)) this.require(i, `${kind} ${enumerant!.name}`, enumerant!.capabilities);
        return this.parameters(i, enumerant!.parameters, at + 1);
      }
      case 'BitEnum':
        return this.mask(i, kind, at);
      case 'Composite': {
        let next = at;
        for (const base of spec.bases!) {
          const wide =
            kind === 'PairLiteralIntegerIdRef' && base === 'LiteralInteger' && this.wideSelector(i);
          next = wide ? next + 2 : this.operand(i, base, name, next);
          if (next > words.length) this.c.fail(i, 'a literal is cut off');
        }
        return next;
      }
      default:
        return this.literal(i, kind, at);
    }
  }

  private id(i: Instruction, id: number): void {
    if (id === 0 || id >= this.c.module.bound) this.c.fail(i, `${id} is not an id below the bound`);
  }

  private parameters(i: Instruction, list: readonly OperandSpec[] | undefined, at: number): number {
    let next = at;
    for (const [kind, quantifier, name] of list ?? []) {
      if (quantifier === '*') while (next < i.operands.length) next = this.operand(i, kind, name, next);
      else if (quantifier === '' || next < i.operands.length) next = this.operand(i, kind, name, next);
    }
    return next;
  }

  private mask(i: Instruction, kind: string, at: number): number {
    const mask = i.operands[at]!;
    const table = this.enumerants(kind);
    let next = at + 1;
    for (let bit = 0; bit < 32; bit++) {
      if (((mask >>> bit) & 1) === 0) continue;
      const enumerant = table.get(2 ** bit);
      if (!enumerant) this.c.fail(i, `bit ${bit} of ${kind} means nothing`);
      this.require(i, `${kind} ${enumerant!.name}`, enumerant!.capabilities);
      if (kind === 'LoopControl') this.control(i, enumerant!);
      next = this.parameters(i, enumerant!.parameters, next);
    }
    return next;
  }

  private wideSelector(i: Instruction): boolean {
    return i.op === Op.Switch && this.c.width(this.c.typeOf(i.operands[0]!)) === 64;
  }

  private literal(i: Instruction, kind: string, at: number): number {
    const words = i.operands;
    switch (kind) {
      case 'LiteralString': {
        const text = readString(words, at);
        if (!text) this.c.fail(i, 'a string is not terminated');
        return text!.next;
      }
      case 'LiteralContextDependentNumber': {
        const width = this.c.width(i.type);
        if (width === 0) this.c.fail(i, 'a number has an integer or floating-point type');
        const count = width > 32 ? 2 : 1;
        if (at + count > words.length) this.c.fail(i, `a number of ${width} bits takes ${count} words`);
        return at + count;
      }
      case 'LiteralExtInstInteger':
        return this.extended(i, at);
      case 'LiteralSpecConstantOpInteger': {
        const inner = this.tables.instructions.get(words[at]!);
        if (!inner) this.c.fail(i, `${words[at]} is not an opcode`);
        this.operands(i, inner!, at + 1);
        return words.length;
      }
      default:
        return at + 1;
    }
  }

  private extended(i: Instruction, at: number): number {
    const set = [...this.c.module.extInstImports].find(([, id]) => id === (i.operands[0]! as Id))?.[0];
    if (set === undefined) this.c.fail(i, `%${i.operands[0]} is not an OpExtInstImport`);
    const table = this.tables.extended[set!];
    if (!table) return at + 1;
    const spec = table.get(i.operands[at]!);
    if (!spec) this.c.fail(i, `${set} has no instruction ${i.operands[at]}`);
    // Which operands of other sets are ids is not known here.
    if (set === 'OpenCL.std' || set === 'OpenCL.DebugInfo.100') {
      this.operands(i, spec!, at + 1);
      return i.operands.length;
    }
    return at + 1;
  }
}
