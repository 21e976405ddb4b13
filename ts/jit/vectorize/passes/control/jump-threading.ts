// SPDX-License-Identifier: MIT
//
// Jump threading. A block that only branches on a parameter, as `a && b` leaves behind, is resolved in its predecessors: an edge
// with a constant goes directly to one side, any other edge branches itself.
import { constantOf, makeInst } from '../../../ir/build';
import { dominatorsOf } from '../../../ir/cfg';
import { type Block, type Func, Op, Target, Type, type Value } from '../../../ir/ir';

export function threadJumps(func: Func): boolean {
  const candidates = func.blocks.filter(decidesByParameter);
  if (candidates.length === 0) return false;
  let changed = false;
  const uses = new Uint32Array(func.idBound);
  for (const block of func.blocks) {
    for (const inst of [...block.insts, block.terminator]) for (const o of inst.operands) uses[o.id]!++;
    for (const t of block.targets) for (const a of t.arguments) uses[a.id]!++;
  }
  const dominators = dominatorsOf(func);
  // The last ones first: then edges lead to where the paths of a chain of them end, at once.
  for (const block of candidates.reverse()) {
    const preds = dominators.preds.get(block);
    if (!preds || preds.some((p) => dominators.dominates(block, p))) continue;
    // Its parameters must not be used after it, except through the arguments that it passes on.
    const own = (p: Value) =>
      (block.terminator.operands[0] === p ? 1 : 0) +
      block.targets.reduce((n, t) => n + t.arguments.filter((a) => a === p).length, 0);
    if (block.params.some((p) => uses[p.id] !== own(p))) continue;
    for (const pred of new Set(preds)) leadOn(func, pred, block);
    changed = true;
  }
  return changed;
}

function decidesByParameter(block: Block): boolean {
  const condition = block.terminator.operands[0];
  return (
    block.insts.length === 0 &&
    block.terminator.op === Op.Branch &&
    condition?.kind === 'param' &&
    condition.block === block
  );
}

function leadOn(func: Func, pred: Block, block: Block): void {
  const at = block.params.indexOf(block.terminator.operands[0] as never);
  const through = (given: readonly Value[], side: number): Target => {
    const target = block.targets[side]!;
    return new Target(
      target.block,
      target.arguments.map((a) => {
        const param = block.params.indexOf(a as never);
        return param < 0 ? a : given[param]!;
      }),
    );
  };
  if (pred.terminator.op === Op.Jump) {
    const given = pred.targets[0]!.arguments;
    const bits = constantOf(given[at]!);
    const position = pred.terminator.position;
    if (bits !== undefined) pred.targets = [through(given, bits ? 0 : 1)];
    else {
      pred.terminator = makeInst(func, pred, Op.Branch, Type.Void, [given[at]!], {}, position);
      pred.targets = [through(given, 0), through(given, 1)];
    }
    return;
  }
  pred.targets = pred.targets.map((t) => {
    const bits = t.block === block ? constantOf(t.arguments[at]!) : undefined;
    return bits === undefined ? t : through(t.arguments, bits ? 0 : 1);
  });
}
