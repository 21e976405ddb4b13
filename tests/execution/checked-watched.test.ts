// SPDX-License-Identifier: MIT
//
// Checked launches that run watched code (docs/adr/0048-watched-launches.md): without a conflict they have no report; with one, nothing
// of them is left, and they run again with checks.
import { type KernelValue, openSync, type Session } from '../../ts';
import { WatchHistory } from '../../ts/backend/software/programs/watch-history';

const SIDE = 24;

/** By type: a value that is stored where the element before it is read by all. */
const TYPES = [
  'char',
  'ushort',
  'int',
  'long',
  'float',
  'double',
  'short3',
  'float4',
  'struct pair',
] as const;
const nameOf = (type: string) => type.replace(' ', '_');

const SOURCE = `
struct pair { int a; char b; long c; };
kernel void floyd(global int *d, int n, int k) {
  int x = get_global_id(0), y = get_global_id(1);
  int direct = d[y * n + x], through = d[y * n + k] + d[k * n + x];
  if (through < direct) d[y * n + x] = through;                   // line 6
}
kernel void fill(global const int *when, global int *out, global int *marks) {
  int x = get_global_id(0);
  out[x] = marks[3];
  if (when[x]) marks[x] = x;                                      // line 11
}
kernel void prints(global const int *when, global int *marks) {
  int x = get_global_id(0), first = marks[0];
  if (when[x]) marks[x] = first;
  if (x == 5) printf("once %d\\n", first);
}
kernel void copy(global const int *in, global int *out) { out[get_global_id(0)] = in[get_global_id(0)]; }
${TYPES.map(
  (type) => `kernel void of_${nameOf(type)}(global const int *when, global ${type} *d, global ${type} *out) {
  int x = get_global_id(0);
  ${type} given = d[2];
  out[x] = given;
  if (when[x]) d[x] = d[x + 64];
}`,
).join('\n')}`;

type Kernels = ReturnType<Session['buildSync']>['kernels'];
let session: Session;
let kernels: Kernels;

beforeAll(() => {
  session = openSync({ device: 'software', check: 'all' });
  kernels = session.buildSync(SOURCE).kernels;
});
afterAll(() => session.close());
afterEach(() => jest.restoreAllMocks());

/** The reports of a launch, and for each watched launch whether it had a conflict. */
async function launched(
  kernel: Kernels[string],
  global: readonly number[],
  ...args: KernelValue[]
): Promise<{ reports: string[]; conflicts: boolean[] }> {
  const conflicts: boolean[] = [];
  const note = jest.spyOn(WatchHistory.prototype, 'note').mockImplementation((_, has) => conflicts.push(has));
  const event = session.queue.enqueueNDRange(kernel.setArgs(...args), { global });
  await event;
  note.mockRestore();
  return { reports: event.faults.map(({ text }) => text), conflicts };
}

test('shortest paths in place: no conflict, no report', async () => {
  const { floyd } = kernels;
  const first = Int32Array.from({ length: SIDE * SIDE }, (_, i) => (i * 7919) % 1000);
  const expected = first.slice();
  const d = session.buffer(first);
  for (let k = 0; k < SIDE; k++) {
    const found = await launched(floyd!, [SIDE, SIDE], d, SIDE, k);
    expect(found).toEqual({ reports: [], conflicts: [false] });
    for (let y = 0; y < SIDE; y++)
      for (let x = 0; x < SIDE; x++) {
        const through = expected[y * SIDE + k]! + expected[k * SIDE + x]!;
        expected[y * SIDE + x] = Math.min(expected[y * SIDE + x]!, through);
      }
  }
  expect([...d.readSync()]).toEqual([...expected]);
});

test('a negative way to a node itself is a race, at the place of the store', async () => {
  const { floyd } = kernels;
  const first = new Int32Array(SIDE * SIDE).fill(100);
  first[5 * SIDE + 5] = -1;
  const d = session.buffer(first);
  const mayTry = jest.spyOn(WatchHistory.prototype, 'mayTry');
  const launch = async (isWatched: boolean) => {
    mayTry.mockReturnValue(isWatched);
    await d.write(first);
    const { reports, conflicts } = await launched(floyd!, [SIDE, SIDE], d, SIDE, 5);
    // A worker's first launch finds more races before its checks know the pairs that race.
    const texts = reports.map((text) => text.replace(/at least \d+ times/, 'at least … times'));
    return { reports: texts, conflicts, left: [...(await d.read())] };
  };
  const checked = await launch(false);
  expect(checked.conflicts).toEqual([]);
  expect(checked.reports.join('\n')).toMatch(/6:\d+: .*\[race\]/);
  expect(await launch(true)).toEqual({ ...checked, conflicts: [true] });
});

test.each(TYPES)('each byte that is stored is seen: %s', async (type) => {
  const kernel = kernels[`of_${nameOf(type)}`]!;
  const bytes = 24 * 128;
  const contents = Uint8Array.from({ length: 16 * bytes }, (_, i) => (i * 31) % 100);
  for (const at of [0, 1, 2, 3, 31]) {
    const when = new Int32Array(64);
    when[at] = 1;
    const d = session.buffer(contents);
    const { reports, conflicts } = await launched(
      kernel,
      [64],
      session.buffer(when),
      d,
      session.buffer(Uint8Array, bytes),
    );
    expect(conflicts).toEqual([at === 2]);
    expect(reports.length > 0).toBe(at === 2);
    const size =
      { char: 1, ushort: 2, int: 4, long: 8, float: 4, double: 8, short3: 8, float4: 16 }[type as 'int'] ??
      16;
    const expected = contents.slice();
    const used = type === 'short3' ? 6 : size;
    expected.copyWithin(at * size, (at + 64) * size, (at + 64) * size + used);
    const actual = d.readSync();
    expect([...actual]).toEqual([...expected]);
  }
});

test('what a watched launch writes has contents afterwards, all else has none', async () => {
  const { fill, copy } = kernels;
  const when = session.buffer(new Int32Array(64));
  const marks = session.buffer(new Int32Array(64));
  const out = session.buffer(Int32Array, 80);
  expect(await launched(fill!, [64], when, out, marks)).toEqual({ reports: [], conflicts: [false] });
  const rest = session.buffer(Int32Array, 80);
  const { reports } = await launched(copy!, [80], out, rest);
  expect(reports).toHaveLength(1);
  expect(reports[0]).toMatch(/element 64 of 80 \[uninitialized\]/);
  expect(reports[0]).toMatch(/16 times in all/);
});

test('a kernel that prints is not watched: it prints once', async () => {
  const { prints } = kernels;
  const when = session.buffer(Int32Array.from({ length: 64 }, (_, i) => (i === 0 ? 1 : 0)));
  const found = await launched(prints!, [64], when, session.buffer(new Int32Array(64)));
  expect(found.conflicts).toEqual([]);
  expect(found.reports.join('\n')).toMatch(/\[race\]/);
});

test('after conflicts, ever more launches are checked at once', () => {
  const history = new WatchHistory();
  const tries = Array.from({ length: 40 }, () => {
    const isTried = history.mayTry('k');
    if (isTried) history.note('k', true);
    return isTried ? 1 : 0;
  });
  expect(tries.join('')).toMatch(/^10010000100000000100000000000000001/);
  while (!history.mayTry('k'));
  history.note('k', false);
  expect(history.mayTry('k') && history.mayTry('other')).toBe(true);
});
