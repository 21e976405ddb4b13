// SPDX-License-Identifier: MIT
//
// Each pass on a small function, seen as text. That results stay the same is frontend.test.ts's and fold.test.ts's affair.
import { countLines, Draft } from '../../../tests/helpers/ir-draft';
import { addBlock, addParam } from '../ir/build';
import { Op, Type, type Value } from '../ir/ir';
import { contract } from './contract';
import { removeDeadCode } from './dead-code';
import { doubleByAdding } from './double-by-adding';
import { convertBranches } from './if-conversion';
import { mem2reg } from './mem2reg';
import { markNeverNaN } from './nan-analysis';
import { narrowIntegers } from './narrow-integers';
import { selectExtremes } from './select-extremes';
import { simplify } from './simplify';
import { simplifyCfg } from './simplify-cfg';

test('mem2reg: a private struct becomes values, also where its bytes are read as something else', () => {
  const d = new Draft();
  const a = d.b.leaves.alloca(12, 4);
  d.privateAt(a, 0, d.x);
  d.privateAt(a, 4, d.n);
  const whole = d.privateAt(a, 0, undefined, Type.I64);
  d.b.emit(Op.Store, Type.Void, [d.out, whole], { space: 'global', align: 4 });
  expect(d.text(mem2reg)).toMatchInlineSnapshot(`
"b1:
  %4: I64 = ZExt %3
  %5: I64 = ZExt %2
  %6: I64 = Shl %5, 32:I64
  %7: I64 = Or %4, %6
  Store %0, %7 [space global, align 4]
  Return
}
"
`);
});

test('mem2reg: values meet in block parameters; a dynamic index keeps memory', () => {
  const d = new Draft();
  const a = d.b.leaves.alloca(4, 4);
  d.privateAt(a, 0, d.i(0));
  d.loop(d.n, (i) => d.privateAt(a, 0, d.emit(Op.Add, Type.I32, d.privateAt(a, 0), i)));
  d.store(d.out, d.privateAt(a, 0));
  expect(d.text(mem2reg, simplifyCfg)).toMatchInlineSnapshot(`
"b1(%4: I32, %5: I32):
  %6: I1 = SLt %4, %2
  Branch %6 b2, b3
b2:
  %7: I32 = Add %5, %4
  %8: I32 = Add %4, 1
  Jump b1(%8, %7)
b3:
  Store %0, %5 [space global, align 4]
  Return
}
"
`);
  const e = new Draft();
  const array = e.b.leaves.alloca(16, 4);
  e.privateAt(e.emit(Op.Add, Type.I32, array, e.emit(Op.Shl, Type.I32, e.x, e.i(2))), 0, e.n);
  e.store(e.out, e.privateAt(array, 4));
  expect(e.text(mem2reg)).toMatch('Store');
});

test('simplify: addresses, divisions, selections', () => {
  const d = new Draft();
  const index = d.emit(Op.Add, Type.I32, d.x, d.i(3));
  const address = d.emit(Op.Add, Type.I32, d.out, d.emit(Op.Mul, Type.I32, index, d.i(4)));
  d.store(address, d.emit(Op.UDiv, Type.I32, d.x, d.i(8)));
  d.store(address, d.emit(Op.URem, Type.I32, d.x, d.i(10)), 4);
  const less = d.emit(Op.SLt, Type.I1, d.x, d.n);
  d.store(address, d.emit(Op.Select, Type.I32, less, d.x, d.n), 8);
  const wide = d.emit(Op.Add, Type.I64, d.emit(Op.ZExt, Type.I64, d.x), d.b.constant(Type.I64, 5n));
  d.store(address, d.emit(Op.Trunc, Type.I32, wide), 12);
  expect(d.text(narrowIntegers, simplify, removeDeadCode)).toMatchInlineSnapshot(`
"b1:
  %3: I32 = Shl %2, 2
  %4: I32 = Add %0, %3
  %5: I32 = LShr %2, 3
  Store %4, %5 [space global, align 4, offset 12]
  %6: I32 = UMulHi %2, -858993459
  %7: I32 = LShr %6, 3
  %8: I32 = Mul %7, 10
  %9: I32 = Sub %2, %8
  Store %4, %9 [space global, align 4, offset 16]
  %10: I32 = SMin %2, %1
  Store %4, %10 [space global, align 4, offset 20]
  %11: I32 = Add %2, 5
  Store %4, %11 [space global, align 4, offset 24]
  Return
}
"
`);
});

