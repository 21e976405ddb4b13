// SPDX-License-Identifier: MIT
//
// Fuses a * b + c where contraction is allowed and the product has no other use.
import { makeInst } from '../ir/build';
import { type Func, type Inst, Op, Type, type Value } from '../ir/ir';

export function contract(func: Func): boolean {
  const uses = new Int32Array(func.idBound);
  const use = (v: Value) => {
    uses[v.id]!++;
  };
  for (const block of func.blocks) {
    for (const inst of block.insts) for (const v of inst.operands) use(v);
    for (const v of block.terminator.operands) use(v);
    for (const target of block.targets) for (const v of target.arguments) use(v);
  }
  const product = (v: Value): Inst | undefined =>
    v.kind === 'inst' && v.op === Op.FMul && v.facts.fast?.contract && uses[v.id] === 1 ? v : undefined;
  let changed = false;
  for (const block of func.blocks) {
    const out: Inst[] = [];
    for (const inst of block.insts) {
      const allowed = inst.facts.fast?.contract && (inst.type === Type.F32 || inst.type === Type.F64);
      if (!allowed || (inst.op !== Op.FAdd && inst.op !== Op.FSub)) {
        out.push(inst);
        continue;
      }
      const [a, b] = inst.operands as [Value, Value];
      const negate = (v: Value): Value => {
        const made = makeInst(func, block, Op.FNeg, inst.type, [v], {}, inst.position);
        out.push(made);
        return made;
      };
      const left = product(a);
      const right = left ? undefined : product(b);
      if (left) {
        const addend = inst.op === Op.FAdd ? b : negate(b);
        rewrite(inst, [left.operands[0]!, left.operands[1]!, addend]);
      } else if (right) {
        const factor = inst.op === Op.FAdd ? right.operands[0]! : negate(right.operands[0]!);
        rewrite(inst, [factor, right.operands[1]!, a]);
      }
      changed ||= (left ?? right) !== undefined;
      out.push(inst);
    }
    block.insts = out;
  }
  return changed;
}

function rewrite(inst: Inst, operands: Value[]): void {
  inst.op = Op.MulAdd;
  inst.operands = operands;
}
