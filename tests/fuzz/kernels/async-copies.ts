// SPDX-License-Identifier: MIT
//
// Random kernels of asynchronous copies between global and local memory, also strided ones, of elements of all types. Several are under way at
// a time, with events of their own or one for several, and are waited for one by one or together, in loops and branches of the whole group,
// and a loop ahead of where their data is used. Work-items read and change local memory in between. A model copies bytes at once.
import { Draft } from './draft';
import { PARAMETERS, type RandomKernel, RESULTS } from './model';
import { invocationWords } from './words';

/** Parts of local memory, and of what a group owns of `out`. A copy has its parts for itself until it is waited for. */
const PARTS = { local: 4, global: 3 } as const;
const PART = 128;
const WORDS = PART / 4;
/** Where in a group's elements of `out` the work-items' results begin. */
const RESULT = (PARTS.global * PART) / 8;
const BASES = { char: 1, uchar: 1, short: 2, ushort: 2, int: 4, uint: 4, float: 4, long: 8, ulong: 8, double: 8 } as const; // biome-ignore format: a table
const COUNTS = [1, 1, 2, 3, 4, 8, 16] as const;

/** A group's memory. */
interface State {
  readonly group: number;
  readonly input: Uint8Array;
  readonly local: Uint8Array;
  readonly global: Uint8Array;
  readonly hashes: Uint32Array;
  /** The iteration of the loop around. */
  i: number;
}

interface Step {
  readonly text: string;
  readonly run: (state: State) => void;
}

class Copies extends Draft {
  readonly busy = { local: new Set<number>(), global: new Set<number>() };
  readonly events: { readonly name: string; readonly parts: readonly [number, number | undefined][] }[] = [];
  declarations = '';
  depth = 0;
  inLoop = false;

  constructor(seed: number) {
    super(seed ^ 0xa51c);
  }
}

const free = (w: Copies, space: 'local' | 'global'): number[] =>
  Array.from({ length: PARTS[space] }, (_, i) => i).filter((part) => !w.busy[space].has(part));

const NOTHING: Step = { text: '', run: () => undefined };
const BARRIER = 'barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);';

// ---- copies

/** Starts a copy, with a new event or that of copies under way. */
function start(w: Copies, indent: string): Step {
  const { chance } = w;
  const [locals, globals] = [free(w, 'local'), free(w, 'global')];
  if (locals.length === 0) return NOTHING;
  const base = chance.pick(Object.keys(BASES) as (keyof typeof BASES)[]);
  const count = chance.pick(COUNTS);
  const size = BASES[base] * (count === 3 ? 4 : count);
  const type = count === 1 ? base : `${base}${count}`;
  const part = chance.pick(locals);
  const isInput = globals.length === 0 || chance.with(0.5);
  const outPart = isInput ? undefined : chance.pick(globals);
  const toLocal = isInput || chance.with(0.4);
  const room = isInput ? 1024 : PART;
  const isStrided = chance.with(0.4);
  const stride = isStrided ? chance.integer(1, 5) : 1;
  const most = Math.min(Math.floor(PART / size), Math.floor((room / size - 1) / stride) + 1);
  const many = chance.with(0.05) ? 0 : chance.integer(1, most);
  const span = many === 0 ? 0 : ((many - 1) * stride + 1) * size;
  const offset = (limit: number) => chance.integer(0, Math.floor((limit - span) / size));
  const at = offset(room);
  const localAt = chance.integer(0, Math.floor(PART / size) - many);
  // In a loop another place in each iteration.
  const step = w.inLoop && isInput && span > 0 && (at * size + span + 3 * size <= room) ? 1 : 0; // biome-ignore format: long
  const moves = step ? ' + i' : chance.with(0.3) ? ' + (n - 5)' : '';
  const there = `(global ${type} *)(${isInput ? 'in' : `own + ${(outPart! * PART) / 8}`}) + ${at}${moves}`;
  const here = `(local ${type} *)memory[${part}] + ${localAt}`;
  const known = w.events.filter(({ name }) => name !== '');
  const joined = known.length > 0 && chance.with(0.3) ? chance.pick(known) : undefined;
  const name = joined?.name ?? w.fresh('e');
  if (!joined) w.declarations += `  event_t ${name};\n`;
  const source = isInput && toLocal ? there.replace('(global ', '(global const ') : there;
  const operands = [
    toLocal ? here : source,
    toLocal ? source : here,
    chance.pick([`${many}`, `${many} + (n - 5)`]),
  ];
  const call = isStrided
    ? `async_work_group_strided_copy(${operands.join(', ')}, ${stride}, ${joined ? name : '0'})`
    : `async_work_group_copy(${operands.join(', ')}, ${joined ? name : '0'})`;
  w.busy.local.add(part);
  if (outPart !== undefined) w.busy.global.add(outPart);
  w.events.push({ name, parts: [[part, outPart]] });
  return {
    text: `${indent}${name} = ${call};\n`,
    run: ({ input, local, global, i }) => {
      const [far, base] = isInput ? [input, 0] : [global, outPart! * PART];
      for (let k = 0; k < many; k++) {
        const a = base + (at + (step ? i : 0) + k * stride) * size;
        const b = part * PART + (localAt + k) * size;
        if (toLocal) local.set(far.subarray(a, a + size), b);
        else far.set(local.subarray(b, b + size), a);
      }
    },
  };
}