test('simplify: constants become offsets of accesses, but for those so large that the address might wrap', () => {
  const d = new Draft();
  const scattered = d.emit(Op.Mul, Type.I32, d.x, d.n);
  for (const bytes of [61_436, 61_440, -4096, -4100])
    d.store(d.emit(Op.Add, Type.I32, scattered, d.i(bytes)), d.x);
  // The start of an object is known, so nothing wraps.
  d.store(d.emit(Op.Add, Type.I32, d.out, d.i(100_000)), d.x);
  expect(d.text(simplify, removeDeadCode)).toMatchInlineSnapshot(`
"b1:
  %3: I32 = Mul %2, %1
  Store %3, %2 [space global, align 4, offset 61436]
  %4: I32 = Add %3, 61440
  Store %4, %2 [space global, align 4]
  Store %3, %2 [space global, align 4, offset -4096]
  %5: I32 = Add %3, -4100
  Store %5, %2 [space global, align 4]
  Store %0, %2 [space global, align 4, offset 100000]
  Return
}
"
`);
});

test('narrow integers: shared operations are rewritten once, what is needed whole stays', () => {
  const chain = (length: number, whole: boolean) => {
    const d = new Draft();
    let [x, y]: Value[] = [d.x, d.n];
    for (let i = 0; i < length; i++) {
      y = d.emit(Op.Add, Type.I32, y!, x!);
      x = d.emit(Op.Xor, Type.I32, x!, d.emit(Op.Shl, Type.I32, y, d.i(1)));
    }
    d.store(d.out, d.emit(Op.Trunc, Type.I8, x!));
    if (whole) d.store(d.out, x!, 4);
    return d.text(narrowIntegers, removeDeadCode);
  };
  for (const length of [10, 100]) {
    expect(countLines(chain(length, false), /: I8 = (Add|Xor|Shl)/)).toBe(3 * length);
    expect(countLines(chain(length, false), /: I32/)).toBe(0);
    expect(countLines(chain(length, true), /: I32 = (Add|Xor|Shl)/)).toBe(3 * length);
    expect(countLines(chain(length, true), /: I8/)).toBe(1);
  }
  // 64-bit operations get a copy.
  const d = new Draft();
  const sum = d.emit(Op.Add, Type.I64, d.emit(Op.ZExt, Type.I64, d.x), d.b.constant(Type.I64, 5n));
  d.store(d.out, sum);
  d.store(d.out, d.emit(Op.Trunc, Type.I32, sum), 8);
  const text = d.text(narrowIntegers, removeDeadCode);
  expect(text).toMatch(/I32 = Add %1, 5/);
  expect(text).toMatch(/I64 = Add/);
});

test('clean-up: constant branches, forwarding blocks, trivial parameters', () => {
  const d = new Draft();
  const [then, forward, end] = [addBlock(d.func), addBlock(d.func), addBlock(d.func)];
  const p = addParam(d.func, end, Type.I32);
  d.b.branch(d.b.constant(Type.I1, 1), then, forward);
  d.b.block = then;
  d.b.jump(forward);
  d.b.block = forward;
  d.b.jump(end, [d.x]);
  d.b.block = end;
  d.store(d.out, p);
  expect(d.text(simplifyCfg)).toMatchInlineSnapshot(`
"b1:
  Store %0, %3 [space global, align 4]
  Return
}
"
`);
});

test('dead code: results, parameters and private stores that nobody needs', () => {
  const d = new Draft();
  const a = d.b.leaves.alloca(16, 4);
  d.privateAt(d.emit(Op.Add, Type.I32, a, d.x), 0, d.n);
  d.loop(d.n, (i) => d.emit(Op.Mul, Type.I32, i, i));
  d.load(d.out);
  d.store(d.out, d.x);
  const text = d.text(removeDeadCode);
  expect(text).not.toMatch(/Mul|Load|space private/);
  expect(countLines(text, /Store/)).toBe(1);
});

test('if-conversion: small sides become selections, effects stay branches', () => {
  const build = (side: (d: Draft) => Value) => {
    const d = new Draft();
    const [then, end] = [addBlock(d.func), addBlock(d.func)];
    const p = addParam(d.func, end, Type.I32);
    d.b.branch(d.emit(Op.SLt, Type.I1, d.x, d.n), then, end);
    d.b.block.targets[1]!.arguments = [d.x];
    d.b.block = then;
    d.b.jump(end, [side(d)]);
    d.b.block = end;
    d.store(d.out, p);
    return d.text(convertBranches, simplifyCfg);
  };
  expect(build((d) => d.emit(Op.Add, Type.I32, d.x, d.n))).toMatchInlineSnapshot(`
"b1:
  %4: I1 = SLt %3, %2
  %5: I32 = Add %3, %2
  %6: I32 = Select %4, %5, %3
  Store %0, %6 [space global, align 4]
  Return
}
"
`);
  expect(build((d) => d.load(d.other))).toMatch('Branch');
});

