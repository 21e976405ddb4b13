// SPDX-License-Identifier: MIT
//
// Random OpenCL C: valid programs of integers whose results are defined, and so the same for every compiler and every
// level of optimization. What C leaves undefined is written around: signed arithmetic wraps in the unsigned type of its
// width, divisors are small and odd, indices are masked, loops are counted.

import { Chance } from './chance';

/** `uint4` as { base: 'uint', count: 4 }. */
interface ValueType {
  readonly base: Base;
  readonly count: number;
}

const BASES = ['char', 'uchar', 'short', 'ushort', 'int', 'uint', 'long', 'ulong'] as const;
type Base = (typeof BASES)[number];
const COUNTS = [1, 1, 1, 1, 2, 3, 4, 4, 8, 16];
const COMPONENTS = '0123456789abcdef';

const bitsOf = (base: Base): number => 8 << (BASES.indexOf(base) >> 1);
const isUnsigned = (base: Base): boolean => base.startsWith('u');
const unsignedOf = (base: Base): Base => (isUnsigned(base) ? base : (`u${base}` as Base));
const signedOf = (base: Base): Base => (isUnsigned(base) ? (base.slice(1) as Base) : base);
const nameOf = ({ base, count }: ValueType): string => (count === 1 ? base : `${base}${count}`);
const same = (a: ValueType, b: ValueType): boolean => a.base === b.base && a.count === b.count;

interface Variable {
  readonly name: string;
  readonly type: ValueType;
  readonly writable: boolean;
}

interface Helper {
  readonly name: string;
  readonly result: ValueType;
  readonly parameters: readonly ValueType[];
}

/** The number of ulongs that each work-item writes. */
export const WORDS_PER_ITEM = 16;

/** `kernel void fuzz(global const ulong *in, global ulong *out)`: reads 16 words, writes WORDS_PER_ITEM per work-item. */
export function randomProgram(seed: number): string {
  return new Generator(seed).program();
}

class Generator {
  private readonly chance: Chance;
  private scope: Variable[] = [];
  private readonly helpers: Helper[] = [];
  private next = 0;
  private budget = 0;
  private hasArrays = false;

  constructor(seed: number) {
    this.chance = new Chance(seed);
  }

  program(): string {
    const parts = ['typedef struct { int a; uchar4 b; ulong c[3]; short d; } Record;\n'];
    const table = Array.from({ length: 8 }, () => this.integer(0, 0xffffffff)).join('u, ');
    parts.push(`constant uint table[8] = { ${table}u };\n`);
    for (let i = this.integer(1, 3); i > 0; i--) parts.push(this.helper());
    parts.push(this.kernel());
    return parts.join('\n');
  }

  // ---- chance

  private random(): number {
    return this.chance.random();
  }

  private integer(low: number, high: number): number {
    return this.chance.integer(low, high);
  }

  private pick<T>(list: readonly T[]): T {
    return this.chance.pick(list);
  }

  private type(): ValueType {
    return { base: this.pick(BASES), count: this.pick(COUNTS) };
  }

  private fresh(prefix: string): string {
    return `${prefix}${this.next++}`;
  }

  // ---- functions

  private helper(): string {
    const parameters = Array.from({ length: this.integer(1, 3) }, () => this.type());
    const result = this.type();
    const name = this.fresh('f');
    this.scope = parameters.map((type, i) => ({ name: `p${i}`, type, writable: true }));
    this.budget = 5;
    const body = this.statements(this.integer(1, 4), '  ', false);
    const value = this.expression(result, 3);
    this.helpers.push({ name, result, parameters });
    const list = parameters.map((type, i) => `${nameOf(type)} p${i}`).join(', ');
    const how = this.pick(['static ', '', 'inline static ', '__attribute__((noinline)) static ']);
    return `${how}${nameOf(result)} ${name}(${list}) {\n${body}  return ${value};\n}\n`;
  }