/** Waits for some copies, or all. */
function wait(w: Copies, indent: string, all = false): Step {
  const { chance } = w;
  const names = [...new Set(w.events.map(({ name }) => name))];
  if (names.length === 0) return NOTHING;
  const chosen = all ? names : names.filter(() => chance.with(0.6));
  if (chosen.length === 0) chosen.push(names[0]!);
  for (const each of w.events.filter(({ name }) => chosen.includes(name)))
    for (const [part, outPart] of each.parts) {
      w.busy.local.delete(part);
      if (outPart !== undefined) w.busy.global.delete(outPart);
    }
  const left = w.events.filter(({ name }) => !chosen.includes(name));
  w.events.splice(0, w.events.length, ...left);
  if (chance.with(0.3))
    return {
      text: chosen.map((name) => `${indent}wait_group_events(1, &${name});\n`).join(''),
      run: () => undefined,
    };
  const list = w.fresh('list');
  return {
    text: `${indent}{ event_t ${list}[${chosen.length}] = { ${chosen.join(', ')} }; wait_group_events(${chosen.length}, ${list}); }\n`,
    run: () => undefined,
  };
}

// ---- what work-items do

/** Reads what has been copied, without a barrier after the wait. */
function use(w: Copies, indent: string): Step {
  const parts = free(w, 'local');
  if (parts.length === 0) return NOTHING;
  const part = w.chance.pick(parts);
  const [by, k] = [w.chance.integer(1, 7), w.chance.integer(0, 31)];
  return {
    text: `${indent}h = h * 31 + ((local uint *)memory[${part}])[(lid * ${by} + ${k}) % ${WORDS}]; ${BARRIER}\n`,
    run: ({ local, hashes }) => {
      const words = new Uint32Array(local.buffer, part * PART, WORDS);
      hashes.forEach((h, lid) => {
        hashes[lid] = Math.imul(h, 31) + words[(lid * by + k) % WORDS]!;
      });
    },
  };
}

/** Changes local memory. */
function change(w: Copies, indent: string): Step {
  const parts = free(w, 'local');
  if (parts.length === 0) return NOTHING;
  const part = w.chance.pick(parts);
  const k = w.chance.integer(1, 9);
  return {
    text: `${indent}${BARRIER} for (uint j = lid; j < ${WORDS}; j += LS) ((local uint *)memory[${part}])[j] = ((local uint *)memory[${part}])[j] * 3 + j + ${k}; ${BARRIER}\n`,
    run: ({ local }) => {
      const words = new Uint32Array(local.buffer, part * PART, WORDS);
      words.forEach((word, j) => {
        words[j] = Math.imul(word, 3) + j + k;
      });
    },
  };
}

function prefetched({ chance }: Copies, indent: string): Step {
  const call = chance.pick(['prefetch(in + lid, 4)', 'prefetch((global const float4 *)in, 8)', 'prefetch(fin, (size_t)n)', 'prefetch((global const uchar *)in + 3, 7)']); // biome-ignore format: a list
  return { text: `${indent}${chance.with(0.3) ? 'if (lid & 1) ' : ''}${call};\n`, run: () => undefined };
}

// ---- control flow of the group

const inSequence = (steps: readonly Step[]): Step => ({
  text: steps.map(({ text }) => text).join(''),
  run: (state) => {
    for (const { run } of steps) run(state);
  },
});

/** Steps that wait for what they start, while copies from before may go on. */
function body(w: Copies, indent: string): Step {
  const outer = w.events.splice(0);
  w.depth++;
  const steps = Array.from({ length: w.chance.integer(2, 5) }, () => step(w, indent));
  steps.push(wait(w, indent, true), use(w, indent));
  w.depth--;
  w.events.push(...outer);
  return inSequence(steps);
}

function branch(w: Copies, indent: string): Step {
  const [bit, isElse] = [w.chance.integer(0, 1), w.chance.with(0.5)];
  const first = body(w, `${indent}  `);
  const second = isElse ? body(w, `${indent}  `) : NOTHING;
  return {
    text: `${indent}if ((get_group_id(0) & 1) == ${bit}) {\n${first.text}${indent}}${isElse ? ` else {\n${second.text}${indent}}` : ''}\n`,
    run: (state) => ((state.group & 1) === bit ? first : second).run(state),
  };
}

