// SPDX-License-Identifier: MIT
import { Op } from './grammar.gen';
import { grammarTables, type OperandSpec } from './grammar-tables';
import type { Id } from './module';
import { forEachId } from './operands';

/** Extensions whose instructions no Kernel module of anycl contains. */
const FOREIGN = /(NV|NVX|AMD|AMDX|QCOM|ARM|EXT|GOOGLE|ALTERA|VALVE)$/;
const MASKS_OR_SPECIAL = new Set([
  'MemoryAccess',
  'ImageOperands',
  'LiteralContextDependentNumber',
  'LoopControl',
]);

/** Instructions of the module's own structure. */
const STRUCTURE = new Set<Op>([
  Op.MemoryModel,
  Op.EntryPoint,
  Op.ExecutionMode,
  Op.ExecutionModeId,
  Op.Capability,
]);

/** Ids in the fixed operands, by the grammar: false if they depend on an operand's value. */
function expected(operands: readonly OperandSpec[]): boolean[] | undefined {
  const { operandKinds } = grammarTables();
  const out: boolean[] = [];
  for (const [kind, quantifier] of operands) {
    if (kind === 'IdResult' || kind === 'IdResultType') continue;
    if (quantifier === '*' || quantifier === '?' || MASKS_OR_SPECIAL.has(kind)) break;
    if (operandKinds[kind]!.category === 'Composite' || kind === 'LiteralString') break;
    out.push(operandKinds[kind]!.category === 'Id');
  }
  return out;
}

test('ids stand where the grammar has them', () => {
  const wrong: string[] = [];
  for (const [op, spec] of grammarTables().instructions) {
    if (FOREIGN.test(spec.name) || (spec.version === 0 && !/INTEL|KHR/.test(spec.name))) continue;
    if (
      spec.capabilities?.some(
        (c) => c === 'Shader' || c.includes('Ray') || (c.includes('INTEL') && !c.includes('Subgroup')),
      )
    )
      continue;
    if (
      STRUCTURE.has(op) ||
      op === Op.SpecConstantOp ||
      /Avc|CooperativeMatrix|Untyped|KHRAbort|ImageSparse|Arbitrary|Fixed|Conditional/.test(spec.name)
    )
      continue;
    const want = expected(spec.operands)!;
    const found = want.map(() => false);
    forEachId({ op, type: 0 as Id, result: 0 as Id, operands: want.map(() => 0) }, (_, index) => {
      if (index < found.length) found[index] = true;
    });
    if (found.join() !== want.join()) wrong.push(spec.name);
  }
  expect(wrong).toEqual([]);
});

test.each([
  ['aligned load', Op.Load, [5, 2, 16], [0]],
  ['copy with two masks', Op.CopyMemorySized, [5, 6, 7, 3, 4, 2, 8], [0, 1, 2]],
  ['vloadn', Op.ExtInst, [1, 171, 5, 6, 4], [0, 2, 3]],
  ['switch', Op.Switch, [5, 6, 1, 7, 2, 8], [0, 1, 3, 5]],
  ['spec constant op', Op.SpecConstantOp, [Op.CompositeExtract, 5, 1], [1]],
  ['image with Lod', Op.ImageSampleExplicitLod, [5, 6, 2, 7], [0, 1, 3]],
])('%s', (_, op, operands, ids) => {
  const found: number[] = [];
  forEachId({ op, type: 0 as Id, result: 0 as Id, operands }, (_, index) => found.push(index));
  expect(found).toEqual(ids);
});