  private kernel(): string {
    this.scope = [];
    this.hasArrays = true;
    let text = 'kernel void fuzz(global const ulong *in, global ulong *out) {\n';
    text += '  const uint gid = get_global_id(0);\n  Record r;\n  ushort array[8];\n';
    text += '  r.a = (int)in[gid & 15]; r.b = as_uchar4((uint)in[(gid + 1) & 15]); r.d = (short)in[3];\n';
    text += '  for (int i = 0; i < 3; i++) r.c[i] = in[(gid + i) & 15];\n';
    text += '  for (int i = 0; i < 8; i++) array[i] = (ushort)(in[i] >> gid);\n';
    this.scope.push(
      { name: 'gid', type: { base: 'uint', count: 1 }, writable: false },
      { name: 'r.a', type: { base: 'int', count: 1 }, writable: true },
      { name: 'r.b', type: { base: 'uchar', count: 4 }, writable: true },
      { name: 'r.d', type: { base: 'short', count: 1 }, writable: true },
    );
    for (let i = 0; i < 6; i++) {
      const type = this.type();
      const name = this.fresh('v');
      const { base, count } = type;
      const words = Array.from({ length: count }, (_, k) => `in[(gid + ${i + k}) & 15]`);
      text +=
        count === 1
          ? `  ${base} ${name} = (${base})${words[0]};\n`
          : `  ${nameOf(type)} ${name} = convert_${nameOf(type)}((ulong${count})(${words.join(', ')}));\n`;
      this.scope.push({ name, type, writable: true });
    }
    this.budget = 16;
    const kept = [...this.scope];
    text += this.statements(this.integer(6, 14), '  ', false);
    text += '  ulong h = 0;\n';
    let word = 0;
    for (const { name, type } of kept) {
      for (let k = 0; k < type.count; k++) {
        const part = type.count === 1 ? name : `${name}.s${COMPONENTS[k]}`;
        text += `  h = h * 31 + (ulong)${part};\n`;
      }
      if (word < WORDS_PER_ITEM - 2) text += `  out[gid * ${WORDS_PER_ITEM} + ${word++}] = h;\n`;
    }
    text += '  for (int i = 0; i < 8; i++) h = h * 31 + array[i];\n';
    text += '  for (int i = 0; i < 3; i++) h = h * 31 + r.c[i];\n';
    for (; word < WORDS_PER_ITEM; word++) text += `  out[gid * ${WORDS_PER_ITEM} + ${word}] = h;\n`;
    return `${text}}\n`;
  }

  // ---- statements

  private statements(count: number, indent: string, inLoop: boolean): string {
    const outer = this.scope.length;
    let text = '';
    for (let i = 0; i < count; i++) text += this.statement(indent, inLoop);
    if (indent !== '  ') this.scope.length = outer;
    return text;
  }

  private statement(indent: string, inLoop: boolean): string {
    this.budget--;
    // The last two are about the kernel's arrays.
    const kind = this.budget < 0 ? 0 : this.integer(0, this.hasArrays ? 13 : 11);
    const inner = `${indent}  `;
    const block = (loop = inLoop) => `{\n${this.statements(this.integer(1, 3), inner, loop)}${indent}}`;
    switch (kind) {
      case 4: {
        const type = this.type();
        const value = this.expression(type, 3);
        const name = this.fresh('t');
        this.scope.push({ name, type, writable: true });
        return `${indent}${nameOf(type)} ${name} = ${value};\n`;
      }
      case 5:
        return `${indent}if (${this.condition(2)}) ${block()}\n`;
      case 6:
        return `${indent}if (${this.condition(2)}) ${block()} else if (${this.condition(1)}) ${block()} else ${block()}\n`;
      case 7: {
        const name = this.fresh('i');
        const limit = this.integer(1, 6);
        this.scope.push({ name, type: { base: 'int', count: 1 }, writable: false });
        const body = block(true);
        this.scope.pop();
        return `${indent}for (int ${name} = 0; ${name} < ${limit}; ${this.pick([`${name}++`, `++${name}`, `${name} += 2`])}) ${body}\n`;
      }
      case 8: {
        const name = this.fresh('n');
        const body = block(true);
        return `${indent}{ int ${name} = ${this.integer(1, 5)}; while (${name}-- > 0 && (${this.condition(1)})) ${body} }\n`;
      }
      case 9: {
        const name = this.fresh('n');
        const body = block(true);
        return `${indent}{ int ${name} = ${this.integer(1, 4)}; do ${body} while (--${name} > 0); }\n`;
      }
      case 10: {
        let text = `${indent}switch (${this.expression({ base: this.pick(BASES), count: 1 }, 2)} & 7) {\n`;
        for (let i = 0; i < 4; i++) {
          const label =
            i === 3 ? 'default:' : `case ${i * 2}:${this.random() < 0.3 ? ` case ${i * 2 + 1}:` : ''}`;
          text += `${inner}${label} {\n${this.statements(1, `${inner}  `, inLoop)}${inner}}\n`;
          if (this.random() < 0.6) text += `${inner}break;\n`;
        }
        return `${text}${indent}}\n`;
      }
      case 11:
        if (!inLoop) return this.assignment(indent);
        return `${indent}if (${this.condition(1)}) ${this.pick(['break', 'continue'])};\n`;
      case 12:
        return `${indent}array[${this.scalarIndex()} & 7] ${this.pick(['=', '^=', '+='])} ${this.expression({ base: 'ushort', count: 1 }, 2)};\n`;
      case 13:
        return `${indent}r.c[(uint)${this.scalarIndex()} % 3] = ${this.expression({ base: 'ulong', count: 1 }, 3)};\n`;
      default:
        return this.assignment(indent);
    }
  }

