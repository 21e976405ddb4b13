// SPDX-License-Identifier: MIT
//
// One small mistake in a source, as people make them: a token too many, too few or another one, a declaration gone, another
// type or address space, an argument more or less. `scripts/compare/refusals.mjs` compares with clang what is then said.
import { Chance } from './chance';

const TOKEN =
  /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\.?\d(?:[eEpP][+-]|[\w.])*|\w+|<<=|>>=|\.\.\.|[-+*/%&|^=<>!]=|&&|\|\||<<|>>|->|\+\+|--|##|\S/g;

const words = (text: string) => text.split(' ');
const TYPES = words(
  `void bool char uchar short ushort int uint long ulong float double half size_t int2 int3 int4 uint4 float2 float3 float4
   float8 char16 double2 long2 uchar4 half4 image2d_t image3d_t sampler_t event_t signed unsigned`.replace(
    /\s+/g,
    ' ',
  ),
);
const SPACES = words('global local constant private __global __local __constant __private generic');
const OPERATORS = words(
  '+ - * / % & | ^ << >> && || == != < > <= >= = += -= *= /= %= <<= >>= &= |= ^= , ? : ! ~ ++ -- . ->',
);
const BRACKETS = words('( ) [ ] { } ;');
const KEYWORDS = words(
  `const volatile restrict static extern inline kernel __kernel typedef struct union enum if else for while do switch case default
   break continue return goto sizeof read_only write_only read_write unsigned __attribute__ _Static_assert _Generic typeof
   _Alignas _Alignof`.replace(/\s+/g, ' '),
);
const NUMBERS = words("0 1 -1 2 3 16 17 100000 4294967296 1.5f 0.5 1.0 1u 2ul 'a' 1e10f NULL true");
const DICTIONARY = [
  ...TYPES,
  ...SPACES,
  ...OPERATORS,
  ...BRACKETS,
  ...KEYWORDS,
  ...NUMBERS,
  '"text"',
  '{0}',
  'x',
];

const isBlank = (token: string) => /^(?:\s|\/\/|\/\*)/.test(token);
const isWord = (token: string | undefined) => token !== undefined && /^[a-z_]\w*$/i.test(token);
const isOneOf = (list: readonly string[]) => (token: string) => list.includes(token);

/** A source as tokens; a mutation splices into `tokens` at one of `solid`, the indices of tokens that are not blank. */
class Source {
  readonly tokens: string[];
  readonly solid: number[];

  constructor(
    text: string,
    readonly chance: Chance,
  ) {
    this.tokens = text.match(TOKEN) ?? [];
    this.solid = [...this.tokens.keys()].filter((i) => !isBlank(this.tokens[i]!));
  }

  /** The index of some token that is so. */
  some(accept: (token: string) => boolean = () => true): number | undefined {
    const fitting = this.solid.filter((i) => accept(this.tokens[i]!));
    return fitting.length === 0 ? undefined : this.chance.pick(fitting);
  }

  /** Replaces some token that is in the list by another of it. */
  exchange(list: readonly string[]): boolean {
    const at = this.some(isOneOf(list));
    if (at === undefined) return false;
    this.tokens[at] = this.chance.pick(list);
    return true;
  }

  /** The indices of the first and last token of some stretch between semicolons and braces. */
  statement(): [number, number] | undefined {
    const end = this.some((token) => token === ';');
    if (end === undefined) return undefined;
    let begin = end;
    while (begin > 0 && !/^[;{}]$/.test(this.tokens[begin - 1]!) && !this.tokens[begin - 1]!.startsWith('#'))
      begin--;
    while (begin < end && isBlank(this.tokens[begin]!)) begin++;
    return [begin, end];
  }

  /** The arguments of some call or parameters of some declaration: the indices of the brackets and commas around them. */
  list(): number[] | undefined {
    const { tokens, solid } = this;
    const opening = solid.filter((i, n) => tokens[i] === '(' && n > 0 && isWord(tokens[solid[n - 1]!]));
    if (opening.length === 0) return undefined;
    const begin = this.chance.pick(opening);
    const marks = [begin];
    let depth = 0;
    for (let i = begin + 1; i < tokens.length; i++) {
      const token = tokens[i]!;
      if (depth === 0 && token === ',') marks.push(i);
      if (depth === 0 && token === ')') return [...marks, i];
      if (/^[([{]$/.test(token)) depth++;
      else if (/^[)\]}]$/.test(token)) depth--;
    }
    return undefined;
  }
}

