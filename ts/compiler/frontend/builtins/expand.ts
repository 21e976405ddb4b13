// SPDX-License-Identifier: MIT
//
// From rows to overloads: reads a row's signature and fills in its variables.
import { invariant } from '../../../base/invariant';
import { scalarSize } from '../scalars';
import {
  type AddressSpace,
  atomicOf,
  type ImageKind,
  imageOf,
  opaqueOf,
  pointerTo,
  type ScalarKind,
  scalarOf,
  type Type,
  type VectorType,
  VOID,
  vectorOf,
} from '../types';
import type { ResolvedBuiltin } from './builtin';
import type { Row } from './row';

export interface Overload {
  readonly builtin: ResolvedBuiltin;
  readonly when: string | undefined;
  /** The requirements of the overload's types. */
  readonly half: boolean;
  readonly double: boolean;
  readonly generic: boolean;
}

type Values = readonly (string | number)[];

const SIGNED = ['char', 'short', 'int', 'long'];
const UNSIGNED = ['uchar', 'ushort', 'uint', 'ulong'];
const INTEGERS = ['char', 'uchar', 'short', 'ushort', 'int', 'uint', 'long', 'ulong'];
const FLOATS = ['float', 'double', 'half'];

const VARIABLES: Readonly<Record<string, Values>> = {
  F: FLOATS,
  S: SIGNED,
  U: UNSIGNED,
  I: INTEGERS,
  A: [...INTEGERS, ...FLOATS],
  n: [1, 2, 3, 4, 8, 16],
  m: [1, 2, 3, 4, 8, 16],
  v: [2, 3, 4, 8, 16],
  P: ['private', 'local', 'global', 'generic'],
  Q: ['private', 'local', 'global', 'constant', 'generic'],
  W: ['global', 'local', 'generic'],
  L: ['global', 'local'],
};
const SPACES = new Set(['private', 'local', 'global', 'constant', 'generic']);
const OPAQUE = new Set(['sampler_t', 'event_t', 'queue_t', 'clk_event_t', 'reserve_id_t', 'ndrange_t']);
const bitsOf = (scalar: string) => scalarSize(scalar as ScalarKind) * 8;
const signedOf = (bits: number) => SIGNED[Math.log2(bits) - 3]!;
const unsignedOf = (bits: number) => UNSIGNED[Math.log2(bits) - 3]!;

const WORD = /^(@?)([surw]?)([FSUIAT])([nmv]|\d+)?$/;
const CONCRETE = /^(@?)(bool|u?(?:char|short|int|long)|half|float|double)([nmv]|\d+)?$/;

/** A parsed type of a signature. */
interface Term {
  readonly pointer: boolean;
  /** A space or a space variable. */
  readonly space: string;
  readonly const: boolean;
  readonly volatile: boolean;
  readonly atomic: boolean;
  /** s, u, r or w before a variable. */
  readonly derive: string;
  /** A variable, a scalar kind, or another type's name. */
  readonly base: string;
  readonly isVariable: boolean;
  /** A width (1 for a scalar), or a width variable. */
  readonly width: number | string;
  readonly access: string;
}

interface Signature {
  readonly result: Term;
  readonly parameters: readonly Term[];
  readonly variadic: boolean;
  readonly domains: readonly (readonly [variable: string, values: Values])[];
}

const terms = new Map<string, Term>();

function termOf(text: string): Term {
  let term = terms.get(text);
  if (term === undefined) {
    term = readTerm(text);
    terms.set(text, term);
  }
  return term;
}

function readTerm(text: string): Term {
  const pointer = text.endsWith('*');
  const words = (pointer ? text.slice(0, -1) : text).split(' ');
  const name = words.pop()!;
  let [space, access] = ['private', ''];
  for (const word of words) {
    if (SPACES.has(word) || (word.length === 1 && 'PQWL'.includes(word))) space = word;
    else if (word.endsWith('_only') || word === 'read_write') access = word;
  }
  const variable = WORD.exec(name);
  const concrete = variable === null ? CONCRETE.exec(name) : null;
  const [atomic, base, width] =
    variable !== null
      ? [variable[1], variable[3]!, variable[4]]
      : concrete !== null
        ? [concrete[1], concrete[2]!, concrete[3]]
        : ['', name, undefined];
  return {
    pointer,
    space,
    const: words.includes('const'),
    volatile: words.includes('volatile'),
    atomic: atomic === '@',
    derive: variable?.[2] ?? '',
    base,
    isVariable: variable !== null || name === 'X',
    width: width === undefined ? 1 : isNumber(width) ? Number(width) : width,
    access,
  };
}

/** Whether a text begins with a digit. */
const isNumber = (text: string): boolean => text[0]! >= '0' && text[0]! <= '9';

