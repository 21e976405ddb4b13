// SPDX-License-Identifier: MIT
//
// SPIR-V modules of one shape and any size, as other compilers make them: a module of size 2n has twice as much of one thing as a module
// of size n.
import {
  AddressingModel,
  Capability,
  Decoration,
  ExecutionModel,
  FunctionControl,
  MemoryModel,
  Op,
  StorageClass,
} from '../../ts/spirv/grammar.gen';
import { stringWords } from '../../ts/spirv/literal-string';

const HEADER = [0x07230203, 0x00010200, 0];

/** A module with one kernel, `k(global uint *in, global uint *out)`, which is being written. */
class Draft {
  private bound = 1;
  readonly names: number[] = [];
  readonly decorations: number[] = [];
  readonly globals: number[] = [];
  readonly functions: number[] = [];
  readonly variables: number[] = [];
  readonly body: number[] = [];
  readonly uint = this.type(Op.TypeInt, 32, 0);
  readonly void = this.type(Op.TypeVoid);
  readonly bool = this.type(Op.TypeBool);
  readonly pointer = this.type(Op.TypePointer, StorageClass.CrossWorkgroup, this.uint);
  readonly local = this.type(Op.TypePointer, StorageClass.Function, this.uint);
  private readonly kernelType = this.type(Op.TypeFunction, this.void, this.pointer, this.pointer);
  private readonly kernel = this.id();
  private readonly input = this.id();
  private readonly output = this.id();
  readonly entry = this.id();
  /** A value that nobody knows. */
  readonly x = this.value(Op.Load, this.uint, this.input, 2, 4);

  id(): number {
    return this.bound++;
  }

  type(op: Op, ...operands: readonly number[]): number {
    const id = this.id();
    write(this.globals, op, id, ...operands);
    return id;
  }

  constant(value: number): number {
    return this.global(Op.Constant, this.uint, value);
  }

  global(op: Op, type: number, ...operands: readonly number[]): number {
    const id = this.id();
    write(this.globals, op, type, id, ...operands);
    return id;
  }

  value(op: Op, type: number, ...operands: readonly number[]): number {
    const id = this.id();
    write(this.body, op, type, id, ...operands);
    return id;
  }

  effect(op: Op, ...operands: readonly number[]): void {
    write(this.body, op, ...operands);
  }

  /** A block's label. */
  label(id = this.id()): number {
    write(this.body, Op.Label, id);
    return id;
  }

  variable(type: number): number {
    const id = this.id();
    write(this.variables, Op.Variable, type, id, StorageClass.Function);
    return id;
  }

  /** The module, whose kernel writes a value. */
  ending(value: number): Uint8Array {
    this.effect(Op.Store, this.output, value, 2, 4);
    this.effect(Op.Return);
    const words = [...HEADER, this.bound, 0];
    for (const capability of [Capability.Kernel, Capability.Addresses, Capability.Linkage, Capability.Int64])
      write(words, Op.Capability, capability);
    write(words, Op.MemoryModel, AddressingModel.Physical32, MemoryModel.OpenCL);
    write(words, Op.EntryPoint, ExecutionModel.Kernel, this.kernel, ...stringWords('k'));
    for (const part of [this.names, this.decorations, this.globals]) append(words, part);
    write(words, Op.Function, this.void, this.kernel, FunctionControl.None, this.kernelType);
    write(words, Op.FunctionParameter, this.pointer, this.input);
    write(words, Op.FunctionParameter, this.pointer, this.output);
    write(words, Op.Label, this.entry);
    for (const part of [this.variables, this.body]) append(words, part);
    write(words, Op.FunctionEnd);
    append(words, this.functions);
    return new Uint8Array(Uint32Array.from(words).buffer);
  }
}

function write(words: number[], op: Op, ...operands: readonly number[]): void {
  words.push(((operands.length + 1) << 16) | op);
  append(words, operands);
}

function append(words: number[], more: readonly number[]): void {
  for (const word of more) words.push(word);
}

const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

/** Structs in structs. */
const DEEPEST = 200;

