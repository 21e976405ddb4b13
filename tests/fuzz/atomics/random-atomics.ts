// SPDX-License-Identifier: MIT
//
// Random kernels whose work-items change the same memory by atomic operations, and meet at barriers: results do not depend on the order.
// Each is a list of phases with a barrier after each. The model runs them item after item.
import { Chance } from '../chance';
import { type Cells, FLOAT_LOOPS, joined, operation, randomCells, TYPES, wrapped } from './cells';
import { constant, type Expression, expression, INPUTS, type Item } from './expressions';

export interface AtomicsProgram {
  readonly source: string;
  readonly global: number;
  readonly local: number;
  readonly input: Uint32Array;
  readonly cells: readonly Cells[];
  /** The contents of each array; those in local memory of group after group. */
  readonly expected: readonly (readonly bigint[])[];
  /** What each work-item has seen. */
  readonly hashes: Uint32Array;
}

/** The state of a run of the model. */
interface State {
  /** By array: the cells, of group after group in local memory. */
  readonly contents: bigint[][];
  readonly hashes: Uint32Array;
  readonly local: number;
}

interface Statement {
  readonly text: string;
  readonly run: (state: State, item: Item) => void;
}

/** All work-items of a group: barriers are between phases. */
interface Phase {
  readonly text: string;
  readonly run: (state: State, items: readonly Item[]) => void;
}

const HASH = 31;
const hashed = (state: State, item: Item, value: number) => {
  state.hashes[item.gid] = Math.imul(state.hashes[item.gid]!, HASH) + value;
};
const BARRIER = '  barrier(CLK_LOCAL_MEM_FENCE);\n';

export function randomAtomics(seed: number): AtomicsProgram {
  const chance = new Chance(seed);
  const local = chance.pick([1, 2, 5, 8, 16, 16, 32, 33, 64, 128]);
  const groups = chance.integer(1, chance.with(0.2) ? 40 : 6);
  const input = Uint32Array.from({ length: INPUTS }, () =>
    chance.integer(0, chance.pick([9, 255, 0xffffffff])),
  );
  const cells = Array.from({ length: chance.integer(2, 5) }, (_, i) =>
    randomCells(chance, `c${i}`, chance.pick(['global', 'local'])),
  );
  const writer = new Writer(chance, cells, local);
  const phases = [writer.changes(), ...Array.from({ length: chance.integer(0, 5) }, () => writer.phase())];
  const state: State = {
    contents: cells.map(({ space, count, initial }) =>
      Array.from({ length: space === 'local' ? count * groups : count }, () => initial),
    ),
    hashes: new Uint32Array(local * groups),
    local,
  };
  for (let group = 0; group < groups; group++) {
    const items = Array.from({ length: local }, (_, lid) => ({
      gid: group * local + lid,
      lid,
      group,
      input,
      loops: [],
    }));
    for (const phase of phases) phase.run(state, items);
  }
  return {
    source: sourceOf(chance, cells, local, writer.functions, phases),
    global: local * groups,
    local,
    input,
    cells,
    expected: state.contents,
    hashes: state.hashes,
  };
}

/** Old values of exchanges and tickets are known but for their order. */
const hasSum = ({ kind }: Cells) => kind === 'exchange' || kind === 'ticket';

/**
 * The sum of the old values that the operations on an array have returned; undefined where it depends on the order. `found`: what the
 * array contains. Each value of exchanges is an old value once, but for the last one, which is found.
 */
export function sumOfOld(program: AtomicsProgram, i: number, found: readonly bigint[]): bigint | undefined {
  const contents = program.expected[i]!;
  const add = (numbers: readonly bigint[]) => numbers.reduce((sum, n) => sum + n, 0n);
  switch (program.cells[i]!.kind) {
    case 'ticket':
      return BigInt.asUintN(64, add(contents.map((n) => (n * (n - 1n)) / 2n)));
    case 'exchange':
      return BigInt.asUintN(64, add(contents) - add(found));
    default:
      return undefined;
  }
}

function sourceOf(
  chance: Chance,
  cells: readonly Cells[],
  local: number,
  functions: string,
  phases: readonly Phase[],
): string {
  const inLocal = cells.filter(({ space }) => space === 'local');
  const parameters = cells.map(
    ({ name, type, space }) => `global ${type} *${space === 'local' ? `out_${name}` : name}`,
  );
  const declarations = inLocal
    .map(({ name, type, count }) => `  local ${type} ${name}[${count}];\n`)
    .join('');
  const each = ({ count }: Cells, body: string) =>
    `  for (uint i = lid; i < ${count}u; i += ${local}u) ${body};\n`;
  const start = inLocal.map((c) => each(c, `${c.name}[i] = ${literal(c)}`)).join('');
  const end = inLocal.map((c) => each(c, `out_${c.name}[group * ${c.count}u + i] = ${c.name}[i]`)).join('');
  const size = chance.with(0.3) ? `__attribute__((reqd_work_group_size(${local}, 1, 1))) ` : '';
  return `#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
${FLOAT_LOOPS}${functions}
${size}kernel void fuzz(global const uint *in, global uint *hashes, global ulong *sums, ${parameters.join(', ')}) {
  const uint gid = get_global_id(0), lid = get_local_id(0), group = get_group_id(0);
  uint hash = 0;
${cells.map((_, i) => `  ulong sum${i} = 0;\n`).join('')}  local uint shared[${local}];
${declarations}${start}${BARRIER}${phases.map(({ text }) => text).join(BARRIER)}${BARRIER}${end}  hashes[gid] = hash;
${cells.map((_, i) => `  sums[gid * ${cells.length}u + ${i}u] = sum${i};\n`).join('')}}
`;
}

