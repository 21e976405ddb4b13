// SPDX-License-Identifier: MIT
//
// Runs that count: executions of lines, branches and functions, with vectors of work-items and without; cache lines and conflicts of
// banks.
import { type Coverage, type KernelValue, local, OpenCLError, openSync, type Session } from '../../ts';
import { LaunchWrites } from '../../ts/backend/software/proofs/launch-writes';
import { compile } from '../../ts/compiler/compile';
import { encode } from '../../ts/spirv/encode';
import { GROUP_SUMS } from '../helpers/group-kernels';

const SOURCE = `
float twice(float x) {
  if (x > 2)                                 // line 3
    return x * 2;
  return x;                                  // line 5
}
kernel void branches(global float *a, int n) {
  int i = get_global_id(0);                  // line 8
  float s = 0;
  for (int j = 0; j < n; j++) {              // line 10
    if (a[i] > j)                            // line 11
      s += twice(a[i]);                      // line 12
    else
      s -= j;                                // line 14
  }
  switch (i % 4) {                           // line 16
    case 1: s += 1;                          // line 17, falls through
    case 2: s += 2; break;                   // line 18
    case 3: return;                          // line 19
    default: s *= twice(i);                  // line 20
  }
  do s /= 2; while (s > 1000);               // line 22
  a[i] = s;
}
kernel void unused(global int *a) {
  a[0] = 1;                                  // line 26
}
kernel void uneven(global int *a) {
  int n = 0;
  while (n < get_global_id(0) + get_global_id(1))
    n++;                                     // line 31
  a[get_global_id(1) * get_global_size(0) + get_global_id(0)] = n;
}
kernel void transpose(global const float *in, global float *out) {
  local float tile[32][32];
  int x = get_local_id(0), y = get_local_id(1);
  tile[y][x] = in[y * 32 + x];               // line 37
  barrier(CLK_LOCAL_MEM_FENCE);
  out[y * 32 + x] = tile[x][y];              // line 39
}
kernel void columns(global const float *in, global float *out) {
  out[get_global_id(0)] = in[get_global_id(0) * 16];  // line 42
}
kernel void same(global const float *in, global float *out, local float *t) {
  t[get_local_id(0)] = in[0];                // line 45
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[0];              // line 47
}
${GROUP_SUMS}
kernel void races(global float *out, local float *t) {
  int l = get_local_id(0);
  t[l] = l;
  out[get_global_id(0)] = t[(l + 1) % (int)get_local_size(0)];
}
`;

const sessions: Session[] = [];
const opened = (options: Parameters<typeof openSync>[0]) => {
  const session = openSync({ device: 'software', ...options });
  sessions.push(session);
  return session;
};
afterAll(() => {
  for (const session of sessions) session.close();
});

async function covered(
  session: Session,
  source: string | Uint8Array,
  name: string,
  range: { global: number[]; local?: number[] },
  ...args: KernelValue[]
): Promise<Coverage> {
  const program = typeof source === 'string' ? await session.build(source) : await session.build(source);
  const kernel = program.createKernel(name);
  kernel.setArgs(...args);
  const event = session.queue.enqueueNDRange(kernel, range);
  await event;
  return event.coverage!;
}

const linesOf = ({ lines }: Coverage) => Object.fromEntries(lines.map(({ line, count }) => [line, count]));

