// SPDX-License-Identifier: MIT
import { spirvVal, testWith } from '../../../tests/helpers/spirv-tools';
import { Builder } from '../builder';
import { encode } from '../encode';
import { Decoration, FPRoundingMode, FunctionControl, Op, StorageClass } from '../grammar.gen';
import type { FunctionDefinition, Id } from '../module';
import { optimize } from '.';
import { fold, scalarValue } from './fold';

function setUp() {
  const b = new Builder({ addressBits: 32 });
  const int = b.int(32);
  const pointer = b.pointer(StorageClass.CrossWorkgroup, int);
  const kernel = b.id();
  b.entryPoint(kernel, 'k', []);
  const [out, n] = b.beginFunction(kernel, b.void(), [pointer, int], FunctionControl.None) as [Id, Id];
  b.label();
  const variable = () => b.localVariable(b.pointer(StorageClass.Function, int));
  const constant = (value: number) => b.constantInt(int, value);
  const finish = (): FunctionDefinition => {
    b.terminate(Op.Return, []);
    b.endFunction();
    optimize(b, { cleanOnly: false });
    return b.module.functions[0]!;
  };
  return { b, int, out, n, variable, constant, finish };
}

const opsOf = (definition: FunctionDefinition) =>
  definition.blocks.map((block) => block.instructions.map((i) => Op[i.op]).join(' '));

/** while (i < n) { i = i + step; } *out = i; */
function loop(step: number) {
  const s = setUp();
  const { b, int, out, n, constant } = s;
  const i = s.variable();
  b.emitVoid(Op.Store, [i, constant(0)]);
  const [header, body, done] = [b.id(), b.id(), b.id()] as const;
  b.branch(header);
  b.label(header);
  b.branchIf(b.emit(Op.SLessThan, b.bool(), [b.emit(Op.Load, int, [i]), n]), body, done);
  b.label(body);
  b.emitVoid(Op.Store, [i, b.emit(Op.IAdd, int, [b.emit(Op.Load, int, [i]), constant(step)])]);
  b.branch(header);
  b.label(done);
  b.emitVoid(Op.Store, [out, b.emit(Op.Load, int, [i])]);
  return s;
}

test('a variable of a loop becomes a phi', () => {
  const s = loop(1);
  expect(opsOf(s.finish())).toEqual([
    'Branch',
    'Phi SLessThan BranchConditional',
    'IAdd Branch',
    'Store Return',
  ]);
});

test('a conversion with a rounding mode is left to the device', () => {
  const s = setUp();
  const { b, int, out, constant } = s;
  const float = b.emit(Op.ConvertSToF, b.float(32), [constant(16777217)]);
  b.decorate(float, Decoration.FPRoundingMode, FPRoundingMode.RTP);
  b.emitVoid(Op.Store, [out, b.emit(Op.ConvertFToS, int, [float])]);
  expect(opsOf(s.finish())).toEqual(['ConvertSToF ConvertFToS Store Return']);
});

test('what is stored and never changed is not a phi', () => {
  expect(opsOf(loop(0).finish())[1]).toBe('SLessThan BranchConditional');
});

test('a volatile access keeps its variable', () => {
  const { b, int, out, variable, constant, finish } = setUp();
  const v = variable();
  b.emitVoid(Op.Store, [v, constant(3), 1]);
  b.emitVoid(Op.Store, [out, b.emit(Op.Load, int, [v, 1])]);
  expect(opsOf(finish())).toEqual(['Variable Store Load Store Return']);
});

test('a variable whose address is used stays', () => {
  const { b, int, out, variable, constant, finish } = setUp();
  const v = variable();
  b.emitVoid(Op.Store, [v, constant(3)]);
  b.emitVoid(Op.CopyMemory, [out, v]);
  b.emitVoid(Op.Store, [out, b.emit(Op.Load, int, [v])]);
  expect(opsOf(finish())).toEqual(['Variable Store CopyMemory Load Store Return']);
});

test('a copy of no bytes is removed', () => {
  const { b, int, out, variable, constant, finish } = setUp();
  const [v, size] = [variable(), variable()];
  b.emitVoid(Op.Store, [size, constant(0)]);
  b.emitVoid(Op.CopyMemorySized, [out, v, b.emit(Op.Load, int, [size])]);
  b.emitVoid(Op.CopyMemorySized, [out, v, b.constantInt(b.int(64), 2 ** 32)]);
  expect(opsOf(finish())).toEqual(['Variable CopyMemorySized Return']);
});

test('a variable that is read before it is stored is undefined', () => {
  const { b, int, out, variable, finish } = setUp();
  b.emitVoid(Op.Store, [out, b.emit(Op.Load, int, [variable()])]);
  expect(opsOf(finish())).toEqual(['Store Return']);
  expect(b.module.globals.some((i) => i.op === Op.Undef)).toBe(true);
});

