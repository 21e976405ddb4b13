// SPDX-License-Identifier: MIT
//
// Each pass on a small function, seen as text. That results stay the same is frontend.test.ts's and fold.test.ts's affair.
import type { KernelArgument, KernelSignature } from '../../base/kernel-abi';
import { addBlock, addParam, Builder } from '../ir/build';
import { Func, Op, Type, type Value } from '../ir/ir';
import { parse } from '../ir/parse';
import { print } from '../ir/print';
import { verify } from '../ir/verify';
import { annotateMemory } from './annotate-memory';
import { contract } from './contract';
import { removeDeadCode } from './dead-code';
import { doubleByAdding } from './double-by-adding';
import { hoistInvariants } from './hoist-invariants';
import { convertBranches } from './if-conversion';
import { mem2reg } from './mem2reg';
import { markNeverNaN } from './nan-analysis';
import { narrowIntegers } from './narrow-integers';
import { rotateLoops } from './rotate-loops';
import { selectExtremes } from './select-extremes';
import { simplify } from './simplify';
import { simplifyCfg } from './simplify-cfg';
import { hasCountedLoops, unrollLoops } from './unroll';
import { numberValues } from './value-numbering';

const buffer = (typeQualifiers: KernelArgument['typeQualifiers'] = []): KernelArgument => ({
  kind: 'buffer',
  offset: 0,
  size: 4,
  align: 4,
  name: '',
  typeName: '',
  addressSpace: 'global',
  access: 'none',
  typeQualifiers,
});

const SIGNATURE: KernelSignature = {
  name: 'k',
  arguments: [buffer(), buffer(['restrict']), { ...buffer(), kind: 'value' }],
  dispatchBytes: 0,
  attributes: [],
  staticLocalBytes: 0,
  privateBytes: 0,
};

class Draft {
  readonly func = new Func('k');
  readonly b = new Builder(this.func);
  readonly out = this.b.leaves.leaf(Op.Argument, Type.I32, { index: 0, space: 'global' });
  readonly other = this.b.leaves.leaf(Op.Argument, Type.I32, { index: 1, space: 'global' });
  readonly n = this.b.leaves.leaf(Op.Argument, Type.I32, { index: 2 });
  readonly x = this.b.leaves.leaf(Op.GlobalId, Type.I32, { dimension: 0 });

  constructor() {
    const body = addBlock(this.func);
    this.b.jump(body);
    this.b.block = body;
  }

  emit(op: Op, type: Type, ...operands: Value[]) {
    return this.b.emit(op, type, operands);
  }

  i(value: number) {
    return this.b.i32(value);
  }

  load(address: Value, type = Type.I32) {
    return this.b.emit(Op.Load, type, [address], { space: 'global', align: 4 });
  }

  store(address: Value, value: Value, offset = 0) {
    return this.b.emit(Op.Store, Type.Void, [address, value], { space: 'global', align: 4, offset });
  }

  privateAt(address: Value, offset: number, value?: Value, type = Type.I32) {
    const facts = { space: 'private' as const, align: 4, offset };
    return value
      ? this.b.emit(Op.Store, Type.Void, [address, value], facts)
      : this.b.emit(Op.Load, type, [address], facts);
  }

  /** for (i = 0; i < limit; i++) body(i) */
  loop(limit: Value, body: (i: Value) => void, unroll?: number) {
    const [header, inside, end] = [addBlock(this.func), addBlock(this.func), addBlock(this.func)];
    const i = addParam(this.func, header, Type.I32);
    this.b.jump(header, [this.i(0)]);
    this.b.block = header;
    this.b.branch(this.emit(Op.SLt, Type.I1, i, limit), inside, end, unroll === undefined ? {} : { unroll });
    this.b.block = inside;
    body(i);
    this.b.jump(header, [this.emit(Op.Add, Type.I32, i, this.i(1))]);
    this.b.block = end;
  }

  /** The body after the passes, without the prologue. */
  text(...passes: ((func: Func) => unknown)[]): string {
    this.b.return();
    verify(this.func, 'its making');
    for (const pass of passes) {
      pass(this.func);
      verify(this.func, pass.name);
    }
    return print(this.func).replace(/^[\s\S]*?Jump b1.*\n/, '');
  }
}

