// SPDX-License-Identifier: MIT
import { isElementOperation } from '../../ir/elements';
import { Op, Type } from '../../ir/ir';
import { instructionFor } from './elements';

/** Emitted in a form of their own. */
const OTHERS: readonly Op[] = [Op.ZExt, Op.SExt, Op.Select, Op.PopCount];

test('every operation on elements has an instruction', () => {
  const ops = Object.values(Op).filter((op): op is Op => typeof op === 'number');
  const types = [Type.I8, Type.I16, Type.I32, Type.I64, Type.F32, Type.F64];
  const known = ops.flatMap((op) =>
    types
      .filter((type) => isElementOperation(op, type, type) && !OTHERS.includes(op))
      .map((type) => [op, type] as const),
  );
  expect(known.length).toBeGreaterThan(80);
  for (const [op, type] of known) expect(() => instructionFor(op, type)).not.toThrow();
});
