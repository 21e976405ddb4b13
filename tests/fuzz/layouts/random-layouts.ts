// SPDX-License-Identifier: MIT
//
// Random programs of structures as arguments and of variables at program scope, which are C as well: `global`, `constant` and `kernel`
// are macros there, and vectors clang's. Each work-item stores the bits of members, found by many ways, in a row of words.
import { Chance } from '../chance';
import { declared, isFloat, type Leaf, type Record, type Type, TypeWriter } from './types';

export interface LayoutProgram {
  readonly seed: number;
  /** `kernel void fuzz_SEED(TYPE a, TYPE b, global ulong *out, uint i)`: `i` is made of the work-item's id. */
  readonly source: string;
  /** The bytes that the arguments begin with. */
  readonly bytes: Uint8Array;
  /** Words of each work-item. */
  readonly words: number;
  readonly types: readonly [string, string];
}

export const ITEMS = 20;
const MOST_BYTES = 4096;
const MOST_WORDS = 90;

export function randomLayouts(seed: number): LayoutProgram {
  const writer = new LayoutWriter(seed);
  return writer.program();
}

class LayoutWriter {
  private readonly chance: Chance;
  private readonly types: TypeWriter;
  private words = 0;
  private variables = 0;

  constructor(private readonly seed: number) {
    this.chance = new Chance(seed);
    this.types = new TypeWriter(this.chance, seed);
  }

  program(): LayoutProgram {
    const { chance, seed, types } = this;
    const a = types.record(3);
    const b = chance.with(0.3) ? a : types.record(2);
    const globals = this.variablesAtProgramScope([a, b]);
    const parts = [
      this.store(`sizeof(${a.name})`),
      this.store(`sizeof(${b.name})`),
      this.leaves('a', a),
      this.leaves('b', b),
      ...globals.reads,
      this.copies('a', a),
      this.copies('b', b),
    ];
    const alignments = types.records.map(({ name }) => this.store(`__alignof__(${name})`)).slice(0, 4);
    const helper = `static ${a.name} same_${seed}(${a.name} x) { return x; }\n`;
    const body = [...parts, ...alignments].join('');
    const source = `${types.definitions}${globals.text}${helper}
kernel void fuzz_${seed}(${a.name} a, ${b.name} b, global ulong *out, uint salt) {
  uint i = get_global_id(0) * 7u + salt;
  out += get_global_id(0) * ${this.words}u;
${body}}
`;
    const bytes = Uint8Array.from({ length: MOST_BYTES }, () => chance.integer(0, 255));
    return { seed, source, bytes, words: this.words, types: [a.name!, b.name!] };
  }

  /** Stores a number, if there is room. */
  private store(value: string): string {
    if (this.words >= MOST_WORDS) return '';
    return `  out[${this.words++}] = (ulong)(${value});\n`;
  }

  private bits(path: string, { scalar, count }: Leaf): string {
    const component = this.chance
      .integer(0, count - 1)
      .toString(16)
      .toUpperCase();
    const one = count === 1 ? path : `${path}.s${component}`;
    if (scalar === 'float') return `as_uint(${one})`;
    if (scalar === 'double') return `as_ulong(${one})`;
    return `(long)${one}`;
  }

  /** Some of the members of a value. */
  private leaves(path: string, type: Type, most = 14): string {
    const found = this.paths(path, type);
    const picked = Array.from({ length: Math.min(most, found.length) }, () => this.chance.pick(found));
    return picked.map(([at, leaf]) => this.store(this.bits(at, leaf))).join('');
  }

  private paths(path: string, type: Type): (readonly [string, Leaf])[] {
    switch (type.kind) {
      case 'leaf':
        return [[path, type]];
      case 'array': {
        const constants = Array.from({ length: type.length }, (_, k) => `${path}[${k}]`);
        return [...constants, `${path}[(i >> ${this.chance.integer(0, 2)}) % ${type.length}u]`].flatMap(
          (at) => this.paths(at, type.of),
        );
      }
      case 'record':
        return type.members.flatMap(({ name, type: of }) =>
          this.paths(name === '' ? path : `${path}.${name}`, of),
        );
    }
  }