test('contraction: only where it is allowed and the product has one use', () => {
  const build = (fast: { contract: boolean } | undefined) => {
    const d = new Draft();
    const [a, b] = [d.load(d.out, Type.F32), d.load(d.other, Type.F32)];
    const facts = fast ? { fast } : {};
    const product = d.b.emit(Op.FMul, Type.F32, [a, b], { ...facts });
    d.store(d.out, d.b.emit(Op.FSub, Type.F32, [a, product], { ...facts }));
    return d.text(contract, removeDeadCode);
  };
  expect(build({ contract: true })).toMatchInlineSnapshot(`
"b1:
  %2: F32 = Load %0 [space global, align 4]
  %3: F32 = Load %1 [space global, align 4]
  %4: F32 = FNeg %2
  %5: F32 = MulAdd %4, %3, %2 [fast {"contract":true}]
  Store %0, %5 [space global, align 4]
  Return
}
"
`);
  expect(build(undefined)).not.toMatch('MulAdd');
});

test('doubling: a product with two becomes a sum, of float and double only', () => {
  const d = new Draft();
  const x = d.load(d.other, Type.F32);
  d.store(d.out, d.emit(Op.FMul, Type.F32, d.b.constant(Type.F32, 2), x));
  d.store(d.out, d.emit(Op.FMul, Type.F32, x, d.b.constant(Type.F32, 4)), 4);
  d.store(d.out, d.emit(Op.Mul, Type.I32, d.x, d.i(2)), 8);
  const text = d.text(doubleByAdding);
  expect(text).toContain('FAdd %4, %4');
  expect(countLines(text, /= F?Mul/)).toBe(2);
});

test('numbers: what cannot be a NaN comes first in fmin and fmax, through loops too', () => {
  const d = new Draft();
  const x = d.load(d.other, Type.F32);
  const zero = d.b.constant(Type.F32, 0);
  d.store(d.out, d.emit(Op.FMin, Type.F32, d.emit(Op.FMax, Type.F32, x, zero), d.b.constant(Type.F32, 1)));
  d.store(d.out, d.emit(Op.FMax, Type.F32, x, d.emit(Op.FAdd, Type.F32, x, zero)), 4);
  const text = d.text(markNeverNaN);
  expect(text).toContain('FMax 0:F32, %4 [byComparison]');
  expect(text).toContain('FMin %5, 1:F32 [byComparison]');
  expect(countLines(text, /byComparison/)).toBe(2);

  const running = (first: number) => {
    const loop = new Draft();
    const [body, end] = [addBlock(loop.func), addBlock(loop.func)];
    const most = addParam(loop.func, body, Type.F32);
    loop.b.jump(body, [loop.b.constant(Type.F32, first)]);
    loop.b.block = body;
    const next = loop.emit(Op.FMax, Type.F32, most, loop.load(loop.other, Type.F32));
    loop.b.branch(loop.emit(Op.FLt, Type.I1, next, loop.b.constant(Type.F32, 0)), body, end);
    body.targets[0]!.arguments = [next];
    loop.b.block = end;
    return loop.text(markNeverNaN);
  };
  expect(running(-1e30)).toContain('[byComparison]');
  expect(running(Number.NaN)).not.toContain('[byComparison]');
});

test('extremes: a selection of what was compared is one operation, whichever way it is written', () => {
  const d = new Draft();
  const [x, y] = [d.load(d.out, Type.F64), d.load(d.other, Type.F64)];
  const select = (op: Op, then: Value, otherwise: Value) =>
    d.emit(Op.Select, Type.F64, d.emit(op, Type.I1, x, y), then, otherwise);
  [select(Op.FLt, x, y), select(Op.FLt, y, x), select(Op.FGt, x, y), select(Op.FGt, y, x)].forEach((v, i) => {
    d.store(d.out, v, 8 * i);
  });
  d.store(d.out, select(Op.FLe, x, y), 32);
  d.store(d.out, select(Op.FLt, x, x), 40);
  const text = d.text(selectExtremes);
  // The second operand is the result if the comparison holds, the first one otherwise.
  expect(text.match(/(FMin|FMax) %\d+, %\d+ \[byComparison\]/g)).toEqual([
    'FMin %5, %4 [byComparison]',
    'FMax %4, %5 [byComparison]',
    'FMax %5, %4 [byComparison]',
    'FMin %4, %5 [byComparison]',
  ]);
  expect(countLines(text, /Select/)).toBe(2);
});
