// SPDX-License-Identifier: MIT
//
// Objects in local memory that all groups access alike need no checks after the first group, in launches that are checked as a whole
// (docs/adr/0040-first-group-for-all.md). With the check of loops, nothing is left out: random kernels have the same faults with it.
import { local, openSync, type Session } from '../../ts';
import { Chance } from '../fuzz/chance';

const GROUP = 8;
const GROUPS = 4;
const ITEMS = GROUP * GROUPS;
/** Words of the kernel's memory: of the argument, and of the variable. */
const WORDS = 16;

const HEAD = `kernel void k(global const int *data, global const int *more, global int *order, global int *out, local int *t, int n) {
  local int u[${WORDS}];
  int l = get_local_id(0), g = get_group_id(0), x = get_global_id(0), v = data[x], w = 1;
`;
const TAIL = `
  order[v & ${ITEMS - 1}] = w + v;
  out[data[x] & ${ITEMS - 1}] = w;
}`;

let sessions: Readonly<Record<'all' | 'loops', Session>>;
beforeAll(() => {
  sessions = {
    all: openSync({ device: 'software', check: 'all' }),
    loops: openSync({ device: 'software', check: ['all', 'loops'] }),
  };
});
afterAll(() => {
  for (const session of Object.values(sessions)) session.context.release();
});

/** The faults' kinds and lines, in order, without numbers. */
async function faultsOf(
  session: Session,
  source: string,
  data: Int32Array,
  isWritten = true,
): Promise<string[]> {
  const program = session.buildSync(source);
  const more = session.buffer(Int32Array, ITEMS);
  await more.write(new Int32Array(isWritten ? ITEMS : ITEMS - GROUP));
  const [order, out] = [session.buffer(new Int32Array(ITEMS)), session.buffer(new Int32Array(ITEMS))];
  const kernel = program.kernels['k']!;
  kernel.setArgs(session.buffer(data), more, order, out, local(4 * WORDS), 3);
  const event = session.queue.enqueueNDRange(kernel, { global: ITEMS, local: GROUP });
  await event;
  const places = event.faults.flatMap(({ kind, place, other }) => [
    `${kind} ${[place?.line, other?.place?.line].sort().join()}`,
  ]);
  program.release();
  return [...new Set(places)].sort();
}

/** Statements, and the faults of the later groups; the first one has none. */
const KERNELS: Readonly<Record<string, readonly [statements: string, ...faults: string[]]>> = {
  'a compaction': [
    `t[l] = v & 1; barrier(CLK_LOCAL_MEM_FENCE);
     for (int i = 1; i < 8; i *= 2) {
       int a = l >= i ? t[l - i] : 0; barrier(CLK_LOCAL_MEM_FENCE);
       t[l] += a; barrier(CLK_LOCAL_MEM_FENCE);
     }
     if (v & 1) w = t[l];`,
  ],
  'bytes without contents, of a buffer': [
    `t[l] = more[x]; barrier(CLK_LOCAL_MEM_FENCE);
     w = t[7 - l]; if (w > 2) w = 3;`,
    'uninitialized 5,',
    'uninitialized 6,',
  ],
  'bytes without contents, of a variable': [
    `int q; if (g < 3) q = l;
     t[l] = q; barrier(CLK_LOCAL_MEM_FENCE);
     if (t[7 - l] > 2) w = 3;`,
    'uninitialized 6,',
  ],
  'an index outside': [
    `t[l] = v; barrier(CLK_LOCAL_MEM_FENCE);
     w = t[g < 3 ? l : l + 40];`,
    'out-of-bounds 5,',
  ],
  'a race of the last group': [`t[l] = v; if (g == 3) w = t[7 - l];`, 'race 4,4', 'uninitialized 5,'],
  'a barrier of sub-groups that the last group does not reach': [
    `t[l] = v; if (g < 3) sub_group_barrier(CLK_LOCAL_MEM_FENCE);
     w = t[l ^ 1];`,
    'race 4,5',
  ],
  'a write that is missing': [
    `if (g != 3) t[l] = v; barrier(CLK_LOCAL_MEM_FENCE);
     if (t[l] > 4) w = 2;`,
    'uninitialized 5,',
  ],
  'a race in other memory': [
    `t[l] = v; barrier(CLK_LOCAL_MEM_FENCE);
     w = t[7 - l]; order[g > 2 ? 0 : x] = w + v;`,
    'race 5,5',
  ],
};

