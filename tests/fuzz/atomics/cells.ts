// SPDX-License-Identifier: MIT
//
// Memory that work-items change together. The operations of one array commute, so that its contents do not depend on the order.
import type { Chance } from '../chance';

export const TYPES = {
  int: { bits: 32, signed: true, array: Int32Array },
  uint: { bits: 32, signed: false, array: Uint32Array },
  long: { bits: 64, signed: true, array: BigInt64Array },
  ulong: { bits: 64, signed: false, array: BigUint64Array },
  float: { bits: 32, signed: true, array: Float32Array },
} as const;
export type CellType = keyof typeof TYPES;

/** What happens to the cells of an array. */
export const KINDS = ['add', 'min', 'max', 'and', 'or', 'xor', 'exchange', 'ticket'] as const;
export type Kind = (typeof KINDS)[number];

export interface Cells {
  readonly name: string;
  readonly space: 'global' | 'local';
  readonly type: CellType;
  readonly kind: Kind;
  /** A power of two. */
  readonly count: number;
  readonly initial: bigint;
}

/** In the bits of a type. Floats are whole numbers, small enough to be exact. */
export const wrapped = (type: CellType, value: bigint): bigint =>
  type === 'float'
    ? value
    : TYPES[type].signed
      ? BigInt.asIntN(TYPES[type].bits, value)
      : BigInt.asUintN(TYPES[type].bits, value);

export function joined({ type, kind }: Cells, a: bigint, b: bigint): bigint {
  switch (kind) {
    case 'min':
      return a < b ? a : b;
    case 'max':
      return a > b ? a : b;
    case 'and':
      return wrapped(type, a & b);
    case 'or':
      return wrapped(type, a | b);
    case 'xor':
      return wrapped(type, a ^ b);
    case 'ticket':
      return wrapped(type, a + 1n);
    case 'exchange':
      // All values that were ever there.
      return a + b;
    default:
      return wrapped(type, a + b);
  }
}

export function randomCells(chance: Chance, name: string, space: Cells['space']): Cells {
  const type = chance.pick(Object.keys(TYPES) as CellType[]);
  const kinds = type === 'float' ? (['add', 'min', 'max', 'exchange'] as const) : KINDS;
  const kind = chance.pick(kinds);
  const count = kind === 'ticket' || kind === 'exchange' ? 1 : chance.pick([1, 1, 2, 4, 16]);
  const some = BigInt(chance.integer(0, 1000)) - 500n;
  const initial =
    kind === 'ticket'
      ? 0n
      : kind === 'and'
        ? wrapped(type, -1n)
        : type === 'float'
          ? some
          : wrapped(type, some * 0x10001n);
  return { name, space, type, kind, count, initial };
}

const ORDERS = ['relaxed', 'acquire', 'release', 'acq_rel', 'seq_cst'];
const SCOPES = {
  global: ['device', 'all_svm_devices', 'all_devices'],
  local: ['work_group', 'device', 'all_svm_devices', 'all_devices'],
};
const ONE_X = {
  add: 'add',
  min: 'min',
  max: 'max',
  and: 'and',
  or: 'or',
  xor: 'xor',
  exchange: 'xchg',
  ticket: 'add',
} as const;

/** How a pointer to a cell is written: generic ones may be to either space. */
export type Pointer = Cells['space'] | 'generic';

/** One atomic operation: its text, whose value is the old one. */
export function operation(
  chance: Chance,
  cells: Cells,
  place: string,
  value: string,
  pointer: Pointer,
): string {
  const { type, kind, space } = cells;
  const at = `&${cells.name}[${place}]`;
  const qualifiers = pointer === 'generic' ? '' : `${pointer} `;
  const isFloat = type === 'float';
  const atomic = `(volatile ${qualifiers}atomic_${type} *)(${at})`;
  const explicit = `memory_order_${chance.pick(ORDERS)}, memory_scope_${chance.pick(SCOPES[space])}`;
  const isShort = chance.with(0.3);
  const forms: string[] = [];
  const prefix = TYPES[type].bits === 64 ? 'atom' : 'atomic';
  const plain = `(volatile ${qualifiers}${type} *)(${at})`;
  if (pointer !== 'generic' && (!isFloat || kind === 'exchange')) {
    const name = `${prefix}_${ONE_X[kind]}`;
    if (kind === 'ticket') forms.push(`${prefix}_inc(${plain})`, `${name}(${plain}, 1)`);
    else forms.push(`${name}(${plain}, ${value})`);
    if (kind === 'add') forms.push(`${prefix}_sub(${plain}, (${type})-(${value}))`);
  }
  const given = kind === 'ticket' ? '1' : value;
  const verb = kind === 'exchange' ? 'exchange' : `fetch_${ONE_X[kind]}`;
  if (isFloat && kind !== 'exchange')
    forms.push(`by_exchange_${kind}_${pointer}((volatile ${qualifiers}uint *)(${at}), ${value})`);
  if (!isFloat || kind === 'exchange' || pointer !== 'generic')
    forms.push(
      isShort
        ? `atomic_${verb}(${atomic}, ${given})`
        : `atomic_${verb}_explicit(${atomic}, ${given}, ${explicit})`,
    );
  if (!isFloat && kind === 'add' && !isShort)
    forms.push(`atomic_fetch_sub_explicit(${atomic}, (${type})-(${value}), ${explicit})`);
  return chance.pick(forms);
}

const LOOPS = { add: 'f + x', min: 'fmin(f, x)', max: 'fmax(f, x)' };

/** Operations on floats by compare and exchange, in the ways of OpenCL C 1.x and 2.0. */
export const FLOAT_LOOPS = (['global', 'local', 'generic'] as const)
  .flatMap((pointer) =>
    Object.entries(LOOPS).map(([kind, joinedText]) => {
      const space = pointer === 'generic' ? '' : `${pointer} `;
      const head = `float by_exchange_${kind}_${pointer}(volatile ${space}uint *p, float x) {\n`;
      if (pointer === 'generic')
        return `${head}  uint old = atomic_load_explicit((volatile atomic_uint *)p, memory_order_relaxed);
  for (;;) {
    float f = as_float(old);
    if (atomic_compare_exchange_weak((volatile atomic_uint *)p, &old, as_uint(${joinedText}))) return f;
  }
}\n`;
      return `${head}  for (;;) {
    uint old = *p;
    float f = as_float(old);
    if (atomic_cmpxchg(p, old, as_uint(${joinedText})) == old) return f;
  }
}\n`;
    }),
  )
  .join('');