function literal({ type, initial }: Cells): string {
  if (type === 'float') return `${initial}.0f`;
  return `(${type})${BigInt.asUintN(64, initial)}UL`;
}

class Writer {
  functions = '';
  private variables = 0;

  constructor(
    private readonly chance: Chance,
    private readonly cells: readonly Cells[],
    private readonly local: number,
  ) {}

  /** `isInner`: in a loop of phases. */
  phase(isInner = false): Phase {
    const roll = this.chance.random();
    if (!isInner && roll > 0.8) return this.repeated();
    if (roll < 0.2) return this.handOver();
    if (roll < 0.4) return this.collective();
    if (roll < 0.55) return this.look();
    return this.changes();
  }

  changes(): Phase {
    const statements = this.statements(this.chance.integer(1, 3), 0, 0);
    return {
      text: statements.map(({ text }) => text).join(''),
      run: (state, items) => {
        for (const item of items) for (const statement of statements) statement.run(state, item);
      },
    };
  }

  /** Phases in a loop, or a branch, that all work-items of the group take alike. */
  private repeated(): Phase {
    const { chance } = this;
    const phases = Array.from({ length: chance.integer(1, 3) }, () => this.phase(true));
    const times = expression(chance, 0, true);
    const t = `t${this.variables++}`;
    const body = phases.map(({ text }) => text + BARRIER).join('');
    const isLoop = chance.with(0.7);
    return {
      text: isLoop
        ? `  for (uint ${t} = 0; ${t} < (${times.text} & 3u); ${t}++) {\n${body}  }\n`
        : `  if (${times.text} & 1u) {\n${body}  }\n`,
      run: (state, items) => {
        const count = times.value(items[0]!) & (isLoop ? 3 : 1);
        for (let n = 0; n < count; n++) for (const phase of phases) phase.run(state, items);
      },
    };
  }

  /** A value for another work-item of the group. */
  private handOver(): Phase {
    const { chance, local } = this;
    const value = expression(chance, 0);
    const step = chance.integer(0, local - 1);
    const other = chance.pick([
      { text: `(lid + ${step}u) % ${local}u`, of: (lid: number) => (lid + step) % local },
      { text: `${local - 1}u - lid`, of: (lid: number) => local - 1 - lid },
      { text: `${step}u`, of: () => step },
    ]);
    return {
      text: `  shared[lid] = ${value.text};\n${BARRIER}  hash = hash * ${HASH}u + shared[${other.text}];\n`,
      run: (state, items) => {
        for (const item of items) hashed(state, item, value.value(items[other.of(item.lid)]!));
      },
    };
  }

  private collective(): Phase {
    const { chance, local } = this;
    const value = expression(chance, 0);
    const from = chance.integer(0, local - 1);
    const sum = (values: readonly number[]) => values.reduce((a, b) => (a + b) >>> 0, 0);
    const [text, of] = chance.pick<readonly [string, (values: number[], lid: number) => number]>([
      [`work_group_reduce_add(${value.text})`, (values) => sum(values)],
      [`work_group_reduce_max(${value.text})`, (values) => Math.max(...values)],
      [`work_group_scan_inclusive_add(${value.text})`, (values, lid) => sum(values.slice(0, lid + 1))],
      [`work_group_scan_exclusive_add(${value.text})`, (values, lid) => sum(values.slice(0, lid))],
      [
        `work_group_scan_inclusive_min(${value.text})`,
        (values, lid) => Math.min(...values.slice(0, lid + 1)),
      ],
      [`work_group_broadcast(${value.text}, ${from}u)`, (values) => values[from]!],
      [
        `(uint)(work_group_any((int)(${value.text} & 8u)) != 0)`,
        (values) => (values.some((n) => n & 8) ? 1 : 0),
      ],
      [
        `(uint)(work_group_all((int)(${value.text} & 1u)) != 0)`,
        (values) => (values.every((n) => n & 1) ? 1 : 0),
      ],
    ]);
    return {
      text: `  hash = hash * ${HASH}u + ${text};\n`,
      run: (state, items) => {
        const values = items.map((item) => value.value(item));
        for (const item of items) hashed(state, item, of(values, item.lid));
      },
    };
  }