const annotate = (func: Func) => annotateMemory(func, SIGNATURE);
const number = (func: Func) => numberValues(func, SIGNATURE);
const lines = (text: string, pattern: RegExp) => text.split('\n').filter((line) => pattern.test(line)).length;

test('value numbering: what one side of a branch says of a sum is not said of all', () => {
  const func = parse(`func k {
b0:
  %0: I32 = Argument [index 0, space global]
  %1: I32 = Argument [index 1]
  %2: I32 = GlobalId [dimension 0]
  Jump b1
b1:
  %3: I32 = Load %0 [align 4, space global]
  %4: I1 = SGt %3, 100
  Branch %4 b2, b3(0)
b2:
  %5: I32 = Add %2, %1 [noWrap]
  Jump b3(%5)
b3(%6: I32):
  Store %0, %6 [align 4, space global]
  %7: I32 = Add %2, %1
  %8: I64 = SExt %7
  Store %0, %8 [align 8, space global]
  Return
}
`).at(-1)!;
  convertBranches(func);
  number(func);
  const sums = func.blocks.flatMap(({ insts }) => insts.filter(({ op }) => op === Op.Add));
  expect(sums.map(({ facts }) => facts.noWrap)).toEqual([false]);
});

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
    expect(lines(chain(length, false), /: I8 = (Add|Xor|Shl)/)).toBe(3 * length);
    expect(lines(chain(length, false), /: I32/)).toBe(0);
    expect(lines(chain(length, true), /: I32 = (Add|Xor|Shl)/)).toBe(3 * length);
    expect(lines(chain(length, true), /: I8/)).toBe(1);
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
  expect(lines(text, /Store/)).toBe(1);
});

test('value numbering: loads survive a store elsewhere by restrict only, and barriers never', () => {
  const build = (middle: (d: Draft) => void) => {
    const d = new Draft();
    const first = d.load(d.other);
    middle(d);
    d.store(d.out, d.emit(Op.Add, Type.I32, first, d.load(d.other)), 64);
    d.emit(Op.Add, Type.I32, d.x, d.n);
    return lines(d.text(number), /Load/);
  };
  expect(build(() => {})).toBe(1);
  expect(build((d) => d.store(d.out, d.x))).toBe(1);
  expect(build((d) => d.store(d.emit(Op.Add, Type.I32, d.other, d.x), d.x))).toBe(2);
  expect(build((d) => d.store(d.other, d.x, 4))).toBe(1);
  expect(build((d) => d.b.emit(Op.Barrier, Type.Void, [], { scope: 'work-group' }))).toBe(2);
});

test('value numbering: storing what is there already is no store', () => {
  const build = (between: boolean) => {
    const d = new Draft();
    const value = d.load(d.out);
    if (between) d.store(d.emit(Op.Add, Type.I32, d.out, d.x), d.n);
    d.store(d.out, value);
    return lines(d.text(number), /Store/);
  };
  expect(build(false)).toBe(0);
  expect(build(true)).toBe(2);
});

test('annotate: what is not written is invariant, restrict roots are named', () => {
  const d = new Draft();
  d.store(d.out, d.emit(Op.Add, Type.I32, d.load(d.other), d.load(d.out)));
  const text = d.text(annotate);
  expect(text).toMatch(/Load %1 \[.*invariant, restrictRoot 1\]|Load %1 \[.*restrictRoot 1, invariant\]/);
  expect(text).toMatch(/Load %0 \[space global, align 4\]/);
});

test('rotate-loops: a loop that all work-items leave together tests at its end, one that they leave singly stays', () => {
  const d = new Draft();
  d.loop(d.n, (i) =>
    d.loop(d.n, (j) =>
      d.store(
        d.out,
        d.emit(Op.Add, Type.I32, d.emit(Op.Mul, Type.I32, d.n, d.x), d.emit(Op.Sub, Type.I32, i, j)),
      ),
    ),
  );
  expect(d.text(rotateLoops, simplifyCfg, removeDeadCode)).toMatchInlineSnapshot(`
"b1:
  %3: I1 = SLt 0, %1
  Branch %3 b2(0), b5
b2(%4: I32):
  %5: I1 = SLt 0, %1
  Branch %5 b3(0), b4
b3(%6: I32):
  %7: I32 = Mul %1, %2
  %8: I32 = Sub %4, %6
  %9: I32 = Add %7, %8
  Store %0, %9 [space global, align 4]
  %10: I32 = Add %6, 1
  %11: I1 = SLt %10, %1
  Branch %11 b3(%10), b4
b4:
  %12: I32 = Add %4, 1
  %13: I1 = SLt %12, %1
  Branch %13 b2(%12), b5
b5:
  Return
}
"
`);
  const single = new Draft();
  single.loop(single.x, (i) => single.store(single.out, i));
  const text = single.text((func) => expect(rotateLoops(func)).toBe(false));
  expect(lines(text, /Branch/)).toBe(1);
});

