// SPDX-License-Identifier: MIT
//
// Random kernels that copy structs with padding: between variables, arrays, members of larger structs, functions and memory, in branches
// and loops, with changes of members and of single bytes. Whole structs are their results, so that each byte of padding matters. Members
// are integers, as the interpreter need not keep each NaN.
import { Chance } from '../chance';
import { BODY, PARAMETERS, type RandomKernel } from './model';

interface Member {
  readonly declaration: string;
  /** A scalar of it, to be changed. */
  readonly scalar: string;
  readonly size: number;
  readonly align: number;
}

const member = (type: string, size: number, align: number, count = 1, component = ''): ((name: string) => Member) => {
  return (name) => ({
    declaration: count > 1 ? `${type} ${name}[${count}];` : `${type} ${name};`,
    scalar: `${name}${count > 1 ? `[${count - 1}]` : ''}${component}`,
    size: size * count,
    align,
  });
}; // biome-ignore format: a helper of the table

const MEMBERS = [
  member('char', 1, 1), member('char', 1, 1), member('uchar', 1, 1), member('short', 2, 2), member('int', 4, 4),
  member('long', 8, 8), member('char3', 4, 4, 1, '.y'), member('short3', 8, 8, 1, '.x'), member('int3', 16, 16, 1, '.z'),
  member('int3', 16, 16, 2, '.x'), member('char', 1, 1, 3), member('short', 2, 2, 3), member('int2', 8, 8, 1, '.y'),
  member('Part', 8, 4, 1, '.b'), member('Part', 8, 4, 2, '.c'), member('Packed', 3, 1, 1, '.h'), member('Both', 8, 4, 1, '.c'),
]; // biome-ignore format: a table

const PARTS = `typedef struct { short b; char c; int d; } Part;
typedef struct __attribute__((packed)) { char c; short h; } Packed;
typedef union { struct { char c; int i; } s; char c; uchar bytes[7]; } Both;`;

/** The results of a work-item are at most so large (RESULTS.out). */
const LARGEST = 64;
const GROUPS = [1, 4, 7, 8, 16, 24] as const;

class Copies {
  private depth = 0;
  private loops = 0;

  constructor(
    private readonly chance: Chance,
    private readonly scalars: readonly string[],
    private readonly size: number,
  ) {}

  /** An index that is always in range when it is masked. */
  private index(): string {
    const { chance, loops } = this;
    return chance.pick(['x', 'x + 1', `x * 3`, 'n', `${chance.integer(0, 9)}`, ...(loops ? ['i', 'x + i'] : []), 'in[x & 63]']);
  } // biome-ignore format: one list

  private element(): string {
    return `e[(${this.index()}) & 7]`;
  }

  private variable(): string {
    const { chance } = this;
    return chance.pick(['a', 'a', 'b', 'b', 'w.s', 'v.r[1]', `p[(${this.index()}) & 3]`, 'p[2]', 'l[lid]']);
  }

  private value(): string {
    const { chance } = this;
    const any = () => (chance.with(0.3) ? this.element() : this.variable());
    if (chance.with(0.5)) return any();
    return chance.pick([
      () => `copied(${any()})`,
      () => `changed(${any()}, ${this.index()})`,
      () => `(${this.condition()} ? ${any()} : ${any()})`,
      () => `other(${any()}, ${any()}, ${this.index()})`,
      () => 'zero',
    ])();
  }

  private condition(): string {
    const { chance } = this;
    return chance.pick([
      '(x & 1)',
      'n > 3',
      `(${this.index()}) & 2`,
      `${this.variable()}.${chance.pick(this.scalars)} > ${this.variable()}.${chance.pick(this.scalars)}`,
    ]);
  }

