// SPDX-License-Identifier: MIT
//
// Quotients of numbers by constants, as passes/divide.ts writes them: shifts and products. Each is a chain of operations on one number and
// constants, which never falls where the number grows.
import { constantAmount, constantOf } from '../../../ir/build';
import { type Inst, Op, Type, type Value } from '../../../ir/ir';

export interface ConstantQuotient {
  readonly dividend: Value;
  readonly isSigned: boolean;
  /** Roughly. */
  readonly divisor: number;
  /** The operations from the dividend to the quotient, or to its product with the divisor. */
  readonly chain: readonly Inst[];
}

/** The quotient that an instruction is the last operation of; undefined for a plain shift of an unsigned number. */
export function constantQuotient(inst: Inst): ConstantQuotient | undefined {
  if (inst.type !== Type.I32) return undefined;
  switch (inst.op) {
    case Op.LShr:
      return unsignedQuotient(inst);
    case Op.UMulHi:
      return productQuotient(inst, 0, []);
    case Op.AShr:
      return signedShift(inst);
    case Op.And:
      return signedMultiple(inst);
    case Op.Add:
      return signedQuotient(inst);
    default:
      return undefined;
  }
}

/** A shift that leaves the sign alone is not a quotient that is worth knowing. */
const SIGN = 31;

const isInst = (v: Value | undefined, op: Op): v is Inst => v?.kind === 'inst' && v.op === op;

const numberOf = (v: Value): number | undefined => {
  const known = constantOf(v);
  return known === undefined ? undefined : Number(known);
};

function unsignedQuotient(inst: Inst): ConstantQuotient | undefined {
  const by = constantAmount(inst.operands[1]!);
  const from = inst.operands[0]!;
  if (by === undefined || by === SIGN) return undefined;
  if (isInst(from, Op.UMulHi)) return productQuotient(from, by, [inst]);
  return isInst(from, Op.Add) ? unsignedOfSum(inst, from, by) : undefined;
}

/** The upper half of an unsigned product, shifted by the `after`, if any. */
function productQuotient(product: Inst, by: number, after: readonly Inst[]): ConstantQuotient | undefined {
  const [dividend, factor] = product.operands as [Value, Value];
  const known = numberOf(factor);
  if (known === undefined) return undefined;
  return { dividend, isSigned: false, divisor: 2 ** (32 + by) / (known >>> 0), chain: [product, ...after] };
}

/** ((a - p) / 2 + p) >> by, where p is the upper half of a product with a: the factor has 33 bits. */
function unsignedOfSum(inst: Inst, sum: Inst, by: number): ConstantQuotient | undefined {
  for (const [half, product] of [sum.operands, sum.operands.toReversed()] as [Value, Value][]) {
    if (!isInst(product, Op.UMulHi) || !isInst(half, Op.LShr) || constantAmount(half.operands[1]!) !== 1)
      continue;
    const [difference] = half.operands as [Value];
    const [dividend, by32] = product.operands as [Value, Value];
    const factor = numberOf(by32);
    if (!isInst(difference, Op.Sub) || factor === undefined) continue;
    if (difference.operands[0] !== dividend || difference.operands[1] !== product) continue;
    const divisor = 2 ** (33 + by) / (2 ** 32 + (factor >>> 0));
    return { dividend, isSigned: false, divisor, chain: [product, difference, half, sum, inst] };
  }
  return undefined;
}

/** a plus 2^by - 1 if a is negative: what is rounded toward zero by a shift. */
function biased(value: Value, by: number): { dividend: Value; chain: Inst[] } | undefined {
  if (!isInst(value, Op.Add)) return undefined;
  for (const [dividend, bias] of [value.operands, value.operands.toReversed()] as [Value, Value][]) {
    if (!isInst(bias, Op.LShr) || constantAmount(bias.operands[1]!) !== 32 - by) continue;
    const [sign] = bias.operands as [Value];
    if (isInst(sign, Op.AShr) && sign.operands[0] === dividend && constantAmount(sign.operands[1]!) === 31)
      return { dividend, chain: [sign, bias, value] };
  }
  return undefined;
}

function signedShift(inst: Inst): ConstantQuotient | undefined {
  const [from, amount] = inst.operands as [Value, Value];
  const by = constantAmount(amount);
  if (by === undefined || by === SIGN) return undefined;
  const { dividend, chain } = biased(from, by) ?? { dividend: from, chain: [] };
  return { dividend, isSigned: true, divisor: 2 ** by, chain: [...chain, inst] };
}

/** A quotient by a power of two, times that. */
function signedMultiple(inst: Inst): ConstantQuotient | undefined {
  const [from, mask] = inst.operands as [Value, Value];
  const by = Math.log2(-(numberOf(mask) ?? Number.NaN));
  const found = Number.isInteger(by) ? biased(from, by) : undefined;
  return found && { ...found, isSigned: true, divisor: 2 ** by, chain: [...found.chain, inst] };
}

/** q + (q < 0 ? 1 : 0), where q is a signed product's upper half, to which the dividend is added if the factor has 33 bits. */
function signedQuotient(inst: Inst): ConstantQuotient | undefined {
  for (const [quotient, sign] of [inst.operands, inst.operands.toReversed()] as [Value, Value][]) {
    if (!isInst(sign, Op.LShr) || sign.operands[0] !== quotient || constantAmount(sign.operands[1]!) !== 31)
      continue;
    const by = isInst(quotient, Op.AShr) ? constantAmount(quotient.operands[1]!) : 0;
    const from = isInst(quotient, Op.AShr) ? quotient.operands[0]! : quotient;
    if (by === undefined) continue;
    const shift = isInst(quotient, Op.AShr) ? [quotient] : [];
    const product = isInst(from, Op.Add) ? from.operands.find((o) => isInst(o, Op.SMulHi)) : from;
    if (!isInst(product, Op.SMulHi)) continue;
    const [dividend, by32] = product.operands as [Value, Value];
    const factor = numberOf(by32);
    const isSum = from !== product;
    if (factor === undefined || factor === 0 || factor < 0 !== isSum) continue;
    if (isSum && !(from as Inst).operands.includes(dividend)) continue;
    const divisor = 2 ** (32 + by) / (factor >>> 0);
    const chain = [product, ...(isSum ? [from as Inst] : []), ...shift, sign, inst];
    return { dividend, isSigned: true, divisor, chain };
  }
  return undefined;
}