  /** Copies, changed ones, through functions and pointers. */
  private copies(name: string, type: Record): string {
    const { chance } = this;
    const copy = `c${this.variables++}`;
    let text = `  ${type.name} ${copy} = ${name === 'a' && chance.with(0.4) ? `same_${this.seed}(${name})` : name};\n`;
    for (const [at, leaf] of [1, 2].map(() => chance.pick(this.paths(copy, type)))) {
      const one =
        leaf.count === 1
          ? at
          : `${at}.s${chance
              .integer(0, leaf.count - 1)
              .toString(16)
              .toUpperCase()}`;
      text += `  ${one} = ${isFloat(leaf.scalar) ? `(${leaf.scalar})(int)(i & 63u)` : `(${leaf.scalar})(i * 77u)`};\n`;
    }
    text += this.leaves(copy, type, 5);
    const array = `r${this.variables++}`;
    text += `  ${type.name} ${array}[2];\n  ${array}[0] = ${name};\n  ${array}[1] = ${copy};\n`;
    text += this.leaves(`${array}[i & 1u]`, type, 4);
    const pointer = `p${this.variables++}`;
    text += `  ${type.name} *${pointer} = &${array}[(i >> 1) & 1u];\n`;
    text += this.leaves(`(*${pointer})`, type, 4);
    text += this.leaves(`(i & 2u ? ${name} : ${copy})`, type, 3);
    return text;
  }

  // ---- variables at program scope

  private variablesAtProgramScope(records: readonly Record[]): { text: string; reads: string[] } {
    const { chance } = this;
    let text = '';
    const reads: string[] = [];
    for (let n = chance.integer(1, 4); n > 0; n--) {
      const name = `v${this.variables++}_${this.seed}`;
      const record = chance.pick(records);
      const of: Type = chance.with(0.25)
        ? { kind: 'array', of: this.types.leaf(), length: chance.integer(1, 5) }
        : record;
      const type: Type = chance.with(0.4) ? { kind: 'array', of, length: chance.integer(1, 4) } : of;
      const space = chance.pick(['constant', 'constant', 'global']);
      const given = chance.with(0.1) && space === 'global' ? '' : ` = ${this.initializer(type)}`;
      text += `${space} ${declared(type, name)}${given};\n`;
      reads.push(this.leaves(name, type, 10));
      // Pointers into it, alone and in a table.
      const targets = this.paths(name, type).filter(([at]) => !at.includes('i'));
      const [target, leaf] = chance.pick(targets);
      if (leaf.count !== 1 || target.includes('(')) continue;
      const table = `t${this.variables++}_${this.seed}`;
      const others = targets.filter(([, other]) => other.scalar === leaf.scalar && other.count === 1);
      const entries = [target, chance.pick(others)[0], chance.pick(others)[0]].map((at) => `&${at}`);
      if (this.isPacked(records)) continue;
      text += `constant struct { uint n; ${space} ${leaf.scalar} *at; } ${table}[] = { ${entries.map((at, k) => `{ ${k + 5}u, ${at} }`).join(', ')} };\n`;
      reads.push(this.store(this.bits(`(*${table}[i % 3u].at)`, leaf)), this.store(`${table}[i % 3u].n`));
    }
    const words = ['""', '"a"', '"two words"', '"\\377\\0z"', '"abc" "def"'];
    const strings = `s${this.variables++}_${this.seed}`;
    text += `constant char ${strings}[][12] = { ${[1, 2, 3].map(() => chance.pick(words)).join(', ')} };\n`;
    reads.push(this.store(`(long)${strings}[i % 3u][(i >> 1) % 12u]`));
    const names = `n${this.variables++}_${this.seed}`;
    text += `constant char *constant ${names}[] = { ${[1, 2].map(() => chance.pick(words.slice(2))).join(', ')}, ${strings}[1] };\n`;
    reads.push(this.store(`(long)${names}[i % 3u][i & 1u]`));
    return { text, reads };
  }