  private assignment(indent: string): string {
    const targets = this.scope.filter(({ writable }) => writable);
    const { name, type } = this.pick(targets);
    const { base, count } = type;
    if (count > 1 && this.random() < 0.4) {
      if (this.random() < 0.3) {
        const at = this.integer(0, count - 1);
        return `${indent}${name}.s${COMPONENTS[at]} = ${this.expression({ base, count: 1 }, 2)};\n`;
      }
      if (count > 2 && count !== 3 && this.random() < 0.5) {
        const half = this.pick(['lo', 'hi', 'even', 'odd']);
        return `${indent}${name}.${half} = ${this.expression({ base, count: count / 2 }, 2)};\n`;
      }
      const order = [...COMPONENTS.slice(0, count)].sort(() => this.random() - 0.5);
      const width = this.pick([2, 3, 4, 8].filter((each) => each <= count));
      return `${indent}${name}.s${order.slice(0, width).join('')} = ${this.expression({ base, count: width }, 2)};\n`;
    }
    if (isUnsigned(base)) {
      if (this.random() < 0.1) return `${indent}${this.pick([`${name}++`, `--${name}`])};\n`;
      if (this.random() < 0.3) {
        // Factors that are shorts become ints: their product may overflow.
        const small = count === 1 && bitsOf(base) === 16;
        const op = this.pick(['+=', '-=', '^=', '|=', '&=', '>>=', ...(small ? [] : ['*='])]);
        return `${indent}${name} ${op} ${this.expression(type, 3)};\n`;
      }
    }
    return `${indent}${name} = ${this.expression(type, 3)};\n`;
  }

  // ---- expressions

  private condition(depth: number): string {
    const type = { base: this.pick(BASES), count: 1 };
    const [a, b] = [this.expression(type, depth), this.expression(type, depth)];
    const compare = `${a} ${this.pick(['<', '>', '<=', '>=', '==', '!='])} ${b}`;
    if (depth > 0 && this.random() < 0.3)
      return `(${compare}) ${this.pick(['&&', '||'])} (${this.condition(depth - 1)})`;
    if (this.random() < 0.2) return `!(${compare})`;
    if (this.random() < 0.15) {
      const vector = { base: signedOf(this.pick(BASES)), count: this.pick([2, 3, 4, 8]) };
      return `${this.pick(['any', 'all'])}(${this.expression(vector, depth)})`;
    }
    return compare;
  }

  private scalarIndex(): string {
    return `(${this.expression({ base: this.pick(['int', 'uint', 'uchar'] as const), count: 1 }, 1)})`;
  }

  private literal(type: ValueType): string {
    const { base, count } = type;
    const one = () => {
      const value = this.pick([0, 1, 2, 7, 127, 128, 255, this.integer(0, 0x7fffffff)]);
      const sign = !isUnsigned(base) && this.random() < 0.3 ? '-' : '';
      return `(${base})${sign}${value}`;
    };
    if (count === 1) return `(${one()})`;
    if (this.random() < 0.4) return `((${nameOf(type)})(${one()}))`;
    return `((${nameOf(type)})(${Array.from({ length: count }, one).join(', ')}))`;
  }

  private leaf(type: ValueType): string {
    const { base, count } = type;
    const exact = this.scope.filter((variable) => same(variable.type, type));
    if (exact.length > 0 && this.random() < 0.6) return this.pick(exact).name;
    const wider = this.scope.filter((v) => v.type.base === base && v.type.count > 1);
    if (wider.length > 0 && this.random() < 0.7) {
      const { name, type: from } = this.pick(wider);
      const order = Array.from({ length: count }, () => COMPONENTS[this.integer(0, from.count - 1)]);
      return `${name}.s${order.join('')}`;
    }
    if (count === 1 && base === 'uint' && this.random() < 0.5) return `table[${this.scalarIndex()} & 7]`;
    if (count === 1) {
      const scalars = this.scope.filter((v) => v.type.count === 1);
      if (scalars.length > 0 && this.random() < 0.7) return `((${base})${this.pick(scalars).name})`;
    } else {
      const others = this.scope.filter((v) => v.type.count === count);
      if (others.length > 0 && this.random() < 0.7)
        return `convert_${nameOf(type)}(${this.pick(others).name})`;
    }
    return this.literal(type);
  }