/** Each changes the source and returns whether it found a place. */
const MUTATIONS: Readonly<Record<string, (source: Source) => boolean>> = {
  delete: ({ tokens, solid, chance }) => {
    tokens[chance.pick(solid)] = ' ';
    return true;
  },
  duplicate: ({ tokens, solid, chance }) => {
    const at = chance.pick(solid);
    tokens[at] += ` ${tokens[at]}`;
    return true;
  },
  swap: ({ tokens, solid, chance }) => {
    if (solid.length < 2) return false;
    const n = chance.integer(0, solid.length - 2);
    const [a, b] = [solid[n]!, solid[n + 1]!];
    [tokens[a], tokens[b]] = [` ${tokens[b]!}`, `${tokens[a]!} `];
    return true;
  },
  'replace by its like': ({ tokens, solid, chance }) => {
    tokens[chance.pick(solid)] = tokens[chance.pick(solid)]!;
    return true;
  },
  'replace by any': ({ tokens, solid, chance }) => {
    tokens[chance.pick(solid)] = chance.pick(DICTIONARY);
    return true;
  },
  'insert its like': ({ tokens, solid, chance }) => {
    tokens[chance.pick(solid)] += ` ${tokens[chance.pick(solid)]!} `;
    return true;
  },
  'insert any': ({ tokens, solid, chance }) => {
    tokens[chance.pick(solid)] += ` ${chance.pick(DICTIONARY)} `;
    return true;
  },
  'other name': (source) => {
    const [at, other] = [source.some(isWord), source.some(isWord)];
    if (at === undefined || other === undefined) return false;
    source.tokens[at] = source.tokens[other]!;
    return true;
  },
  'misspelled name': (source) => {
    const at = source.some((token) => isWord(token) && !KEYWORDS.includes(token));
    if (at === undefined) return false;
    source.tokens[at] += 'z';
    return true;
  },
  'other type': (source) => source.exchange(TYPES),
  'other space': (source) => source.exchange(SPACES),
  'other operator': (source) => source.exchange(OPERATORS),
  'other bracket': (source) => source.exchange(BRACKETS),
  'other number': (source) => {
    const at = source.some((token) => /^\.?\d/.test(token));
    if (at === undefined) return false;
    source.tokens[at] = source.chance.pick(NUMBERS);
    return true;
  },
  'no statement': (source) => {
    const range = source.statement();
    for (let i = range?.[0] ?? 0; i <= (range?.[1] ?? -1); i++)
      source.tokens[i] = source.tokens[i]!.replace(/[^\n]/g, '');
    return range !== undefined;
  },
  'statement twice': (source) => {
    const range = source.statement();
    if (!range) return false;
    const [begin, end] = range;
    source.tokens[end] += source.tokens
      .slice(begin, end + 1)
      .join('')
      .replace(/\n/g, ' ');
    return true;
  },
  'argument gone': (source) => {
    const marks = source.list();
    if (!marks || marks.length < 3) return false;
    const n = source.chance.integer(1, marks.length - 2);
    for (let i = marks[n]!; i < marks[n + 1]!; i++)
      source.tokens[i] = source.tokens[i]!.replace(/[^\n]/g, '');
    return true;
  },
  'argument twice': (source) => {
    const marks = source.list();
    if (!marks) return false;
    const n = source.chance.integer(0, marks.length - 2);
    const text = source.tokens.slice(marks[n]! + 1, marks[n + 1]).join('');
    source.tokens[marks[n + 1]!] = `, ${text.replace(/\n/g, ' ')}${source.tokens[marks[n + 1]!]}`;
    return true;
  },
};

export const mutationNames = Object.keys(MUTATIONS);

/** The text with one mistake in it, of the kind that is returned with it. The same for the same seed. */
export function mutate(text: string, seed: number): { readonly kind: string; readonly text: string } {
  const chance = new Chance(seed);
  for (;;) {
    const source = new Source(text, chance);
    if (source.solid.length === 0) return { kind: 'nothing', text };
    const kind = chance.pick(mutationNames);
    if (!MUTATIONS[kind]!(source)) continue;
    const mutated = source.tokens.join('');
    if (mutated !== text) return { kind, text: mutated };
  }
}
