// SPDX-License-Identifier: MIT
import { type Inst, type InstFacts, Op, type Value } from '../ir/ir';
import { isPure } from '../ir/rewrite';

/** Numbers of values: those that are computed in the same way from the same values have the same number. */
export class ValueNumbers {
  private readonly known = new Map<Value, number>();
  private readonly byKey = new Map<string, number>();
  private next = 0;

  of(value: Value): number {
    let number = this.known.get(value);
    if (number === undefined) {
      number = value.kind === 'inst' && isShared(value) ? this.shared(value) : this.next++;
      this.known.set(value, number);
    }
    return number;
  }

  private shared({ op, type, facts, operands }: Inst): number {
    const key = `${op} ${type} ${keyOf(facts)} ${operands.map((operand) => this.of(operand)).join(' ')}`;
    let number = this.byKey.get(key);
    if (number === undefined) {
      number = this.next++;
      this.byKey.set(key, number);
    }
    return number;
  }
}

function isShared({ op }: Inst): boolean {
  if (op === Op.PrivateAlloca || op === Op.Undef) return false;
  return op < Op.Add || isPure(op);
}

const keyOf = ({ bits, index, offset, dimension }: InstFacts): string =>
  `${Object.is(bits, -0) ? '-0' : String(bits)} ${index} ${offset} ${dimension}`;
