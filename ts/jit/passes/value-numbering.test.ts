// SPDX-License-Identifier: MIT
import { countLines, Draft, SIGNATURE } from '../../../tests/helpers/ir-draft';
import { type Func, Op, Type } from '../ir/ir';
import { parse } from '../ir/parse';
import { annotateMemory } from './annotate-memory';
import { convertBranches } from './if-conversion';
import { numberValues } from './value-numbering';

const annotate = (func: Func) => annotateMemory(func, SIGNATURE);
const number = (func: Func) => numberValues(func, SIGNATURE);

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

test('value numbering: loads survive a store elsewhere by restrict only, and barriers never', () => {
  const build = (middle: (d: Draft) => void) => {
    const d = new Draft();
    const first = d.load(d.other);
    middle(d);
    d.store(d.out, d.emit(Op.Add, Type.I32, first, d.load(d.other)), 64);
    d.emit(Op.Add, Type.I32, d.x, d.n);
    return countLines(d.text(number), /Load/);
  };
  expect(build(() => {})).toBe(1);
  expect(build((d) => d.store(d.out, d.x))).toBe(1);
  expect(build((d) => d.store(d.emit(Op.Add, Type.I32, d.other, d.x), d.x))).toBe(2);
  expect(build((d) => d.store(d.other, d.x, 4))).toBe(1);
  expect(build((d) => d.b.emit(Op.Barrier, Type.Void, [], { scope: 'work-group' }))).toBe(2);
});

test('value numbering: storing what is there already is not a store', () => {
  const build = (between: boolean) => {
    const d = new Draft();
    const value = d.load(d.out);
    if (between) d.store(d.emit(Op.Add, Type.I32, d.out, d.x), d.n);
    d.store(d.out, value);
    return countLines(d.text(number), /Store/);
  };
  expect(build(false)).toBe(0);
  expect(build(true)).toBe(2);
});

test('value numbering: bytes that are there already complete words that change', () => {
  const stored = (changed: number[], first = 0) => {
    const d = new Draft();
    const at = (offset: number) => ({ space: 'global', align: 1, offset: first + offset }) as const;
    const bytes = [0, 1, 2, 3, 4, 5].map((k) => d.b.emit(Op.Load, Type.I8, [d.out], at(k)));
    for (const [k, byte] of bytes.entries()) {
      const value = changed.includes(k) ? d.b.emit(Op.Not, Type.I8, [byte]) : byte;
      d.b.emit(Op.Store, Type.Void, [d.out, value], at(k));
    }
    return countLines(d.text(number), /Store/);
  };
  expect(stored([])).toBe(0);
  expect(stored([2])).toBe(4);
  expect(stored([2], 1)).toBe(4);
  expect(stored([5])).toBe(2);
  expect(stored([0, 5])).toBe(6);
});

test('annotate: what is not written is invariant, restrict roots are named', () => {
  const d = new Draft();
  d.store(d.out, d.emit(Op.Add, Type.I32, d.load(d.other), d.load(d.out)));
  const text = d.text(annotate);
  expect(text).toMatch(/Load %1 \[.*invariant, restrictRoot 1\]|Load %1 \[.*restrictRoot 1, invariant\]/);
  expect(text).toMatch(/Load %0 \[space global, align 4\]/);
});
