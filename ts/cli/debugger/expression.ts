// SPDX-License-Identifier: MIT
//
// Expressions that a debugger evaluates: names, members, elements, work-item functions, numbers, and the operators of C on scalars.
import type { DebugItem } from '../../jit/debug/debug-item';
import {
  components,
  type DebugValue,
  element,
  type MemoryView,
  member,
  type Scalar,
  scalarOf,
  textOf,
} from './values';

class ExpressionError extends Error {}

export interface EvaluationContext {
  readonly item: DebugItem;
  /** The number of the frame, from the innermost one. */
  readonly frame: number;
  readonly memory: MemoryView;
}

/** A value of the program, or a number. */
export type Result = DebugValue | Scalar;

const isValue = (result: Result): result is DebugValue => typeof result === 'object';

/** While an expression is evaluated: integers are bigint, floating-point numbers are number. */
type Operation = (a: Scalar, b: Scalar) => Scalar;

const truth = (condition: boolean): bigint => (condition ? 1n : 0n);

/** By their precedence, from the loosest. */
const OPERATORS: readonly Readonly<Record<string, Operation>>[] = [
  { '||': (a, b) => truth(Boolean(a || b)) },
  { '&&': (a, b) => truth(Boolean(a && b)) },
  { '|': bits((a, b) => a | b) },
  { '^': bits((a, b) => a ^ b) },
  { '&': bits((a, b) => a & b) },
  { '==': (a, b) => truth(isEqual(a, b)), '!=': (a, b) => truth(!isEqual(a, b)) },
  {
    '<=': (a, b) => truth(a <= b),
    '>=': (a, b) => truth(a >= b),
    '<': (a, b) => truth(a < b),
    '>': (a, b) => truth(a > b),
  },
  { '<<': bits((a, b) => BigInt.asIntN(64, a << b)), '>>': bits((a, b) => a >> b) },
  {
    '+': arithmetic(
      (a, b) => a + b,
      (a, b) => a + b,
    ),
    '-': arithmetic(
      (a, b) => a - b,
      (a, b) => a - b,
    ),
  },
  {
    '*': arithmetic(
      (a, b) => a * b,
      (a, b) => a * b,
    ),
    '/': arithmetic(
      (a, b) => a / divisor(b),
      (a, b) => a / b,
    ),
    '%': arithmetic(
      (a, b) => a % divisor(b),
      (a, b) => a % b,
    ),
  },
];

function isEqual(a: Scalar, b: Scalar): boolean {
  return a <= b && a >= b;
}

function divisor(value: bigint): bigint {
  if (value === 0n) throw new ExpressionError('it divides by zero');
  return value;
}

function bits(f: (a: bigint, b: bigint) => bigint): Operation {
  return (a, b) => {
    if (typeof a !== 'bigint' || typeof b !== 'bigint')
      throw new ExpressionError('a floating-point number has no bits to operate on');
    return f(a, b);
  };
}

function arithmetic(
  whole: (a: bigint, b: bigint) => bigint,
  real: (a: number, b: number) => number,
): Operation {
  return (a, b) =>
    typeof a === 'bigint' && typeof b === 'bigint' ? whole(a, b) : real(Number(a), Number(b));
}

const TOKEN =
  /\s*(0x[\da-fA-F]+|\d+\.?\d*(?:[eE][-+]?\d+)?|[A-Za-z_]\w*|\|\||&&|<<|>>|[=!<>]=|->|[-+*/%&|^<>()[\].!~?:,])/y;

const wrapped =
  (bits: number, isSigned: boolean) =>
  (value: Scalar): Scalar => {
    const whole = typeof value === 'bigint' ? value : Number.isFinite(value) ? BigInt(Math.trunc(value)) : 0n;
    return isSigned ? BigInt.asIntN(bits, whole) : BigInt.asUintN(bits, whole);
  };

const CASTS: Readonly<Record<string, (value: Scalar) => Scalar>> = {
  bool: (value) => truth(Boolean(value)),
  char: wrapped(8, true),
  uchar: wrapped(8, false),
  short: wrapped(16, true),
  ushort: wrapped(16, false),
  int: wrapped(32, true),
  uint: wrapped(32, false),
  long: wrapped(64, true),
  ulong: wrapped(64, false),
  size_t: wrapped(32, false),
  float: (value) => Math.fround(Number(value)),
  double: Number,
};

const FUNCTIONS: Readonly<Record<string, (item: DebugItem, d: number) => number | undefined>> = {
  get_global_id: (item, d) => item.global[d],
  get_local_id: (item, d) => item.local[d],
  get_group_id: (item, d) => item.group[d],
  get_global_size: (item, d) => item.env.globalSize[d],
  get_local_size: (item, d) => item.size[d],
  get_num_groups: ({ env }, d) => {
    const [global, local] = [env.globalSize[d], env.localSize[d]];
    return global === undefined || local === undefined ? 1 : Math.ceil(global / local);
  },
  get_global_offset: (item, d) => item.env.globalOffset?.[d] ?? 0,
};

export function evaluate(text: string, context: EvaluationContext): Result {
  const tokens: string[] = [];
  for (TOKEN.lastIndex = 0; text.slice(TOKEN.lastIndex).trim() !== ''; ) {
    const start = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (!match) throw new ExpressionError(`'${text.slice(start).trim()}' is not part of an expression`);
    tokens.push(match[1]!);
  }
  const parser = new Evaluator(tokens, context);
  const result = parser.conditional();
  parser.end();
  return result;
}