  private statement(indent: string): string {
    const { chance } = this;
    const scalar = () => chance.pick(this.scalars);
    const kinds: (() => string)[] = [
      () => `${this.variable()} = ${this.value()};`,
      () => `${this.variable()} = ${this.value()};`,
      () => `{ S t = ${this.value()}; ${this.variable()} = ${this.value()}; ${this.variable()} = t; }`,
      () => `${this.variable()}.${scalar()} ${chance.pick(['^=', '+=', '='])} ${this.index()};`,
      () => `{ S t; t.${this.scalars[0]} = ${this.index()}; a.${this.scalars[0]} = t.${this.scalars[0]}; }`,
      () => `w = v.w; w.y = ${this.index()};`,
      () => `v.w = around(w, ${this.value()});`,
      () => `{ Row t = v; t.r[${this.index()} & 1] = ${this.value()}; v = t; }`,
      () => `{ S q[2] = { ${this.value()}, ${this.value()} }; ${this.variable()} = q[(${this.index()}) & 1]; }`,
      () => `{ S *q = ${this.condition()} ? &a : &b; *q = ${this.value()}; }`,
      () => `((uchar *)&${chance.pick(['a', 'b', 'p[1]', 'v'])})[(${this.index()}) % ${this.size}] ^= ${chance.integer(1, 255)};`,
      () => 'o[0] = a; b = o[0];',
    ]; // biome-ignore format: a table
    if (this.depth < 3) {
      const inner = () => this.statements(chance.integer(1, 3), `${indent}  `);
      kinds.push(
        () =>
          `if (${this.condition()}) {\n${inner()}${indent}}${chance.with(0.5) ? ` else {\n${inner()}${indent}}` : ''}`,
      );
      if (this.loops === 0) kinds.push(() => this.loop(indent, inner));
    }
    return chance.pick(kinds)();
  }

  private loop(indent: string, inner: () => string): string {
    this.loops++;
    const bound = this.chance.pick(['4', 'n', '(x & 7) + 1', '9']);
    const text = `for (int i = 0; i < ${bound}; i++) {\n${inner()}${indent}}`;
    this.loops--;
    return text;
  }

  statements(count: number, indent: string): string {
    this.depth++;
    let text = '';
    for (let i = 0; i < count; i++) text += `${indent}${this.statement(indent)}\n`;
    this.depth--;
    return text;
  }
}

function randomMembers(chance: Chance): readonly Member[] {
  for (;;) {
    const members = Array.from({ length: chance.integer(1, 5) }, (_, i) => chance.pick(MEMBERS)(`m${i}`));
    if (sizeOf(members) <= LARGEST) return members;
  }
}

function sizeOf(members: readonly Member[]): number {
  const up = (n: number, align: number) => Math.ceil(n / align) * align;
  const end = members.reduce((at, { size, align }) => up(at, align) + size, 0);
  return up(end, Math.max(...members.map(({ align }) => align)));
}

export function randomCopies(seed: number): RandomKernel {
  const chance = new Chance(seed ^ 0xc091e5);
  const members = randomMembers(chance);
  const size = sizeOf(members);
  const scalars = members.map(({ scalar }) => scalar);
  const copies = new Copies(chance, scalars, size);
  const group = chance.pick(GROUPS);
  const count = Math.floor(LARGEST / size);
  const results = ['a', 'b', 'w.s', 'p[3]', 'v.r[0]', 'v.w.s'].slice(0, count);
  const source = `${PARTS}
typedef struct { ${members.map(({ declaration }) => declaration).join(' ')} } S;
typedef struct { char x; S s; short y; } Around;
typedef struct { S r[2]; char z; Around w; } Row;
constant S zero = { 0 };
static S copied(S s) { return s; }
static S changed(S s, uint k) { s.${chance.pick(scalars)} += k; return s; }
static __attribute__((noinline)) S other(S s, S t, uint k) { if (k & 1) return s; t.${chance.pick(scalars)} = k; return t; }
static Around around(Around r, S s) { r.x++; r.s = s; return r; }
kernel void fuzz(${PARAMETERS}) {
  const uint x = get_global_id(0), lid = get_local_id(0);
  global const S *e = (global const S *)in;
  global S *o = (global S *)(out + x * 8);
  local S l[${group}];
  S a = e[x & 7], b = e[(x + 1) & 7], p[4];
  for (int i = 0; i < 4; i++) p[i] = e[i + n - 3 & 7];
  Around w = { 1, a, 2 };
  Row v = { { a, b }, 3, w };
  l[lid] = a;
  ${BODY}
${copies.statements(chance.integer(3, 9), '  ')}${results.map((value, i) => `  o[${i}] = ${value};\n`).join('')}}
`;
  return { source, global: [group * chance.integer(1, 3), 1, 1], local: [group, 1, 1] };
}