test('rotate-loops: what is used after the loop comes from its guard or from its last iteration', () => {
  const d = new Draft();
  let last: Value | undefined;
  d.loop(d.n, (i) => {
    last = i;
    d.store(d.out, i);
  });
  d.store(d.out, last!, 4);
  expect(d.text(rotateLoops, simplifyCfg, removeDeadCode)).toMatchInlineSnapshot(`
"b1:
  %2: I1 = SLt 0, %1
  Branch %2 b2(0), b3(0)
b2(%3: I32):
  Store %0, %3 [space global, align 4]
  %4: I32 = Add %3, 1
  %5: I1 = SLt %4, %1
  Branch %5 b2(%4), b3(%4)
b3(%6: I32):
  Store %0, %6 [space global, align 4, offset 4]
  Return
}
"
`);
});

test('hoisting: out of both loops, and only unwritten memory from a header', () => {
  const d = new Draft();
  d.loop(d.n, (i) =>
    d.loop(d.n, (j) => {
      const product = d.emit(Op.Mul, Type.I32, d.n, d.x);
      const perRow = d.emit(Op.Xor, Type.I32, i, d.n);
      d.store(d.out, d.emit(Op.Add, Type.I32, product, d.emit(Op.Sub, Type.I32, perRow, j)));
    }),
  );
  expect(d.text(hoistInvariants, simplifyCfg)).toMatchInlineSnapshot(`
"b1:
  %4: I32 = Mul %2, %3
  Jump b2(0)
b2(%5: I32):
  %6: I1 = SLt %5, %2
  Branch %6 b3, b7
b3:
  %7: I32 = Xor %5, %2
  Jump b4(0)
b4(%8: I32):
  %9: I1 = SLt %8, %2
  Branch %9 b5, b6
b5:
  %10: I32 = Sub %7, %8
  %11: I32 = Add %4, %10
  Store %0, %11 [space global, align 4]
  %12: I32 = Add %8, 1
  Jump b4(%12)
b6:
  %13: I32 = Add %5, 1
  Jump b2(%13)
b7:
  Return
}
"
`);
});

test('unrolling: constant trips vanish, values that leave the loop arrive', () => {
  const d = new Draft();
  const a = d.b.leaves.alloca(4, 4);
  d.privateAt(a, 0, d.x);
  d.loop(d.i(3), (i) => d.privateAt(a, 0, d.emit(Op.Mul, Type.I32, d.privateAt(a, 0), i)), 0);
  d.store(d.out, d.privateAt(a, 0));
  expect(
    d.text(mem2reg, unrollLoops, simplifyCfg, mem2reg, simplify, simplifyCfg, simplify, removeDeadCode),
  ).toMatchInlineSnapshot(`
"b1:
  Store %0, 0 [space global, align 4]
  Return
}
"
`);
  const e = new Draft();
  e.loop(e.i(3), (i) => e.store(e.out, i), 1);
  expect(e.text(unrollLoops)).toMatch('SLt');
});

test('unrolling: counted are innermost loops whose first test is known, however often they run', () => {
  const counted = (make: (d: Draft) => void): boolean => {
    const d = new Draft();
    make(d);
    d.b.return();
    const result = hasCountedLoops(d.func);
    // Whatever is copied was counted.
    if (unrollLoops(d.func)) expect(result).toBe(true);
    return result;
  };
  const store = (d: Draft) => (i: Value) => d.store(d.out, i);
  expect(counted((d) => d.loop(d.i(3), store(d)))).toBe(true);
  expect(counted((d) => d.loop(d.i(1000000), store(d)))).toBe(true);
  expect(counted((d) => d.loop(d.n, () => d.loop(d.i(3), store(d), 0)))).toBe(true);
  expect(counted((d) => d.loop(d.n, store(d), 0))).toBe(false);
  expect(counted((d) => d.loop(d.i(3), () => d.loop(d.x, store(d))))).toBe(false);
  expect(counted((d) => d.store(d.out, d.x))).toBe(false);
});

