// SPDX-License-Identifier: MIT
//
// Passes on loops: rotation, hoisting, unrolling, each on a small function, seen as text.
import { countLines, Draft } from '../../../tests/helpers/ir-draft';
import { addBlock, addParam } from '../ir/build';
import { Op, Type, type Value } from '../ir/ir';
import { removeDeadCode } from './dead-code';
import { hoistInvariants } from './hoist-invariants';
import { mem2reg } from './mem2reg';
import { rotateLoops } from './rotate-loops';
import { simplify } from './simplify';
import { simplifyCfg } from './simplify-cfg';
import { hasCountedLoops, unrollLoops } from './unroll';

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
  expect(countLines(text, /Branch/)).toBe(1);
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
    return countLines(d.text(simplify, unrollLoops, simplifyCfg, simplify, removeDeadCode), /SLt/);
  };
  expect(loopsLeft(Type.I8, 0)).not.toBe(1);
  expect(loopsLeft(Type.I16, 1)).not.toBe(1);
  expect(loopsLeft(Type.I8, 2)).toBe(1);
  expect(loopsLeft(Type.I32, 2)).toBe(1);
  expect(loopsLeft(Type.I8, 0, 1)).toBe(1);
});

test('unrolling: loops of some size that write bytes in turn', () => {
  const loopsLeft = (type: Type, scale: number) => {
    const d = new Draft();
    d.loop(d.i(8), (i) => {
      let word: Value = d.emit(Op.LShr, Type.I32, d.x, i);
      for (let n = 0; n < 14; n++) word = d.emit(n & 1 ? Op.Xor : Op.Mul, Type.I32, word, d.x);
      const address = d.emit(Op.Add, Type.I32, d.out, d.emit(Op.Shl, Type.I32, i, d.i(scale)));
      d.store(address, type === Type.I32 ? word : d.emit(Op.Trunc, type, word));
    });
    return countLines(d.text(simplify, unrollLoops, simplifyCfg, simplify, removeDeadCode), /SLt/);
  };
  expect(loopsLeft(Type.I8, 0)).not.toBe(1);
  expect(loopsLeft(Type.I16, 1)).not.toBe(1);
  expect(loopsLeft(Type.I8, 2)).toBe(1);
  expect(loopsLeft(Type.I32, 2)).toBe(1);
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
  expect(countLines(text, /Store/)).toBe(250);
});

test('unrolling: loops over a private array stay where the array stays in memory anyway', () => {
  const LENGTH = 32;
  const loopsLeft = (readBack: (d: Draft, element: (index: Value) => Value) => void) => {
    const d = new Draft();
    const array = d.b.leaves.alloca(4 * LENGTH, 4);
    const at = (index: Value) => d.emit(Op.Add, Type.I32, array, d.emit(Op.Shl, Type.I32, index, d.i(2)));
    d.loop(d.i(LENGTH), (i) => d.privateAt(at(i), 0, d.emit(Op.Mul, Type.I32, i, d.x)));
    readBack(d, (index) => d.privateAt(at(index), 0));
    return countLines(d.text(unrollLoops, simplifyCfg), /SLt/);
  };
  const copies = loopsLeft((d, element) => d.loop(d.i(LENGTH), (i) => d.store(d.out, element(i))));
  expect(copies).toBeGreaterThanOrEqual(2 * LENGTH);
  // Varies by the work-item, by contents of memory, or by the counter of a loop with an unknown end.
  expect(loopsLeft((d, element) => d.store(d.out, element(d.x)))).toBe(1);
  expect(loopsLeft((d, element) => d.store(d.out, element(d.load(d.other))))).toBe(1);
  expect(loopsLeft((d, element) => d.loop(d.n, (i) => d.store(d.out, element(i))))).toBe(2);
});