function loop(w: Copies, indent: string): Step {
  if (w.inLoop) return branch(w, indent);
  const times = w.chance.integer(1, 3);
  w.inLoop = true;
  const inside = body(w, `${indent}  `);
  w.inLoop = false;
  return {
    text: `${indent}for (uint i = 0; i < ${times} + (n - 5); i++) {\n${inside.text}${indent}}\n`,
    run: (state) => {
      for (state.i = 0; state.i < times; state.i++) inside.run(state);
      state.i = 0;
    },
  };
}

/** Copies the next data while the last is used, with two events in an array. */
function ahead(w: Copies, indent: string): Step {
  const parts = free(w, 'local');
  if (parts.length < 2) return NOTHING;
  const [a, b] = [parts[0]!, parts[1]!];
  const times = w.chance.integer(1, 5);
  const stride = w.chance.integer(1, 3);
  const words = w.chance.integer(1, 16);
  const e = w.fresh('e');
  const copied = (i: string) =>
    `async_work_group_strided_copy((local uint *)memory[(${i}) & 1 ? ${b} : ${a}], in + (${i}) * ${words}, ${words}, ${stride}, 0)`;
  return {
    text: `${indent}{ event_t ${e}[2]; ${e}[0] = ${copied('0')}; for (uint q = 0; q < ${times}; q++) { if (q + 1 < ${times}) ${e}[(q + 1) & 1] = ${copied('q + 1')}; wait_group_events(1, &${e}[q & 1]); h = h * 5 + ((local uint *)memory[q & 1 ? ${b} : ${a}])[lid % ${words}]; ${BARRIER} } }\n`,
    run: ({ input, local, hashes }) => {
      const from = new Uint32Array(input.buffer);
      for (let q = 0; q < times; q++) {
        const to = new Uint32Array(local.buffer, (q & 1 ? b : a) * PART, WORDS);
        for (let k = 0; k < words; k++) to[k] = from[q * words + k * stride]!;
        hashes.forEach((h, lid) => {
          hashes[lid] = Math.imul(h, 5) + to[lid % words]!;
        });
      }
    },
  };
}

type Form = (w: Copies, indent: string) => Step;
const SIMPLE: readonly Form[] = [start, start, start, start, wait, wait, use, change, prefetched];
const FORMS: readonly Form[] = [...SIMPLE, branch, loop, loop, ahead];

function step(w: Copies, indent: string): Step {
  w.budget--;
  return w.chance.pick(w.depth > 2 || w.budget < 0 ? SIMPLE : FORMS)(w, indent);
}

export function randomAsyncCopies(seed: number): RandomKernel {
  const w = new Copies(seed);
  const { chance } = w;
  const steps: Step[] = [];
  while (w.budget > 0) steps.push(step(w, '  '));
  steps.push(wait(w, '  ', true), ...Array.from({ length: PARTS.local }, () => use(w, '  ')));
  const { text, run } = inSequence(steps);
  const local = chance.pick([16, 24, 13, 32]);
  const groups = chance.integer(1, 3);
  const source = `kernel void fuzz(${PARAMETERS}) {
  local ulong memory[${PARTS.local}][${PART / 8}] __attribute__((aligned(128)));
  const uint lid = get_local_id(0), LS = get_local_size(0);
  global ulong *own = out + get_group_id(0) * LS * ${RESULTS.out};
  uint h = lid;
${w.declarations}  for (uint j = lid; j < ${(PARTS.local * PART) / 8}; j += LS) memory[j / ${PART / 8}][j % ${PART / 8}] = j * 0x100000003ul;
  for (uint j = lid; j < ${RESULT}; j += LS) own[j] = j * 0x300000001ul;
  ${BARRIER}
  // statements
${text}  own[${RESULT} + lid] = h;
}
`;
  const expected = new BigUint64Array(local * groups * RESULTS.out);
  for (let group = 0; group < groups; group++) {
    const mine = expected.subarray(group * local * RESULTS.out, (group + 1) * local * RESULTS.out);
    const memory = BigUint64Array.from(
      { length: (PARTS.local * PART) / 8 },
      (_, j) => BigInt(j) * 0x100000003n,
    );
    for (let j = 0; j < RESULT; j++) mine[j] = BigInt(j) * 0x300000001n;
    const hashes = Uint32Array.from({ length: local }, (_, lid) => lid);
    run({
      group,
      input: new Uint8Array(invocationWords().buffer),
      local: new Uint8Array(memory.buffer),
      global: new Uint8Array(expected.buffer, mine.byteOffset, mine.byteLength),
      hashes,
      i: 0,
    });
    hashes.forEach((h, lid) => {
      mine[RESULT + lid] = BigInt(h);
    });
  }
  return { source, global: [local * groups, 1, 1], local: [local, 1, 1], expected };
}