  /** Reads what the group has in local memory: between barriers nobody changes it. */
  private look(): Phase {
    const { chance, cells } = this;
    const known = cells.flatMap((each, i) => (each.space === 'local' && each.kind !== 'exchange' ? [i] : []));
    if (known.length === 0) return this.handOver();
    const i = chance.pick(known);
    const { name, count, type } = cells[i]!;
    const place = expression(chance, 0);
    const read = `${name}[${place.text} & ${count - 1}u]`;
    return {
      text: `  hash = hash * ${HASH}u + ${type === 'float' ? `(uint)(int)${read}` : `(uint)${read}`};\n`,
      run: (state, items) => {
        for (const item of items) {
          const at = (place.value(item) & (count - 1)) >>> 0;
          const value = state.contents[i]![item.group * count + at]!;
          hashed(state, item, Number(BigInt.asUintN(32, value)));
        }
      },
    };
  }

  private statements(count: number, depth: number, loops: number): Statement[] {
    return Array.from({ length: count }, () => this.statement(depth, loops));
  }

  private statement(depth: number, loops: number): Statement {
    const { chance } = this;
    if (depth === 2 || chance.with(0.5)) return this.atomic(loops);
    const inner = () => this.statements(chance.integer(1, 2), depth + 1, loops);
    const textOf = (list: readonly Statement[]) => list.map(({ text }) => text).join('');
    const condition = expression(chance, loops, chance.with(0.3));
    if (chance.with(0.5)) {
      const [yes, no] = [inner(), chance.with(0.5) ? inner() : []];
      return {
        text: `  if (${condition.text} & 1u) {\n${textOf(yes)}  } else {\n${textOf(no)}  }\n`,
        run: (state, item) => {
          for (const each of condition.value(item) & 1 ? yes : no) each.run(state, item);
        },
      };
    }
    const times = expression(chance, loops, chance.with(0.4));
    const leaves = chance.with(0.3) ? expression(chance, loops + 1) : constant(0);
    const body = this.statements(chance.integer(1, 2), depth + 1, loops + 1);
    const most = loops === 0 ? chance.pick([3, 7, 15]) : 3;
    const j = `j${loops}`;
    return {
      text: `  for (uint ${j} = 0; ${j} < (${times.text} & ${most}u); ${j}++) {\n${textOf(body)}  if (${leaves.text} & 1u) break;\n  }\n`,
      run: (state, item) => {
        const end = (times.value(item) & most) >>> 0;
        for (let n = 0; n < end; n++) {
          item.loops[loops] = n;
          for (const each of body) each.run(state, item);
          item.loops[loops] = n;
          if (leaves.value(item) & 1) break;
        }
      },
    };
  }

  private atomic(loops: number): Statement {
    const { chance, cells } = this;
    const i = chance.integer(0, cells.length - 1);
    const cell = cells[i]!;
    const { type, space, count } = cell;
    const place = expression(chance, loops, chance.with(0.3));
    const given = expression(chance, loops, chance.with(0.2));
    const index = `${place.text} & ${count - 1}u`;
    const value = givenValue(chance, cell, given);
    const pointer = chance.with(0.2) ? 'generic' : space;
    let call: string;
    if (pointer === 'generic') {
      const name = `change${this.variables++}`;
      const inside = operation(chance, { ...cell, name: 'p' }, '0', 'x', 'generic');
      this.functions += `${type} ${name}(volatile ${type} *p, ${type} x) { return ${inside}; }\n`;
      call = `${name}(&${cell.name}[${index}], ${value.text})`;
    } else call = operation(chance, cell, index, value.text, space);
    const isSummed = hasSum(cell);
    const text = isSummed
      ? `sum${i} += (ulong)${type === 'float' ? '(long)' : ''}${call};`
      : chance.with(0.5)
        ? `${call};`
        : `{ ${type} old = ${call}; if (old == (${type})77) hash += 0u; }`;
    return {
      text: `  ${text}\n`,
      run: (state, item) => {
        const at = ((place.value(item) & (count - 1)) >>> 0) + (space === 'local' ? item.group * count : 0);
        const own = value.value(item);
        const contents = state.contents[i]!;
        contents[at] = joined(cell, contents[at]!, own);
      },
    };
  }
}

/** A value of the cells' type. */
function givenValue(
  chance: Chance,
  { type, kind }: Cells,
  given: Expression,
): { readonly text: string; readonly value: (item: Item) => bigint } {
  // Sums of floats must be exact.
  const most = kind === 'add' ? 3 : 63;
  if (type === 'float')
    return {
      text: `(float)(int)(${given.text} & ${most}u)`,
      value: (item) => BigInt(given.value(item) & most),
    };
  if (TYPES[type].bits === 32)
    return { text: `(${type})${given.text}`, value: (item) => wrapped(type, BigInt(given.value(item))) };
  const factor = chance.pick([1n, 0x100000001n, 0x8000000000000000n, 0x123456789abn]);
  return {
    text: `(${type})((ulong)${given.text} * ${factor}UL)`,
    value: (item) => wrapped(type, BigInt(given.value(item)) * factor),
  };
}