export const MODULE_SHAPES: Readonly<Record<string, (n: number) => Uint8Array>> = {
  types: (n) => {
    const m = new Draft();
    for (const array of times(n, (i) => m.type(Op.TypeArray, m.uint, m.constant(i + 1))))
      m.type(Op.TypePointer, StorageClass.Function, m.type(Op.TypeStruct, array, m.uint));
    return m.ending(m.x);
  },
  'nested types': (n) => {
    const m = new Draft();
    for (let at = 0; at < n; at += DEEPEST) {
      let type = m.uint;
      for (let i = 0; i < DEEPEST; i++) type = m.type(Op.TypeStruct, type, m.uint);
      m.type(Op.TypePointer, StorageClass.Function, type);
    }
    return m.ending(m.x);
  },
  constants: (n) => {
    const m = new Draft();
    return m.ending(times(n, (i) => m.constant(i * 7)).reduce((x, c) => m.value(Op.IAdd, m.uint, x, c), m.x));
  },
  'constant elements': (n) => {
    const m = new Draft();
    const elements = Math.min(n, 1024);
    const array = m.type(Op.TypeArray, m.uint, m.constant(elements));
    const pointer = m.type(Op.TypePointer, StorageClass.UniformConstant, array);
    const element = m.type(Op.TypePointer, StorageClass.UniformConstant, m.uint);
    let x = m.x;
    for (let at = 0; at < n; at += elements) {
      const values = times(elements, (i) => m.constant(at + i));
      const table = m.global(Op.ConstantComposite, array, ...values);
      const variable = m.global(Op.Variable, pointer, StorageClass.UniformConstant, table);
      const place = m.value(Op.InBoundsPtrAccessChain, element, variable, values[0]!, x);
      x = m.value(Op.Load, m.uint, place, 2, 4);
    }
    return m.ending(x);
  },
  phis: (n) => {
    const m = new Draft();
    const [then, merge] = [m.id(), m.id()];
    const c = m.constant(9);
    const even = m.value(Op.ULessThan, m.bool, m.x, c);
    m.effect(Op.SelectionMerge, merge, 0);
    m.effect(Op.BranchConditional, even, then, merge);
    m.label(then);
    const values = times(n, (i) => m.value(i % 2 ? Op.IAdd : Op.BitwiseXor, m.uint, m.x, c));
    m.effect(Op.Branch, merge);
    m.label(merge);
    const phis = values.map((value) => m.value(Op.Phi, m.uint, m.x, m.entry, value, then));
    return m.ending(phis.reduce((x, phi) => m.value(Op.IMul, m.uint, x, phi), m.x));
  },
  'edges to a phi': (n) => {
    const m = new Draft();
    const merge = m.id();
    const labels = times(n, () => m.id());
    const words = labels.flatMap((label, i) => [i, label]);
    m.effect(Op.SelectionMerge, merge, 0);
    m.effect(Op.Switch, m.x, merge, ...words);
    const edges = labels.flatMap((label, i) => {
      m.label(label);
      const value = m.value(Op.IMul, m.uint, m.x, m.constant(i));
      m.effect(Op.Branch, merge);
      return [value, label];
    });
    m.label(merge);
    return m.ending(m.value(Op.Phi, m.uint, m.x, m.entry, ...edges));
  },
  names: (n) => {
    const m = new Draft();
    for (let i = 0; i < n; i++) write(m.names, Op.Name, m.x, ...stringWords(`name ${i}`));
    return m.ending(m.x);
  },
  'equal names': (n) => {
    const m = new Draft();
    const values = times(n, () => m.value(Op.IAdd, m.uint, m.x, m.x));
    for (const value of values) write(m.names, Op.Name, value, ...stringWords('x'));
    return m.ending(values[0]!);
  },
  decorations: (n) => {
    const m = new Draft();
    for (const variable of times(n, () => m.variable(m.local)))
      write(m.decorations, Op.Decorate, variable, Decoration.Alignment, 64);
    return m.ending(m.x);
  },
  'decorated groups': (n) => {
    const m = new Draft();
    const values = times(n, () => m.variable(m.local));
    const group = m.id();
    write(m.decorations, Op.Decorate, group, Decoration.Alignment, 64);
    write(m.decorations, Op.DecorationGroup, group);
    for (const value of values) write(m.decorations, Op.GroupDecorate, group, value);
    return m.ending(m.x);
  },
  functions: (n) => {
    const m = new Draft();
    const type = m.type(Op.TypeFunction, m.uint, m.uint);
    return m.ending(
      times(n, (i) => identity(m, type, i)).reduce((x, f) => m.value(Op.FunctionCall, m.uint, f, x), m.x),
    );
  },
  'calls in calls': (n) => {
    const m = new Draft();
    const type = m.type(Op.TypeFunction, m.uint, m.uint);
    let f = identity(m, type, 0);
    for (let i = 1; i < n; i++) f = identity(m, type, i, i % 200 === 0 ? undefined : f);
    return m.ending(m.value(Op.FunctionCall, m.uint, f, m.x));
  },
  blocks: (n) => {
    const m = new Draft();
    for (let i = 0; i < n; i++) {
      const next = m.id();
      m.effect(Op.Branch, next);
      m.label(next);
    }
    return m.ending(m.x);
  },
  'nested branches': (n) => {
    const m = new Draft();
    const test = m.value(Op.ULessThan, m.bool, m.x, m.constant(9));
    const merges = times(n, () => m.id());
    for (const merge of merges) {
      const then = m.id();
      m.effect(Op.SelectionMerge, merge, 0);
      m.effect(Op.BranchConditional, test, then, merge);
      m.label(then);
    }
    for (const merge of merges.reverse()) {
      m.effect(Op.Branch, merge);
      m.label(merge);
    }
    return m.ending(m.x);
  },
  cases: (n) => {
    const m = new Draft();
    const variable = m.variable(m.local);
    const [merge, ...labels] = times(n + 1, () => m.id());
    m.effect(Op.SelectionMerge, merge!, 0);
    m.effect(Op.Switch, m.x, merge!, ...labels.flatMap((label, i) => [i * 3, label]));
    for (const [i, label] of labels.entries()) {
      m.label(label);
      m.effect(Op.Store, variable, m.constant(i * 5), 2, 4);
      m.effect(Op.Branch, merge!);
    }
    m.label(merge);
    return m.ending(m.value(Op.Load, m.uint, variable, 2, 4));
  },
  'long access chains': (n) => {
    const m = new Draft();
    let type = m.uint;
    for (let i = 0; i < DEEPEST; i++) type = m.type(Op.TypeStruct, type);
    const pointer = m.type(Op.TypePointer, StorageClass.Function, type);
    const zeros = times(DEEPEST, () => m.constant(0));
    let x = m.x;
    for (let at = 0; at < n; at += DEEPEST) {
      const place = m.value(Op.InBoundsAccessChain, m.local, m.variable(pointer), ...zeros);
      m.effect(Op.Store, place, x, 2, 4);
      x = m.value(Op.Load, m.uint, place, 2, 4);
    }
    return m.ending(x);
  },
  'chain of access chains': (units) => {
    const m = new Draft();
    const n = 4 * units;
    const one = m.constant(1);
    const array = m.type(Op.TypeArray, m.uint, m.constant(n + 1));
    const variable = m.variable(m.type(Op.TypePointer, StorageClass.Function, array));
    let place = m.value(Op.InBoundsAccessChain, m.local, variable, one);
    for (let i = 1; i < n; i++) {
      m.effect(Op.Store, place, m.x, 2, 4);
      place = m.value(Op.InBoundsPtrAccessChain, m.local, place, one);
    }
    m.effect(Op.Store, place, m.x, 2, 4);
    return m.ending(m.value(Op.Load, m.uint, place, 2, 4));
  },
  variables: (n) => {
    const m = new Draft();
    const variables = times(n, () => m.variable(m.local));
    for (const variable of variables) m.effect(Op.Store, variable, m.x, 2, 4);
    return m.ending(
      variables.reduce((x, v) => m.value(Op.IAdd, m.uint, x, m.value(Op.Load, m.uint, v, 2, 4)), m.x),
    );
  },
  'composite values': (n) => {
    const m = new Draft();
    const struct = m.type(Op.TypeStruct, ...times(16, () => m.uint));
    let value = m.value(Op.CompositeConstruct, struct, ...times(16, () => m.x));
    for (let i = 0; i < n; i++) value = m.value(Op.CompositeInsert, struct, m.x, value, i % 16);
    return m.ending(m.value(Op.CompositeExtract, m.uint, value, 3));
  },
};

/** A function that returns its argument, changed, or what another returns for it. */
function identity(m: Draft, type: number, value: number, callee?: number): number {
  const [f, parameter, label, result] = [m.id(), m.id(), m.id(), m.id()];
  write(m.functions, Op.Function, m.uint, f, FunctionControl.None, type);
  write(m.functions, Op.FunctionParameter, m.uint, parameter);
  write(m.functions, Op.Label, label);
  if (callee === undefined) write(m.functions, Op.IAdd, m.uint, result, parameter, m.constant(value));
  else write(m.functions, Op.FunctionCall, m.uint, result, callee, parameter);
  write(m.functions, Op.ReturnValue, result);
  write(m.functions, Op.FunctionEnd);
  return f;
}
