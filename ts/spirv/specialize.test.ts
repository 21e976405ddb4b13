// SPDX-License-Identifier: MIT
import { Decoration, Op } from './grammar.gen';
import type { Id, Instruction, Module } from './module';
import { specializationConstants, specialize } from './specialize';

let next = 1;
const globals: Instruction[] = [];
const define = (op: Op, type: number, ...operands: number[]): number => {
  globals.push({ op, type: type as Id, result: next as Id, operands });
  return next++;
};
const int = define(Op.TypeInt, 0, 32, 0);
const long = define(Op.TypeInt, 0, 64, 0);
const float = define(Op.TypeFloat, 0, 32);
const bool = define(Op.TypeBool, 0);
const int2 = define(Op.TypeVector, 0, int, 2);
const three = define(Op.Constant, int, 3);
const n = define(Op.SpecConstant, int, 10);
const flag = define(Op.SpecConstantTrue, bool);
const product = define(Op.SpecConstantOp, int, Op.IMul, n, three);
const chosen = define(Op.SpecConstantOp, int, Op.Select, flag, product, three);
const wide = define(Op.SpecConstantOp, long, Op.SConvert, chosen);
const pair = define(Op.SpecConstantComposite, int2, n, three);
const sum = define(Op.SpecConstantOp, int2, Op.IAdd, pair, pair);
const second = define(Op.SpecConstantOp, int, Op.CompositeExtract, sum, 0);
const real = define(Op.SpecConstantOp, float, Op.ConvertSToF, second);
const decorate = (id: number, spec: number): Instruction => ({
  op: Op.Decorate,
  type: 0 as Id,
  result: 0 as Id,
  operands: [id, Decoration.SpecId, spec],
});
const source = {
  bound: next,
  globals,
  annotations: [decorate(n, 7), decorate(flag, 8)],
} as unknown as Module;

const constants = (m: Module) => new Map(m.globals.map((i) => [i.result as number, i]));

test('tells what can be specialized', () => {
  expect(specializationConstants(source)).toEqual([
    { id: 7, size: 4 },
    { id: 8, size: 1 },
  ]);
});

test('own values, and all that follows from them', () => {
  const made = specialize(source);
  const by = constants(made);
  expect(by.get(product)).toMatchObject({ op: Op.Constant, operands: [30] });
  expect(by.get(wide)).toMatchObject({ op: Op.Constant, operands: [30, 0] });
  expect(by.get(second)).toMatchObject({ op: Op.Constant, operands: [20] });
  expect(by.get(real)).toMatchObject({ op: Op.Constant, operands: [0x41a00000] });
  expect(made.annotations).toEqual([]);
  expect(made.globals.some((i) => i.op >= Op.SpecConstantTrue && i.op <= Op.SpecConstantOp)).toBe(false);
});

test('a signalling NaN keeps its bits', () => {
  const nan = { op: Op.Constant, type: float as Id, result: next as Id, operands: [0xffa4004c] };
  const made = specialize({ ...source, bound: next + 1, globals: [...globals, nan] });
  expect(constants(made).get(nan.result)!.operands).toEqual([0xffa4004c]);
});

test('given values', () => {
  const made = specialize(
    source,
    new Map([
      [7, new Uint8Array(new Int32Array([-5]).buffer)],
      [8, new Uint8Array([0])],
      [99, new Uint8Array([1])],
    ]),
  );
  const by = constants(made);
  expect(by.get(product)!.operands).toEqual([0xfffffff1]);
  expect(by.get(chosen)!.operands).toEqual([3]);
  expect(by.get(flag)!.op).toBe(Op.ConstantFalse);
});