  private expression(type: ValueType, depth: number): string {
    if (depth <= 0) return this.leaf(type);
    const { base, count } = type;
    const name = nameOf(type);
    const sub = (other = type) => this.expression(other, depth - 1);
    /** In the unsigned type of the same width, where arithmetic wraps; scalars below int in uint. */
    const wrapped = (op: string): string => {
      if (count === 1) {
        const wide = bitsOf(base) === 64 ? 'ulong' : 'uint';
        return `((${base})((${wide})${sub()} ${op} (${wide})${sub()}))`;
      }
      const unsigned = nameOf({ base: unsignedOf(base), count });
      return isUnsigned(base)
        ? `(${sub()} ${op} ${sub()})`
        : `as_${name}(as_${unsigned}(${sub()}) ${op} as_${unsigned}(${sub()}))`;
    };
    switch (this.integer(0, 19)) {
      case 0:
        return wrapped('+');
      case 1:
        return wrapped('-');
      case 2:
        return wrapped('*');
      case 3:
        return `((${name})(${sub()} ${this.pick(['&', '|', '^'])} ${sub()}))`;
      case 4:
        return `((${name})~${sub()})`;
      case 5:
        // The least number divided by -1 does not occur: the divisor is positive.
        return `((${name})(${sub()} ${this.pick(['/', '%'])} ((${sub()} & (${name})7) | (${name})1)))`;
      case 6:
        return count === 1
          ? `((${base})(${sub()} >> (${sub()} & 7)))`
          : `(${sub()} >> (${sub()} & (${name})7))`;
      case 7:
        return count === 1
          ? `((${base})((${bitsOf(base) === 64 ? 'ulong' : 'uint'})${sub()} << (${sub()} & 31)))`
          : `as_${name}(as_${nameOf({ base: unsignedOf(base), count })}(${sub()}) << as_${nameOf({ base: unsignedOf(base), count })}(${sub()}))`;
      case 8: {
        const op = this.pick(['<', '>', '<=', '>=', '==', '!=']);
        const other = { base: this.random() < 0.5 ? unsignedOf(base) : signedOf(base), count };
        const test = `(${sub(other)} ${op} ${sub(other)})`;
        return count === 1 ? `((${base})${test})` : isUnsigned(base) ? `as_${name}(${test})` : test;
      }
      case 9:
        return `((${name})((${this.condition(depth - 2)}) ? ${sub()} : ${sub()}))`;
      case 10: {
        const choice = { base: signedOf(base), count };
        return `((${name})(${sub(choice)} ? ${sub()} : ${sub()}))`;
      }
      case 11: {
        const from = { base: this.pick(BASES), count };
        const how = this.pick(['', '_sat', '_rte', '_sat_rtz']);
        return `convert_${name}${how}(${sub(from)})`;
      }
      case 12: {
        const bits = bitsOf(base) * count;
        const other = this.pick(BASES);
        const otherCount = count === 3 ? (bitsOf(other) === bitsOf(base) ? 3 : 0) : bits / bitsOf(other);
        return [1, 2, 3, 4, 8, 16].includes(otherCount) && (otherCount !== 3 || count === 3)
          ? `as_${name}(${sub({ base: other, count: otherCount })})`
          : this.leaf(type);
      }
      case 13:
        return `${this.pick(['min', 'max', 'add_sat', 'sub_sat', 'hadd', 'rhadd', 'mul_hi', 'rotate'])}(${sub()}, ${sub()})`;
      case 14:
        return `${this.pick(['popcount', 'clz'])}(${sub()})`;
      case 15: {
        const signed = { base: this.random() < 0.5 ? signedOf(base) : unsignedOf(base), count };
        const call = this.random() < 0.5 ? `abs(${sub(signed)})` : `abs_diff(${sub(signed)}, ${sub(signed)})`;
        return isUnsigned(base) ? call : `as_${name}(${call})`;
      }
      case 16:
        return this.random() < 0.5
          ? `bitselect(${sub()}, ${sub()}, ${sub()})`
          : `${this.pick(['mad_hi', 'mad_sat'])}(${sub()}, ${sub()}, ${sub()})`;
      case 17:
        return `select(${sub()}, ${sub()}, ${sub({ base: this.random() < 0.5 ? signedOf(base) : unsignedOf(base), count })})`;
      case 18: {
        const callee = this.helpers.find((helper) => helper.result.count === count);
        if (callee === undefined) return this.leaf(type);
        const call = `${callee.name}(${callee.parameters.map((parameter) => sub(parameter)).join(', ')})`;
        return same(callee.result, type) ? call : `convert_${name}(${call})`;
      }
      default: {
        if (count === 1 && this.hasArrays && this.random() < 0.5)
          return `((${base})array[${this.scalarIndex()} & 7])`;
        if (count === 2 || count === 4 || count === 8 || count === 16) {
          const half = { base, count: count / 2 };
          return `((${name})(${sub(half)}, ${sub(half)}))`;
        }
        if (count === 3) return `((${name})(${sub({ base, count: 2 })}, ${sub({ base, count: 1 })}))`;
        return this.leaf(type);
      }
    }
  }
}
