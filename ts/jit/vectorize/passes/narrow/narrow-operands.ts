// SPDX-License-Identifier: MIT
//
// Numbers of 32 bits that fit sixteen and are computed from bytes and shorts, where something that needs 32 bits uses them: a product, a float. They are
// computed in sixteen bits, eight to a vector, and only the result is extended, instead of each input.
import { type Divergence, X } from '../../../analyses/divergence';
import { type Inst, Op, Type, type Value } from '../../../ir/ir';
import { bytesOf } from '../../../ir/types';
import type { LowBits } from './low-bits';

/**
 * The operations whose operands are worth it. Not sums: a sum of sixteen bits within one of 32 bits would hide its terms from pair-products.ts,
 * which adds products in pairs.
 */
const USERS: ReadonlySet<Op> = new Set([Op.Mul, Op.SToF, Op.UToF, Op.Store]);

/** With fewer inputs, extending the result takes as many instructions as extending the inputs. */
const FEWEST_INPUTS = 2;
/** The longest search for inputs. */
const MOST_VALUES = 64;

export class NarrowOperands {
  constructor(
    private readonly lowBits: LowBits,
    private readonly divergence: () => Divergence,
  ) {}

  /** Whether an operand of an instruction of 32 bits is to be computed in sixteen, and how it is extended then. */
  extensionOf(user: Inst, operand: Value): Op.SExt | Op.ZExt | undefined {
    if (!USERS.has(user.op) || operand.type !== Type.I32 || operand.kind !== 'inst') return undefined;
    if (operand.op === Op.ZExt || operand.op === Op.SExt || operand.block !== user.block) return undefined;
    const fits = (v: Value) => this.lowBits.fits(v, 16) && this.lowBits.common(v, v, 16) !== undefined;
    if (!fits(operand) || fits(user) || !this.hasAdjacentInputs(operand)) return undefined;
    return this.lowBits.isBelow(operand, 2 ** 15) ? Op.SExt : Op.ZExt;
  }

  /** Whether a number is computed from several bytes and shorts of which neighbours have adjacent ones, and from what they share. */
  private hasAdjacentInputs(number: Inst): boolean {
    const { dims, stride } = this.divergence();
    const isKnown = (v: Value) => v.id < stride.length;
    const seen = new Set<Value>();
    const waiting: Value[] = [number];
    let inputs = 0;
    for (let v = waiting.pop(); v; v = waiting.pop()) {
      if (seen.has(v)) continue;
      seen.add(v);
      if (seen.size > MOST_VALUES || !isKnown(v)) return false;
      if ((dims[v.id]! & X) === 0) continue;
      if (v.kind !== 'inst') return false;
      const isExtension = v.op === Op.ZExt || v.op === Op.SExt;
      if (!isExtension) {
        // What is computed before a loop is not computed again in it.
        if (v.block !== number.block) return false;
        waiting.push(...v.operands);
        continue;
      }
      const [input] = v.operands as [Value];
      if (input.kind !== 'inst' || input.op !== Op.Load) return false;
      const address = input.operands[0]!;
      if ((dims[address.id]! & X) !== 0 && stride[address.id] !== bytesOf(input.type)) return false;
      inputs++;
    }
    return inputs >= FEWEST_INPUTS;
  }
}