test('a branch on what has become constant is a jump, and its other side goes with its part of the phi', () => {
  const { b, int, out, n, variable, constant, finish } = setUp();
  const v = variable();
  b.emitVoid(Op.Store, [v, constant(2)]);
  const [then, otherwise, join] = [b.id(), b.id(), b.id()] as const;
  const two = b.emit(Op.IEqual, b.bool(), [b.emit(Op.Load, int, [v]), constant(2)]);
  b.branchIf(two, then, otherwise);
  b.label(then);
  b.emitVoid(Op.Store, [v, n]);
  b.branch(join);
  b.label(otherwise);
  b.emitVoid(Op.Store, [v, constant(9)]);
  b.branch(join);
  b.label(join);
  b.emitVoid(Op.Store, [out, b.emit(Op.Load, int, [v])]);
  const done = finish();
  expect(done.blocks.flatMap((block) => block.instructions.map((i) => i.op))).not.toContain(
    Op.BranchConditional,
  );
});

test('dead code goes, with the types that only it used', () => {
  const { b, n, finish } = setUp();
  b.emit(Op.UConvert, b.int(64), [n]);
  expect(opsOf(finish())).toEqual(['Return']);
  expect(b.module.globals.some((i) => i.op === Op.TypeInt && i.operands[0] === 64)).toBe(false);
});

test('blocks that stand before their dominator are moved after it', () => {
  const { b, finish } = setUp();
  const [early, late] = [b.id(), b.id()] as const;
  b.branch(late);
  b.label(early);
  b.terminate(Op.Return, []);
  b.label(late);
  b.branch(early);
  b.label();
  const done = finish();
  expect(done.blocks.length).toBe(1);
});

test('ids have no gaps', () => {
  const { b, finish } = loop(1);
  finish();
  const seen = new Set<number>();
  for (const list of [
    b.module.globals,
    ...b.module.functions.flatMap((f) => f.blocks.map((x) => x.instructions)),
  ])
    for (const i of list) seen.add(i.result);
  expect(b.module.bound).toBeLessThan(seen.size + 12);
});

testWith('spirv-val')('the result is valid', () => {
  for (const step of [0, 1]) {
    const s = loop(step);
    s.finish();
    expect(spirvVal(encode(s.b.module))).toBe('');
  }
});

describe('folding', () => {
  const b = new Builder({ addressBits: 64 });
  const of = { 8: b.int(8), 32: b.int(32), 64: b.int(64) };
  const binary = (op: Op, width: 8 | 32 | 64, x: number | bigint, y: number | bigint) => {
    const type = of[width];
    const id = fold(b, op, type, [b.constantInt(type, x), b.constantInt(type, y)]);
    return id === undefined ? undefined : scalarValue(b, id);
  };

  test.each([
    [Op.IAdd, 32, 0xffffffff, 2, 1],
    [Op.ISub, 8, 1, 2, 255],
    [Op.IMul, 32, 0x10001, 0x10001, 0x20001],
    [Op.SDiv, 32, -7, 2, 0xfffffffd],
    [Op.UDiv, 32, -7, 2, 0x7ffffffc],
    [Op.SRem, 8, -7, 4, 253],
    [Op.SDiv, 32, 5, 0, undefined],
    [Op.ShiftRightArithmetic, 8, 0x80, 3, 0xf0],
    [Op.ShiftRightLogical, 8, 0x80, 3, 0x10],
    [Op.ShiftLeftLogical, 32, 1, 32, undefined],
    [Op.IMul, 64, 0xffffffffffffffffn, 2n, 0xfffffffffffffffen],
    [Op.BitwiseXor, 64, 5n, 6n, 3n],
  ] as const)('%i on %i bits: %d, %d', (op, width, x, y, expected) => {
    expect(binary(op, width, x, y)).toBe(expected);
  });

  test('comparisons know the sign', () => {
    const compare = (op: Op) =>
      scalarValue(b, fold(b, op, b.bool(), [b.constantInt(of[8], 0x80), b.constantInt(of[8], 1)])!);
    expect(compare(Op.SLessThan)).toBe(true);
    expect(compare(Op.ULessThan)).toBe(false);
  });

  test('conversions out of range are left to the device', () => {
    const float = b.float(32);
    expect(fold(b, Op.ConvertFToU, of[8], [b.constantFloat(float, 300)])).toBeUndefined();
    expect(scalarValue(b, fold(b, Op.ConvertFToS, of[8], [b.constantFloat(float, -3.9)])!)).toBe(253);
  });

  test('an integer is rounded once', () => {
    // 2^24 + 1 is between two floats; 2^60 + 1 is not even a double.
    expect(fold(b, Op.ConvertUToF, b.float(32), [b.constantInt(of[64], (1n << 60n) + 1n)])).toBeUndefined();
    expect(scalarValue(b, fold(b, Op.ConvertSToF, b.float(32), [b.constantInt(of[32], 16777217)])!)).toBe(
      16777216,
    );
  });

  test('vectors by component', () => {
    const v2 = b.vector(of[32], 2);
    const vector = (x: number, y: number) =>
      b.constantComposite(v2, [b.constantInt(of[32], x), b.constantInt(of[32], y)]);
    expect(fold(b, Op.IAdd, v2, [vector(1, 2), vector(3, 4)])).toBe(vector(4, 6));
    expect(fold(b, Op.VectorShuffle, v2, [vector(1, 2), vector(3, 4), 3, 0])).toBe(vector(4, 1));
    expect(fold(b, Op.IAdd, v2, [vector(1, 2), b.constantNull(v2)])).toBe(vector(1, 2));
  });
});