/** A message with the values of the expressions in its braces. */
export function interpolate(message: string, context: EvaluationContext): string {
  return message.replace(/\{([^{}]*)\}/g, (_, text: string) => {
    const result = evaluate(text, context);
    return isValue(result) ? textOf(result, context.memory) : String(result);
  });
}

/** Whether a condition on a count is true: `10`, `== 10`, `>= 10`, `% 10`. */
export function countHolds(text: string, count: number): boolean {
  const match = /^\s*(==|=|>=|>|<=|<|%)?\s*(\d+)\s*$/.exec(text);
  if (!match) throw new ExpressionError(`'${text}' is not a count; write 10, > 10 or % 10`);
  return COUNTS[match[1] ?? '==']!(count, Number(match[2]));
}

const COUNTS: Readonly<Record<string, (count: number, limit: number) => boolean>> = {
  '==': (count, limit) => count === limit,
  '=': (count, limit) => count === limit,
  '>=': (count, limit) => count >= limit,
  '>': (count, limit) => count > limit,
  '<=': (count, limit) => count <= limit,
  '<': (count, limit) => count < limit,
  '%': (count, limit) => limit > 0 && count % limit === 0,
};

/** Where an operand that is not needed ends. */
const ENDS: Readonly<Record<string, readonly string[]>> = {
  '||': ['||', '?', ':'],
  '&&': ['&&', '||', '?', ':'],
  '?': [':'],
  ':': [':'],
};

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

  conditional(): Result {
    const condition = this.binary(0);
    if (!this.accept('?')) return condition;
    if (this.scalar(condition)) {
      const result = this.conditional();
      this.expect(':');
      this.skip(':');
      return result;
    }
    this.skip('?');
    this.expect(':');
    return this.conditional();
  }

  /** Passes over what C does not evaluate either: it may have no value. */
  private skip(after: string): void {
    let depth = 0;
    let questions = 0;
    for (; this.at < this.tokens.length; this.at++) {
      const token = this.tokens[this.at]!;
      if (depth === 0 && questions === 0 && (ENDS[after]!.includes(token) || ')],'.includes(token))) return;
      if (token === '(' || token === '[') depth++;
      else if (token === ')' || token === ']') depth--;
      else if (token === '?') questions++;
      else if (token === ':') questions--;
    }
  }

  private binary(level: number): Result {
    const operators = OPERATORS[level];
    if (!operators) return this.unary();
    let left = this.binary(level + 1);
    for (let f = this.operator(operators); f; f = this.operator(operators)) {
      const name = this.tokens[this.at - 1]!;
      if ((name === '&&' || name === '||') && Boolean(this.scalar(left)) === (name === '||')) {
        this.skip(name);
        left = truth(name === '||');
        continue;
      }
      const right = this.binary(level + 1);
      left = f(this.scalar(left), this.scalar(right));
    }
    return left;
  }

  private operator(operators: (typeof OPERATORS)[number]): Operation | undefined {
    const token = this.tokens[this.at];
    if (token === undefined || !Object.hasOwn(operators, token)) return undefined;
    this.at++;
    return operators[token];
  }

  private unary(): Result {
    const cast = this.cast();
    if (cast) return cast(this.scalar(this.unary()));
    if (this.accept('-')) return -this.scalar(this.unary());
    if (this.accept('!')) return truth(!this.scalar(this.unary()));
    if (this.accept('~')) return bits((a) => ~a)(this.scalar(this.unary()), 0n);
    if (this.accept('*')) return this.elementOf(this.unary(), 0);
    return this.postfix();
  }

  private cast(): ((value: Scalar) => Scalar) | undefined {
    const [open, name, close] = this.tokens.slice(this.at, this.at + 3);
    if (open !== '(' || close !== ')' || name === undefined || !Object.hasOwn(CASTS, name)) return undefined;
    this.at += 3;
    return CASTS[name];
  }

  private postfix(): Result {
    let result = this.primary();
    for (;;) {
      if (this.accept('[')) {
        const index = Number(this.scalar(this.conditional()));
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
      const inner = this.conditional();
      this.expect(')');
      return inner;
    }
    if (/^\d/.test(token)) return /^0x|^\d+$/.test(token) ? BigInt(token) : Number(token);
    if (!/^[A-Za-z_]/.test(token)) throw new ExpressionError(`'${token}' was not expected`);
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
    const dimension = this.accept(')') ? 0 : Number(this.scalar(this.conditional()));
    if (this.tokens[this.at - 1] !== ')') this.expect(')');
    return BigInt(f(this.context.item, dimension) ?? 0);
  }

  private elementOf(result: Result, index: number): DebugValue {
    const found = isValue(result) ? element(result, index, this.context.memory) : undefined;
    if (!found) throw new ExpressionError(`it has no element ${index}`);
    return found;
  }

  private memberOf(result: Result): DebugValue {
    const name = this.tokens[this.at++] ?? '';
    const { memory } = this.context;
    const found = isValue(result) ? (member(result, name) ?? components(result, name, memory)) : undefined;
    if (!found) throw new ExpressionError(`it has no member '${name}'`);
    return found;
  }

  private scalar(result: Result): Scalar {
    if (!isValue(result)) return result;
    const scalar = scalarOf(result, this.context.memory);
    if (scalar === undefined) throw new ExpressionError(`a ${result.type.name} is not a number`);
    const { type } = result;
    return type.kind === 'scalar' && type.as === 'float' ? scalar : BigInt(scalar);
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