  /** Whether members may be at places where pointers to them are not allowed. */
  private isPacked(records: readonly Record[]): boolean {
    return this.types.records.concat(records).some(({ attributes }) => attributes.includes('packed'));
  }

  private initializer(type: Type): string {
    const { chance } = this;
    switch (type.kind) {
      case 'leaf': {
        const one = () =>
          isFloat(type.scalar) ? `${chance.integer(-99, 99)}.5f` : `${chance.integer(-100, 120)}`;
        if (type.count === 1) return one();
        return `VEC(${type.scalar}${type.count}, ${Array.from({ length: type.count }, one).join(', ')})`;
      }
      case 'array': {
        if (chance.with(0.2)) {
          const at = chance.integer(0, type.length - 1);
          const next = at + 1 < type.length ? `, ${this.initializer(type.of)}` : '';
          return `{ [${at}] = ${this.initializer(type.of)}${next} }`;
        }
        return `{ ${Array.from({ length: chance.integer(1, type.length) }, () => this.initializer(type.of)).join(', ')} }`;
      }
      case 'record': {
        const named = type.members.filter(({ name }) => name !== '');
        const isDesignated = named.length === type.members.length && chance.with(0.5);
        if (isDesignated) {
          const picked = type.isUnion ? [chance.pick(named)] : named.filter(() => chance.with(0.7));
          if (picked.length === 0) picked.push(named[0]!);
          if (chance.with(0.3)) picked.reverse();
          return `{ ${picked.map(({ name, type: of }) => `.${name} = ${this.initializer(of)}`).join(', ')} }`;
        }
        const count = type.isUnion ? 1 : chance.integer(1, type.members.length);
        return `{ ${type.members
          .slice(0, count)
          .map(({ type: of }) => this.initializer(of))
          .join(', ')} }`;
      }
    }
  }
}

const VECTORS = ['char', 'uchar', 'short', 'ushort', 'int', 'uint', 'long', 'ulong', 'float', 'double']
  .flatMap((scalar) =>
    [2, 3, 4, 8, 16].map((n) => `typedef ${scalar} ${scalar}${n} __attribute__((ext_vector_type(${n})));\n`),
  )
  .join('');

/** What makes OpenCL C of the programs. */
export const CL_HEAD = '#define VEC(type, ...) (type)(__VA_ARGS__)\n';

/** A program in C that prints the sizes of the arguments, then the words of each work-item. */
export function inC(programs: readonly LayoutProgram[], salt: number): string {
  const runs = programs.map(
    ({ seed, types, bytes, words }) => `  {
    static const uchar bytes[] = { ${bytes.join(',')} };
    static ulong out[${ITEMS * words}];
    ${types[0]} a; ${types[1]} b;
    memcpy(&a, bytes, sizeof a); memcpy(&b, bytes + 2048, sizeof b);
    for (id = 0; id < ${ITEMS}; id++) fuzz_${seed}(a, b, out, ${salt}u);
    printf("${seed} %d %d", (int)sizeof a, (int)sizeof b);
    for (int k = 0; k < ${ITEMS * words}; k++) printf(" %lx", out[k]);
    printf("\\n");
  }\n`,
  );
  return `#include <stdio.h>
#include <string.h>
typedef unsigned char uchar; typedef unsigned short ushort; typedef unsigned uint; typedef unsigned long ulong;
${VECTORS}#define VEC(type, ...) { __VA_ARGS__ }
#define constant const
#define global
#define kernel static
static uint id;
static uint get_global_id(uint axis) { return id; }
static uint as_uint(float x) { uint bits; memcpy(&bits, &x, 4); return bits; }
static ulong as_ulong(double x) { ulong bits; memcpy(&bits, &x, 8); return bits; }
${programs.map(({ source }) => source).join('')}int main(void) {\n${runs.join('')}}\n`;
}
