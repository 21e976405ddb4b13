// SPDX-License-Identifier: MIT
//
// What printf returns: 0, and -1 once the buffer is full.
import { open, type Session } from '../../ts';
import { NodeHost } from '../../ts/host/node/node-host';

jest.setTimeout(60_000);

let lines = 0;
const write = jest.spyOn(NodeHost.prototype, 'writeOut').mockImplementation((bytes) => {
  for (const byte of bytes) if (byte === 10) lines++;
});
let session: Session;
beforeAll(async () => {
  session = await open({ device: 'software' });
});
afterAll(() => {
  session.close();
  write.mockRestore();
});

/** More records than there is room for, of 12 bytes each. */
const MANY = 1 << 19;

async function results(source: string, items: number, local?: number): Promise<Int32Array> {
  const { kernels } = await session.build(source);
  const out = session.buffer(new Int32Array(items).fill(7));
  lines = 0;
  await Object.values(kernels)[0]!.run({ global: items, ...(local ? { local } : {}) }, out);
  const values = await out.read();
  out.release();
  return values;
}

const count = (values: Int32Array, wanted: number) => values.filter((value) => value === wanted).length;

const KERNELS: readonly (readonly [name: string, source: string, local: number | undefined])[] = [
  [
    'directly',
    'kernel void f(global int *out) { size_t i = get_global_id(0); out[i] = printf("%d\\n", (int)i); }',
    undefined,
  ],
  [
    'in a branch',
    `kernel void f(global int *out) {
      size_t i = get_global_id(0);
      int r = -1;
      if (i * 2654435761u & 1024) r = printf("%d\\n", (int)i); else r = printf("%f\\n", (float)i);
      out[i] = r;
    }`,
    undefined,
  ],
  [
    'in a loop that work-items leave at different iterations',
    `kernel void f(global int *out) {
      size_t i = get_global_id(0);
      int r = 5;
      for (uint n = 0; n < (i & 1); n++) r = printf("%d\\n", (int)i);
      out[i] = r == 5 ? printf("%d\\n", (int)i) : r;
    }`,
    undefined,
  ],
  [
    'before a barrier',
    `kernel void f(global int *out) {
      size_t i = get_global_id(0);
      int r = printf("%d\\n", (int)i);
      barrier(CLK_LOCAL_MEM_FENCE);
      out[i] = r;
    }`,
    64,
  ],
  [
    'of nothing that varies',
    'kernel void f(global int *out) { int r = printf("%d\\n", 3); out[get_global_id(0)] = r; }',
    undefined,
  ],
];

test.each(KERNELS)('used %s: 0', async (_, source, local) => {
  expect(count(await results(source, 192, local), 0)).toBe(192);
  expect(lines).toBe(192);
  expect(count(await results(source, 1, local && 1), 0)).toBe(1);
});

test.each(KERNELS)('used %s: -1 where nothing was printed', async (_, source, local) => {
  const values = await results(source, MANY, local);
  const printed = count(values, 0);
  expect(printed).toBeGreaterThan(200_000);
  expect(count(values, -1)).toBe(MANY - printed);
  // The last line is the note.
  expect(lines - printed).toBeLessThanOrEqual(1);
});

test('in one work-item', async () => {
  const values = await results(
    `kernel void f(global int *out) {
      int failed = 0, good = 0;
      for (int i = 0; i < ${MANY}; i++) if (printf("%d\\n", i) < 0) failed++; else good++;
      out[0] = failed;
      out[1] = good;
    }`,
    2,
    2,
  );
  expect(values[0]! + values[1]!).toBe(MANY);
  expect(values[0]).toBeGreaterThan(0);
});