/** What `branches` does, counted by hand in JavaScript. */
function expected(values: readonly number[], n: number) {
  const lines: Record<number, number> = {};
  const hit = (line: number, times = 1) => {
    lines[line] = (lines[line] ?? 0) + times;
  };
  const ways = { 3: [0, 0], 10: [0, 0], 11: [0, 0], 16: [0, 0, 0, 0], 22: [0, 0] };
  const choose = (line: keyof typeof ways, way: number) => ways[line][way]!++;
  const twice = (x: number) => {
    hit(3);
    choose(3, x > 2 ? 0 : 1);
    hit(x > 2 ? 4 : 5);
    return x > 2 ? x * 2 : x;
  };
  for (const [i, value] of values.entries()) {
    hit(8);
    let s = 0;
    for (let j = 0; j < n; j++) {
      hit(10);
      choose(10, 0);
      hit(11);
      choose(11, value > j ? 0 : 1);
      hit(value > j ? 12 : 14);
      s += value > j ? twice(value) : -j;
    }
    hit(10);
    choose(10, 1);
    hit(16);
    choose(16, i % 4);
    if (i % 4 === 3) {
      hit(19);
      continue;
    }
    if (i % 4 === 1) hit(17);
    if (i % 4 > 0) hit(18);
    if (i % 4 === 1) s += 1;
    if (i % 4 > 0) s += 2;
    else {
      hit(20);
      s *= twice(i);
    }
    do {
      s = Math.fround(s / 2);
      hit(22);
      choose(22, s > 1000 ? 0 : 1);
    } while (s > 1000);
    hit(23);
  }
  return { lines, ways };
}

describe.each([{}, { robust: true }, { check: 'all' as const }, { coverage: 'memory' as const }])(
  'executions, opened with %j',
  (options) => {
    const session = opened({ coverage: true, ...options });
    const n = 5;
    // Not a multiple of any vector's length.
    const values = Array.from({ length: 1003 }, (_, i) => (i * 7) % 11);
    let coverage: Coverage;

    beforeAll(async () => {
      const buffer = session.buffer(Float32Array.from(values));
      coverage = await covered(session, SOURCE, 'branches', { global: [values.length] }, buffer, n);
    });

    test('lines', () => {
      const { lines } = expected(values, n);
      const counts = linesOf(coverage);
      for (const [line, count] of Object.entries(lines))
        expect([line, counts[Number(line)]]).toEqual([line, count]);
      // Of the other kernels.
      expect(counts[26]).toBe(0);
    });

    test('branches', () => {
      const { ways } = expected(values, n);
      const counts = coverage.branches.map(({ place, taken }) => [place?.line, taken]);
      expect(counts).toEqual(
        expect.arrayContaining(Object.entries(ways).map(([line, taken]) => [Number(line), taken])),
      );
    });

    test('functions, inlined ones too', () => {
      const calls = expected(values, n).lines[3];
      const counts = Object.fromEntries(coverage.functions.map(({ name, count }) => [name, count]));
      expect(counts).toMatchObject({ twice: calls, branches: values.length, unused: 0, uneven: 0 });
    });

    test('accesses', () => {
      const { lines } = expected(values, n);
      const loads = lines[11]! + lines[12]!;
      expect(coverage.accesses).toEqual([
        { space: 'global', access: 'load', count: loads, bytes: 4 * loads },
        { space: 'global', access: 'store', count: lines[23], bytes: 4 * lines[23]! },
      ]);
      expect(coverage.instructions).toMatchObject({ memory: loads + lines[23]!, call: lines[3], atomic: 0 });
    });
  },
);

test('lanes leave a loop at different iterations, in two dimensions', async () => {
  const session = opened({ coverage: true });
  const [width, height] = [37, 5];
  const buffer = session.buffer(Int32Array, width * height);
  const coverage = await covered(session, SOURCE, 'uneven', { global: [width, height] }, buffer);
  let sum = 0;
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) sum += x + y;
  const counts = linesOf(coverage);
  expect([counts[30], counts[31], counts[32]]).toEqual([sum + width * height, sum, width * height]);
});

