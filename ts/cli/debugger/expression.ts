// SPDX-License-Identifier: MIT
//
// Expressions that a debugger evaluates: names, members, elements, work-item functions, numbers, and the operators of C on scalars.
import type { DebugItem } from '../../jit/debug/debug-item';
import { type DebugValue, element, type MemoryView, member, type Scalar, scalarOf } from './values';

export class ExpressionError extends Error {}

export interface EvaluationContext {
  readonly item: DebugItem;
  /** The number of the frame, from the innermost one. */
  readonly frame: number;
  readonly memory: MemoryView;
}

/** A value of the program, or a number. */
export type Result = DebugValue | Scalar;

const isValue = (result: Result): result is DebugValue => typeof result === 'object';

/** By their precedence, from the loosest. */
const OPERATORS: readonly Readonly<Record<string, (a: Scalar, b: Scalar) => Scalar>>[] = [
  { '||': (a, b) => (a || b ? 1 : 0) },
  { '&&': (a, b) => (a && b ? 1 : 0) },
  { '|': bits((a, b) => a | b) },
  { '^': bits((a, b) => a ^ b) },
  { '&': bits((a, b) => a & b) },
  { '==': (a, b) => Number(isEqual(a, b)), '!=': (a, b) => Number(!isEqual(a, b)) },
  {
    '<=': (a, b) => Number(a <= b),
    '>=': (a, b) => Number(a >= b),
    '<': (a, b) => Number(a < b),
    '>': (a, b) => Number(a > b),
  },
  { '+': numbers((a, b) => a + b), '-': numbers((a, b) => a - b) },
  {
    '*': numbers((a, b) => a * b),
    '/': (a, b) => quotient(Number(a), Number(b), isWhole(a) && isWhole(b)),
    '%': numbers((a, b) => a % b),
  },
];

const isEqual = (a: Scalar, b: Scalar) => !(a < b) && !(a > b);
const isWhole = (value: Scalar) => typeof value === 'bigint' || Number.isInteger(value);
const quotient = (a: number, b: number, whole: boolean) => (whole && b !== 0 ? Math.trunc(a / b) : a / b);

function bits(f: (a: bigint, b: bigint) => bigint): (a: Scalar, b: Scalar) => Scalar {
  return (a, b) => Number(f(BigInt(Math.trunc(Number(a))), BigInt(Math.trunc(Number(b)))));
}

function numbers(f: (a: number, b: number) => number): (a: Scalar, b: Scalar) => Scalar {
  return (a, b) => f(Number(a), Number(b));
}

const TOKEN =
  /\s*(0x[\da-fA-F]+|\d+\.?\d*(?:[eE][-+]?\d+)?|[A-Za-z_]\w*|\|\||&&|[=!<>]=|->|[-+*/%&|^<>()[\].!~])/y;

const FUNCTIONS: Readonly<Record<string, (item: DebugItem, d: number) => number | undefined>> = {
  get_global_id: (item, d) => item.global[d],
  get_local_id: (item, d) => item.local[d],
  get_group_id: (item, d) => item.group[d],
  get_global_size: (item, d) => item.env.globalSize[d],
  get_local_size: (item, d) => item.size[d],
};

export function evaluate(text: string, context: EvaluationContext): Result {
  const tokens: string[] = [];
  for (TOKEN.lastIndex = 0; text.slice(TOKEN.lastIndex).trim() !== ''; ) {
    const start = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (!match) throw new ExpressionError(`'${text.slice(start).trim()}' is no part of an expression`);
    tokens.push(match[1]!);
  }
  const parser = new Evaluator(tokens, context);
  const result = parser.binary(0);
  parser.end();
  return result;
}

/** Whether a condition is true. */
export function holds(text: string, context: EvaluationContext): boolean {
  const result = evaluate(text, context);
  return Boolean(isValue(result) ? scalarOf(result, context.memory) : result);
}

/** Evaluates while it parses: nothing has side effects. */
class Evaluator {
  private at = 0;

  constructor(
    private readonly tokens: readonly string[],
    private readonly context: EvaluationContext,
  ) {}

  end(): void {
    const rest = this.tokens[this.at];
    if (rest !== undefined) throw new ExpressionError(`'${rest}' was not expected`);
  }

  binary(level: number): Result {
    const operators = OPERATORS[level];
    if (!operators) return this.unary();
    let left = this.binary(level + 1);
    for (let f = this.operator(operators); f; f = this.operator(operators)) {
      const right = this.binary(level + 1);
      left = f(this.scalar(left), this.scalar(right));
    }
    return left;
  }

  private operator(operators: (typeof OPERATORS)[number]) {
    const token = this.tokens[this.at];
    if (token === undefined || !Object.hasOwn(operators, token)) return undefined;
    this.at++;
    return operators[token];
  }

  private unary(): Result {
    if (this.accept('-')) return -Number(this.scalar(this.unary()));
    if (this.accept('!')) return this.scalar(this.unary()) ? 0 : 1;
    if (this.accept('~')) return ~Number(this.scalar(this.unary()));
    if (this.accept('*')) return this.elementOf(this.unary(), 0);
    return this.postfix();
  }

  private postfix(): Result {
    let result = this.primary();
    for (;;) {
      if (this.accept('[')) {
        const index = Number(this.scalar(this.binary(0)));
        this.expect(']');
        result = this.elementOf(result, index);
      } else if (this.accept('.')) result = this.memberOf(result);
      else if (this.accept('->')) result = this.memberOf(this.elementOf(result, 0));
      else return result;
    }
  }

  private primary(): Result {
    const token = this.tokens[this.at++];
    if (token === undefined) throw new ExpressionError('the expression is incomplete');
    if (token === '(') {
      const inner = this.binary(0);
      this.expect(')');
      return inner;
    }
    if (/^\d/.test(token)) return Number(token);
    if (this.accept('(')) return this.workItemFunction(token);
    const { item, frame } = this.context;
    const found = item.visible(item.frames[item.frames.length - 1 - frame]).get(token);
    // The program's and the kernel's variables are of the outermost frame.
    const outer = found ?? item.visible(item.frames[0]).get(token);
    if (!outer || (!found && outer.variable.scope !== undefined))
      throw new ExpressionError(`there is no variable '${token}' here`);
    return { type: outer.variable.type, place: outer.place };
  }

  private workItemFunction(name: string): Scalar {
    const f = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
    if (!f) throw new ExpressionError(`the debugger does not call '${name}'`);
    const dimension = this.accept(')') ? 0 : Number(this.scalar(this.binary(0)));
    if (this.tokens[this.at - 1] !== ')') this.expect(')');
    return f(this.context.item, dimension) ?? 0;
  }

  private elementOf(result: Result, index: number): DebugValue {
    const found = isValue(result) ? element(result, index, this.context.memory) : undefined;
    if (!found) throw new ExpressionError(`it has no element ${index}`);
    return found;
  }

  private memberOf(result: Result): DebugValue {
    const name = this.tokens[this.at++] ?? '';
    const found = isValue(result) ? member(result, name) : undefined;
    if (!found) throw new ExpressionError(`it has no member '${name}'`);
    return found;
  }

  private scalar(result: Result): Scalar {
    if (!isValue(result)) return result;
    const scalar = scalarOf(result, this.context.memory);
    if (scalar === undefined) throw new ExpressionError(`a ${result.type.name} is no number`);
    return scalar;
  }

  private accept(token: string): boolean {
    if (this.tokens[this.at] !== token) return false;
    this.at++;
    return true;
  }

  private expect(token: string): void {
    if (!this.accept(token)) throw new ExpressionError(`'${token}' is missing`);
  }
}
