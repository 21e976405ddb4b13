// SPDX-License-Identifier: MIT
import { runInterpreted } from '../../../tests/helpers/interpreted-kernel';
import { compile } from '../../compiler/compile';
import { Op, StorageClass } from '../../spirv/grammar.gen';
import type { Instruction, Module } from '../../spirv/module';
import { type Func, Op as Ir } from '../ir/ir';
import { verify } from '../ir/verify';
import { optimize } from '../pipeline';
import { Program } from './program';

const TABLE = 'int t[4] = {3, 1, 4, 1};';

function kernelOf(body: string, declarations = ''): Module {
  const text = `${declarations}\nkernel void k(global int *out, int n) { int x = get_global_id(0); ${body} }`;
  const { module, log } = compile({ name: 'k.cl', text, options: '', target: 'spir' });
  expect(log).toBe('');
  return module!;
}

function translated(module: Module, options = {}) {
  const program = new Program(module, { moduleOf: () => undefined });
  const { func, signature } = program.translate('k', options);
  verify(func, 'translation');
  return { func, signature, program };
}

const isPrivate = (func: Func) =>
  func.entry.insts.some(({ op, facts }) => op === Ir.PrivateAlloca && facts.size === 16);

/** The results for four work-items, before and after the passes. */
function results(module: Module): number[] {
  const [before, after] = [false, true].map((optimized) => {
    const { func, signature, program } = translated(module);
    if (optimized) optimize(func, { signature, constants: program.image, fuse: false }, { check: true });
    const invocation = {
      global: [4] as const,
      args: [{ buffer: new Int32Array(4) }, { value: new Uint8Array(Int32Array.of(2).buffer) }],
    };
    const { buffers } = runInterpreted(func, signature, program.binary, invocation);
    return Array.from(new Int32Array(buffers[0]!.slice().buffer));
  });
  expect(after).toEqual(before);
  return after!;
}

test.each([
  [`${TABLE} out[x] = t[x & 3];`, [3, 1, 4, 1]],
  [`${TABLE} for (int k = 0; k < n; k++) out[x] += t[(x + k) & 3];`, [4, 5, 5, 4]],
  [`for (int k = 0; k < n; k++) { ${TABLE} out[x] += t[(x + k) & 3]; }`, [4, 5, 5, 4]],
  ['struct { int a[2]; int b; int c; } s = {{5, 6}, 7, 8}; out[x] = s.a[x & 1] + s.c;', [13, 14, 13, 14]],
] as const)('constant contents are read where the program has them: %s', (body, expected) => {
  const module = kernelOf(body);
  expect(isPrivate(translated(module).func)).toBe(false);
  expect(results(module)).toEqual(expected);
});

test.each([
  ['an element is written', `${TABLE} t[x & 3] = 9; out[x] = t[1];`, [1, 9, 1, 1]],
  ['an element of it is another number', `int t[4] = {3, n, 4, 1}; out[x] = t[x & 3];`, [3, 2, 4, 1]],
  [
    'two constants are written',
    `struct S { int a[4]; }; struct S s = {{3, 1, 4, 1}}; if (x > n) { struct S o = {{9, 8, 7, 6}}; s = o; } out[x] = s.a[x & 3];`,
    [3, 1, 4, 6],
  ],
  [
    'its address goes elsewhere',
    `${TABLE} private int *p = x & 1 ? t + 1 : t; p[n] = 7; out[x] = t[2] * 10 + t[3];`,
    [71, 47, 71, 47],
  ],
  ['it is volatile', `volatile ${TABLE} out[x] = t[x & 3];`, [3, 1, 4, 1]],
] as const)('variables stay private if %s', (_, body, expected) => {
  const module = kernelOf(body);
  expect(isPrivate(translated(module).func)).toBe(true);
  expect(results(module)).toEqual(expected);
});

test('variables stay private where others start as zeros', () => {
  const module = kernelOf(`${TABLE} out[x] = t[x & 3];`);
  expect(isPrivate(translated(module, { zeroPrivate: true }).func)).toBe(true);
});

/** As clang writes an initializer: a copy of a constant variable. */
function copying(module: Module, bytes: number): Module {
  const instructions = module.functions[0]!.blocks.flatMap((block) => block.instructions);
  const variable = instructions.find(({ op }) => op === Op.Variable)!;
  const store = instructions.find(({ op, operands }) => op === Op.Store && operands[0] === variable.result)!;
  const [pointee] = [module.globals.find(({ result }) => result === variable.type)!.operands[1]!];
  const id = () => module.bound++ as Instruction['result'];
  const like = (inst: Instruction, change: Partial<Instruction>): Instruction => ({ ...inst, ...change });
  const some = module.globals[0]!;
  const pointer = like(some, {
    op: Op.TypePointer,
    type: 0 as never,
    result: id(),
    operands: [StorageClass.UniformConstant, pointee],
  });
  const source = like(some, {
    op: Op.Variable,
    type: pointer.result,
    result: id(),
    operands: [StorageClass.UniformConstant, store.operands[1]!],
  });
  const uint = module.globals.find(({ op, operands }) => op === Op.TypeInt && operands[0] === 32)!;
  const size = like(some, { op: Op.Constant, type: uint.result, result: id(), operands: [bytes] });
  module.globals.push(pointer, source, size);
  store.op = Op.CopyMemorySized;
  store.operands = [variable.result, source.result, size.result];
  return module;
}

test('copies of a constant variable are such contents, if they are whole', () => {
  const make = () => kernelOf(`${TABLE} out[x] = t[x & 3];`);
  const whole = copying(make(), 16);
  expect(isPrivate(translated(whole).func)).toBe(false);
  expect(results(whole)).toEqual([3, 1, 4, 1]);
  expect(isPrivate(translated(copying(make(), 12)).func)).toBe(true);
});

test('unrolled loops have their elements as numbers', () => {
  const module = kernelOf(
    `${TABLE} int s = 0; for (int k = 0; k < 4; k++) s = s * 3 + t[k] * x; out[x] = s;`,
  );
  const { func, signature, program } = translated(module);
  optimize(func, { signature, constants: program.image, fuse: false });
  const ops = new Set(func.blocks.flatMap(({ insts }) => insts.map(({ op }) => op)));
  expect(ops.has(Ir.ProgramBase)).toBe(false);
  expect(results(module)).toEqual([0, 103, 206, 309]);
});