test('unrolling: loops of some size that read bytes in turn', () => {
  const loopsLeft = (type: Type, scale: number, hint?: number) => {
    const d = new Draft();
    d.loop(
      d.i(8),
      (i) => {
        let sum: Value = d.load(
          d.emit(Op.Add, Type.I32, d.other, d.emit(Op.Shl, Type.I32, i, d.i(scale))),
          type,
        );
        sum = type === Type.I32 ? sum : d.emit(Op.ZExt, Type.I32, sum);
        for (let n = 0; n < 14; n++) sum = d.emit(n & 1 ? Op.Xor : Op.Mul, Type.I32, sum, d.x);
        d.store(d.out, sum);
      },
      hint,
    );
    return lines(d.text(simplify, unrollLoops, simplifyCfg, simplify, removeDeadCode), /SLt/);
  };
  expect(loopsLeft(Type.I8, 0)).not.toBe(1);
  expect(loopsLeft(Type.I16, 1)).not.toBe(1);
  expect(loopsLeft(Type.I8, 2)).toBe(1);
  expect(loopsLeft(Type.I32, 2)).toBe(1);
  expect(loopsLeft(Type.I8, 0, 1)).toBe(1);
});

test('unrolling: what the author said of a loop stays, whatever its header is merged with', () => {
  const d = new Draft();
  const [header, test, inside, end] = [
    addBlock(d.func),
    addBlock(d.func),
    addBlock(d.func),
    addBlock(d.func),
  ];
  const i = addParam(d.func, header, Type.I32);
  d.b.jump(header, [d.i(0)]);
  d.b.block = header;
  d.b.jump(test, [], { unroll: 0 });
  d.b.block = test;
  d.b.branch(d.emit(Op.SLt, Type.I1, i, d.i(50)), inside, end);
  d.b.block = inside;
  for (let n = 0; n < 5; n++) d.store(d.out, d.emit(Op.Mul, Type.I32, i, d.x), 4 * n);
  d.b.jump(header, [d.emit(Op.Add, Type.I32, i, d.i(1))]);
  d.b.block = end;
  const text = d.text(simplifyCfg, unrollLoops, simplifyCfg, simplify, simplifyCfg);
  expect(lines(text, /Store/)).toBe(250);
});

test('unrolling: loops over a private array stay where the array stays in memory anyway', () => {
  const LENGTH = 32;
  const loopsLeft = (readBack: (d: Draft, element: (index: Value) => Value) => void) => {
    const d = new Draft();
    const array = d.b.leaves.alloca(4 * LENGTH, 4);
    const at = (index: Value) => d.emit(Op.Add, Type.I32, array, d.emit(Op.Shl, Type.I32, index, d.i(2)));
    d.loop(d.i(LENGTH), (i) => d.privateAt(at(i), 0, d.emit(Op.Mul, Type.I32, i, d.x)));
    readBack(d, (index) => d.privateAt(at(index), 0));
    return lines(d.text(unrollLoops, simplifyCfg), /SLt/);
  };
  const copies = loopsLeft((d, element) => d.loop(d.i(LENGTH), (i) => d.store(d.out, element(i))));
  expect(copies).toBeGreaterThanOrEqual(2 * LENGTH);
  // Varies by the work-item, by contents of memory, or by the counter of a loop with an unknown end.
  expect(loopsLeft((d, element) => d.store(d.out, element(d.x)))).toBe(1);
  expect(loopsLeft((d, element) => d.store(d.out, element(d.load(d.other))))).toBe(1);
  expect(loopsLeft((d, element) => d.loop(d.n, (i) => d.store(d.out, element(i))))).toBe(2);
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
  expect(lines(text, /= F?Mul/)).toBe(2);
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
  expect(lines(text, /byComparison/)).toBe(2);

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
  expect(lines(text, /Select/)).toBe(2);
});