function readSignature(text: string): Signature {
  const clauses = text.split('; ');
  const prototype = clauses.pop()!;
  const open = prototype.indexOf('(');
  const list = prototype.slice(open + 1, -1);
  const words = list === '' ? [] : list.split(', ');
  const variadic = words.at(-1) === '...';
  if (variadic) words.pop();
  const result = termOf(prototype.slice(0, open));
  const parameters = words.map(termOf);
  const narrowed = new Map(
    clauses.map((clause) => {
      const [variable = '', values = ''] = clause.split(' in ');
      return [variable, values.split(' ').map((v) => (isNumber(v) ? Number(v) : v))] as const;
    }),
  );
  const domains = new Map<string, Values>();
  const use = (variable: string) => {
    const values = narrowed.get(variable) ?? VARIABLES[variable];
    invariant(values !== undefined, `no values for ${variable} in ${text}`);
    domains.set(variable, values);
  };
  const all = [...parameters, result];
  for (const term of all) if (term.isVariable) use(term.base);
  for (const term of all) if (typeof term.width === 'string') use(term.width);
  for (const term of all) if (term.pointer && term.space.length === 1) use(term.space);
  return { result, parameters, variadic, domains: [...domains] };
}

type Bindings = Map<string, string | number>;

/** One overload's flags while its types are constructed. */
interface Flags {
  half: boolean;
  double: boolean;
  generic: boolean;
}

function scalarName(term: Term, bindings: Bindings, width: number): string {
  if (!term.isVariable) return term.base;
  const name = bindings.get(term.base) as string;
  if (term.derive === '') return name;
  const bits = bitsOf(name);
  if (term.derive === 's') return signedOf(bits);
  if (term.derive === 'u') return unsignedOf(bits);
  if (term.derive === 'w') return SIGNED.includes(name) ? signedOf(2 * bits) : unsignedOf(2 * bits);
  return width === 1 ? 'int' : signedOf(bits);
}

function valueType(term: Term, bindings: Bindings, addressBits: 32 | 64, flags: Flags): Type {
  if (term.access !== '') {
    const kind = term.base === 'X' ? (bindings.get('X') as string) : term.base;
    return imageOf(kind as ImageKind, term.access as 'read_only' | 'write_only' | 'read_write');
  }
  if (term.base === 'void') return VOID;
  if (OPAQUE.has(term.base) || term.base.startsWith('intel_sub_group_avc_'))
    return opaqueOf(term.base as 'event_t');
  if (term.base === 'size_t' || term.base === 'uintptr_t')
    return scalarOf(addressBits === 32 ? 'uint' : 'ulong');
  if (term.base === 'ptrdiff_t' || term.base === 'intptr_t')
    return scalarOf(addressBits === 32 ? 'int' : 'long');
  const width = typeof term.width === 'number' ? term.width : (bindings.get(term.width) as number);
  const name = scalarName(term, bindings, width);
  // Every version has `half *`, but not half values.
  if (name === 'half' && (term.isVariable || !term.pointer)) flags.half = true;
  if (name === 'double') flags.double = true;
  const scalar = scalarOf(name as ScalarKind);
  if (term.atomic) return atomicOf(scalar);
  return width === 1 ? scalar : vectorOf(scalar.scalar, width as VectorType['count']);
}

function typeOf(term: Term, bindings: Bindings, addressBits: 32 | 64, flags: Flags): Type {
  const type = valueType(term, bindings, addressBits, flags);
  if (!term.pointer) return type;
  const space = (bindings.get(term.space) ?? term.space) as AddressSpace;
  if (space === 'generic') flags.generic = true;
  return pointerTo({ type, const: term.const, volatile: term.volatile, restrict: false, space }, space);
}

/** All overloads of `name` that `row` declares. */
export function expand(name: string, row: Row, addressBits: 32 | 64): Overload[] {
  const signature = readSignature(row.signature);
  const lowering = row.lowering(name);
  const overloads: Overload[] = [];
  const bindings: Bindings = new Map();
  const bind = (index: number): void => {
    const domain = signature.domains[index];
    if (domain !== undefined) {
      for (const value of domain[1]) {
        bindings.set(domain[0], value);
        bind(index + 1);
      }
      return;
    }
    const flags: Flags = { half: false, double: false, generic: false };
    // Cached, because most signatures repeat a type.
    let [last, type]: [Term | undefined, Type] = [undefined, VOID];
    const bound = (term: Term): Type => {
      if (term !== last) [last, type] = [term, typeOf(term, bindings, addressBits, flags)];
      return type;
    };
    const parameters = signature.parameters.map(bound);
    const result = bound(signature.result);
    overloads.push({
      builtin: { name, result, parameters, variadic: signature.variadic, lowering },
      when: row.when,
      ...flags,
    });
  };
  bind(0);
  return overloads;
}