test.each(Object.entries(KERNELS))('%s', async (_, [statements, ...faults]) => {
  const source = `${HEAD}${statements}
     out[x] = w;
}`;
  const data = Int32Array.from({ length: ITEMS }, (_, i) => i);
  expect(await faultsOf(sessions.all, source, data, false)).toEqual(faults);
  expect(await faultsOf(sessions.loops, source, data, false)).toEqual(faults);
});

/** A permutation, so that nothing but local memory has a race. */
function permutation(chance: Chance): Int32Array {
  const data = Int32Array.from({ length: ITEMS }, (_, i) => i);
  for (let i = ITEMS - 1; i > 0; i--) {
    const j = chance.integer(0, i);
    [data[i], data[j]] = [data[j]!, data[i]!];
  }
  return data;
}

/** Barriers between statements: some do not order accesses, or only those of some groups. */
const BARRIERS = [
  ['barrier'],
  ['barrier'],
  ['barrier', 'sub_group_barrier', 'if (g < 3) sub_group_barrier', 'if (g == 2) sub_group_barrier'],
] as const;

function statement(chance: Chance, barriers: readonly string[]): string {
  const index = () =>
    chance.with(0.6)
      ? 'l'
      : chance.pick([
          ...[
            'l + 8',
            '7 - l',
            'l ^ 1',
            'v & 7',
            'v & 15',
            '(l + n) & 7',
            'l + 4 * g',
            'l + g / 3',
            'v / 2',
            'l + v / 29',
          ],
        ]);
  const array = () => chance.pick(['t', 't', 'u']);
  const when = () =>
    chance.pick([
      ...['', '', 'if (l < n) ', 'if (v & 1) ', 'if (g < 3) ', 'if (v < 20) ', 'if (g == 2) ', 'if (x > 4) '],
    ]);
  const barrier = chance.with(0.8) ? ` ${chance.pick(barriers)}(CLK_LOCAL_MEM_FENCE);` : '';
  return (
    chance.pick([
      () => `${when()}${array()}[${index()}] = v;`,
      () => `${array()}[l] = 1;`,
      () => `${when()}w += ${array()}[${index()}];`,
      () => `${when()}w += ${array()}[${index()}];`,
      () => `${when()}${array()}[l] = ${array()}[${index()}];`,
      () => `for (int i = 0; i < n; i++) ${when()}w += ${array()}[${index()}];`,
      () => `for (int i = 0; i < v; i++) w += ${array()}[i & 7];`,
      () => `{ int q; ${when()}q = 2; ${array()}[l] = q; }`,
      () => `${array()}[l] = more[x];`,
    ])() + barrier
  );
}

test('random kernels have the same faults as with the check of loops', async () => {
  const chance = new Chance(1717);
  let [faulty, silent] = [0, 0];
  for (let round = 0; round < 14; round++) {
    const barriers = chance.pick(BARRIERS);
    const lines = Array.from({ length: chance.integer(2, 5) }, () => `  ${statement(chance, barriers)}`);
    if (chance.with(0.8))
      lines.unshift('  t[l] = 1; t[l + 8] = 2; u[l] = v; u[l + 8] = v;', '  barrier(CLK_LOCAL_MEM_FENCE);');
    const source = `${HEAD}${lines.join('\n')}${TAIL}`;
    const data = permutation(chance);
    const isWritten = chance.with(0.7);
    const expected = await faultsOf(sessions.loops, source, data, isWritten);
    const found = await faultsOf(sessions.all, source, data, isWritten);
    if (found.join() !== expected.join())
      throw new Error(`${found.join('; ')}\n instead of ${expected.join('; ')}\n${source}\n${data.join()}`);
    if (found.length > 0) faulty++;
    else silent++;
  }
  // Both happen often enough to mean something.
  expect(faulty).toBeGreaterThan(1);
  expect(silent).toBeGreaterThan(1);
});