test.each(['sums', 'races'])('a checked first group that stands for all: %s', async (name) => {
  const begin = jest.spyOn(LaunchWrites.prototype, 'begin');
  const [groups, items] = [16, 32];
  const range = { global: [groups * items], local: [items] };
  const counted = (session: Session) => {
    const input = name === 'sums' ? [session.buffer(new Float32Array(groups * items))] : [];
    const out = session.buffer(Float32Array, groups * items);
    return covered(session, SOURCE, name, range, ...input, out, local(items * 4));
  };
  const expected = await counted(opened({ coverage: true }));
  expect(expected.functions.find((each) => each.name === name)!.count).toBe(groups * items);
  expect(begin).not.toHaveBeenCalled();
  const session = opened({ coverage: true, check: 'all' });
  for (let round = 0; round < 2; round++) expect(await counted(session)).toEqual(expected);
  expect(begin).toHaveBeenCalled();
  begin.mockRestore();
});

test('a module without lines is counted by function and block', async () => {
  const { module } = compile({ name: 'k.cl', text: SOURCE, options: '' });
  const session = opened({ coverage: true });
  const buffer = session.buffer(new Int32Array(64));
  const coverage = await covered(session, encode(module!), 'uneven', { global: [64] }, buffer);
  expect(coverage.lines).toEqual([]);
  const { blocks } = coverage.functions.find(({ name }) => name === 'uneven')!;
  expect(blocks[0]).toBe(64);
  expect([...blocks].sort((a, b) => a - b)).toEqual([64, 64, (64 * 63) / 2, (64 * 63) / 2 + 64]);
});

test('only sessions that ask for it count, and only the software device can', async () => {
  const session = opened({});
  const program = await session.build(SOURCE);
  const kernel = program.createKernel('unused');
  kernel.setArgs(session.buffer(Int32Array, 1));
  const event = session.queue.enqueueNDRange(kernel, { global: [1] });
  await event;
  expect(event.coverage).toBeUndefined();
  expect(() => openSync({ device: 'software', coverage: 'lines' as never })).toThrow(OpenCLError);
});

describe('what accesses cost', () => {
  const session = opened({ coverage: 'memory' });
  const memoryOf = async (
    ...args: Parameters<typeof covered> extends [unknown, unknown, ...infer R] ? R : never
  ) =>
    (await covered(session, SOURCE, ...args)).memory!.map(
      ({ place, access, object, requests, lines, leastLines, conflicts }) => [
        place?.line,
        access,
        object,
        { requests, lines, leastLines, conflicts },
      ],
    );
  const floats = (length: number) => session.buffer(Float32Array.from({ length }, (_, i) => i));

  test('a column of local memory is in one bank', async () => {
    const range = { global: [32, 32], local: [32, 32] };
    expect(await memoryOf('transpose', range, floats(1024), floats(1024))).toEqual([
      [37, 'load', 'in', { requests: 32, lines: 64, leastLines: 64, conflicts: 0 }],
      [37, 'store', 'tile', { requests: 32, lines: 0, leastLines: 0, conflicts: 0 }],
      [39, 'load', 'tile', { requests: 32, lines: 0, leastLines: 0, conflicts: 32 * 31 }],
      [39, 'store', 'out', { requests: 32, lines: 64, leastLines: 64, conflicts: 0 }],
    ]);
  });

  test('each work-item reads from a cache line of its own', async () => {
    const range = { global: [64], local: [64] };
    expect(await memoryOf('columns', range, floats(1024), floats(64))).toEqual([
      [42, 'load', 'in', { requests: 2, lines: 64, leastLines: 4, conflicts: 0 }],
      [42, 'store', 'out', { requests: 2, lines: 4, leastLines: 4, conflicts: 0 }],
    ]);
  });

  test('what all work-items read is delivered at once', async () => {
    const range = { global: [64], local: [32] };
    expect(await memoryOf('same', range, floats(1), floats(64), local(128))).toEqual([
      [45, 'load', 'in', { requests: 2, lines: 2, leastLines: 2, conflicts: 0 }],
      [45, 'store', 't', { requests: 2, lines: 0, leastLines: 0, conflicts: 0 }],
      [47, 'load', 't', { requests: 2, lines: 0, leastLines: 0, conflicts: 0 }],
      [47, 'store', 'out', { requests: 2, lines: 4, leastLines: 4, conflicts: 0 }],
    ]);
  });
});
