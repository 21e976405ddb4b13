// SPDX-License-Identifier: MIT
//
// The value of an `#if`: constant expressions in 64-bit integers (C99, 6.10.1).
import {
  holds,
  type IntegerOperator,
  integerArithmetic,
  isComparison,
  wrapBits,
} from '../../../base/integer-arithmetic';
import type { Location } from '../../diagnostics/diagnostic';
import type { MessageCode } from '../../diagnostics/messages';
import type { Reporter } from '../../diagnostics/reporter';
import { parseIntegerLiteral } from '../lex/numbers';
import type { PpToken } from '../lex/pp-token';
import { characterLiteralValue } from '../lex/strings';

interface Value {
  readonly value: bigint;
  readonly unsigned: boolean;
}

const DEPTH_LIMIT = 500;
/** The range of intmax_t and uintmax_t. */
const BITS = 64;

const PRECEDENCE: Readonly<Record<string, number | undefined>> = {
  ',': 1,
  '?': 2,
  '||': 3,
  '&&': 4,
  '|': 5,
  '^': 6,
  '&': 7,
  '==': 8,
  '!=': 8,
  '<': 9,
  '>': 9,
  '<=': 9,
  '>=': 9,
  '<<': 10,
  '>>': 10,
  '+': 11,
  '-': 11,
  '*': 12,
  '/': 12,
  '%': 12,
};

/** Thrown and caught in this file, after an error was reported: the rest of the expression is ignored. */
class Abandon extends Error {}

/** Whether the expression, macros expanded and `defined` replaced, is not zero; false after an error. */
export function evaluateCondition(tokens: readonly PpToken[], end: Location, reporter: Reporter): boolean {
  try {
    return new Evaluator(tokens, end, reporter).condition();
  } catch (error) {
    if (error instanceof Abandon) return false;
    throw error;
  }
}

class Evaluator {
  private index = 0;
  private depth = 0;

  constructor(
    private readonly tokens: readonly PpToken[],
    private readonly end: Location,
    private readonly reporter: Reporter,
  ) {}

  condition(): boolean {
    const result = this.binary(1, true);
    const rest = this.tokens[this.index];
    if (rest) this.fail('condition-operator-expected', rest.location);
    return result.value !== 0n;
  }

  private fail(
    code:
      | 'condition-operator-expected'
      | 'condition-value-missing'
      | 'condition-value-expected'
      | 'condition-paren-expected'
      | 'condition-colon-expected'
      | 'condition-floating'
      | 'condition-too-deep',
    location: Location,
  ): never {
    this.reporter.report(code satisfies MessageCode, location);
    throw new Abandon();
  }

  /** `live`: its value matters; otherwise only its syntax is checked. */
  private binary(minimum: number, live: boolean): Value {
    let left = this.unary(live);
    for (;;) {
      const operator = this.tokens[this.index];
      const precedence = operator?.kind === 'punctuator' ? PRECEDENCE[operator.text] : undefined;
      if (!operator || precedence === undefined || precedence < minimum) return left;
      this.index++;
      if (operator.text === '?') {
        left = this.conditional(left, live);
        continue;
      }
      const needed =
        operator.text === '&&' ? left.value !== 0n : operator.text === '||' ? left.value === 0n : true;
      const right = this.binary(precedence + 1, live && needed);
      left = this.apply(operator, left, right, live && needed);
    }
  }

  private conditional(condition: Value, live: boolean): Value {
    this.enter();
    const chosen = condition.value !== 0n;
    const then = this.binary(1, live && chosen);
    const colon = this.tokens[this.index];
    if (colon?.text !== ':') this.fail('condition-colon-expected', colon?.location ?? this.end);
    this.index++;
    const otherwise = this.binary(2, live && !chosen);
    this.depth--;
    return wrap((chosen ? then : otherwise).value, then.unsigned || otherwise.unsigned);
  }

  private enter(): void {
    if (++this.depth > DEPTH_LIMIT)
      this.fail('condition-too-deep', this.tokens[this.index]?.location ?? this.end);
  }

  private unary(live: boolean): Value {
    this.enter();
    const value = this.operand(live);
    this.depth--;
    return value;
  }

  private operand(live: boolean): Value {
    const token = this.tokens[this.index++];
    if (!token) return this.fail('condition-value-missing', this.end);
    switch (token.kind) {
      case 'integer': {
        const literal = parseIntegerLiteral(token.text, token.location, this.reporter);
        if (!literal) throw new Abandon();
        return wrap(literal.value, literal.type === 'ulong' || /u/i.test(token.text));
      }
      case 'character':
        return wrap(BigInt(characterLiteralValue(token.text, token.location, this.reporter)), false);
      case 'identifier': {
        const call = this.tokens[this.index];
        if (call?.text === '(' && live) {
          this.reporter.report('condition-function-undefined', token.location, { name: token.text });
          throw new Abandon();
        }
        if (live) this.reporter.report('undefined-in-condition', token.location, { name: token.text });
        return { value: 0n, unsigned: false };
      }
      case 'floating':
        return this.fail('condition-floating', token.location);
      case 'punctuator':
        return this.prefix(token, live);
      default:
        return this.fail('condition-value-expected', token.location);
    }
  }

  private prefix(token: PpToken, live: boolean): Value {
    switch (token.text) {
      case '(': {
        const value = this.binary(1, live);
        const close = this.tokens[this.index];
        if (close?.text !== ')') this.fail('condition-paren-expected', close?.location ?? this.end);
        this.index++;
        return value;
      }
      case '+':
        return this.unary(live);
      case '-': {
        const { value, unsigned } = this.unary(live);
        return wrap(-value, unsigned);
      }
      case '~': {
        const { value, unsigned } = this.unary(live);
        return wrap(~value, unsigned);
      }
      case '!':
        return truth(this.unary(live).value === 0n);
      default:
        return this.fail('condition-value-expected', token.location);
    }
  }

  private apply(operator: PpToken, left: Value, right: Value, live: boolean): Value {
    const { text, location } = operator;
    if (text === ',') return right;
    if (text === '||') return truth(left.value !== 0n || right.value !== 0n);
    if (text === '&&') return truth(left.value !== 0n && right.value !== 0n);
    if (text === '<<' || text === '>>')
      return wrap(integerArithmetic(text, left.value, right.value, BITS)!, left.unsigned);
    const unsigned = left.unsigned || right.unsigned;
    const a = unsigned ? BigInt.asUintN(BITS, left.value) : left.value;
    const b = unsigned ? BigInt.asUintN(BITS, right.value) : right.value;
    if (isComparison(text)) return truth(holds(text, a, b));
    const result = integerArithmetic(text as IntegerOperator, a, b, BITS);
    if (result !== undefined) return wrap(result, unsigned);
    if (!live) return { value: 0n, unsigned };
    const operation = text === '/' ? 'division' : 'remainder';
    this.reporter.report('condition-division', location, { operation });
    throw new Abandon();
  }
}

const wrap = (value: bigint, unsigned: boolean): Value => ({
  value: wrapBits(value, BITS, unsigned),
  unsigned,
});

function truth(condition: boolean): Value {
  return { value: condition ? 1n : 0n, unsigned: false };
}
