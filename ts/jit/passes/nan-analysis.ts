// SPDX-License-Identifier: MIT
//
// NaN analysis for fmin and fmax. If one operand is never NaN, it becomes the first operand and the instruction gets a fact,
// because one comparison is enough then. This is so for clamp and for the running minimum of a loop.
import { constantOf } from '../ir/build';
import { type Block, type Func, type Inst, Op, Type, type Value } from '../ir/ir';

export function markNeverNaN(func: Func): boolean {
  const extremes: Inst[] = [];
  for (const block of func.blocks)
    for (const inst of block.insts) if (inst.op === Op.FMin || inst.op === Op.FMax) extremes.push(inst);
  if (extremes.length === 0) return false;
  const numbers = findNumbers(func);
  let changed = false;
  for (const inst of extremes) {
    const [a, b] = inst.operands as [Value, Value];
    if (!numbers.has(a) && !numbers.has(b)) continue;
    if (!numbers.has(a)) inst.operands = [b, a];
    inst.facts = { ...inst.facts, byComparison: true };
    changed = true;
  }
  return changed;
}

const isFloat = (v: Value) => v.type === Type.F16 || v.type === Type.F32 || v.type === Type.F64;

/** Float values that are never NaN. An optimistic analysis: all are assumed to be such until disproved. */
function findNumbers(func: Func): Set<Value> {
  const numbers = new Set<Value>();
  const arriving = new Map<Block, (readonly Value[])[]>();
  for (const block of func.blocks) {
    for (const v of [...block.params, ...block.insts]) if (isFloat(v)) numbers.add(v);
    for (const target of block.targets) {
      const list = arriving.get(target.block);
      if (list) list.push(target.arguments);
      else arriving.set(target.block, [target.arguments]);
    }
  }
  for (let changed = true; changed; ) {
    changed = false;
    for (const block of func.blocks) {
      block.params.forEach((param, at) => {
        if (numbers.has(param) && !arriving.get(block)?.every((args) => numbers.has(args[at]!)))
          changed = numbers.delete(param);
      });
      for (const inst of block.insts)
        if (numbers.has(inst) && !isNumber(inst, numbers)) changed = numbers.delete(inst);
    }
  }
  return numbers;
}

function isNumber(inst: Inst, numbers: ReadonlySet<Value>): boolean {
  switch (inst.op) {
    case Op.Const:
      return !Number.isNaN(Number(constantOf(inst)));
    case Op.SToF:
    case Op.UToF:
      return true;
    case Op.FMin:
    case Op.FMax:
      return inst.operands.some((o) => numbers.has(o));
    case Op.Select:
      return inst.operands.slice(1).every((o) => numbers.has(o));
    case Op.FAbs:
    case Op.FNeg:
    case Op.FFloor:
    case Op.FCeil:
    case Op.FTrunc:
    case Op.FRint:
    case Op.FRoundHalf:
    case Op.FConvert:
      return numbers.has(inst.operands[0]!);
    default:
      return false;
  }
}
