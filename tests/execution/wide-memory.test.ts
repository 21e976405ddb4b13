// SPDX-License-Identifier: MIT
//
// The software device with 64-bit addresses: buffers above 4 GB, and one of more than that. Pages take memory when they are first
// touched, so that a test of a large buffer needs only what it touches.
import { totalmem } from 'node:os';
import { local, type OpenOptions, open, openSync, platforms, type Session } from '../../ts';
import { has64BitMemories, placement } from '../../ts/device/memory/memory';
import { testNeeding } from '../helpers/needs';

const GIGABYTE = 2 ** 30;
const there = has64BitMemories();
const wide = platforms()
  .flatMap(({ devices }) => devices)
  .find((device) => device.type === 'software' && device.info('ADDRESS_BITS') === 64);
const needed = wide ? Number(wide.info('MAX_MEM_ALLOC_SIZE')) >= 6 * GIGABYTE : false;
const testWide = testNeeding('a Node.js with memory64 and 5 GB of memory', wide !== undefined);
const testLarge = testNeeding('a Node.js with memory64 and 10 GB of memory', needed);

let cl: Session;
const { mostBelow } = placement;
beforeAll(() => {
  if (wide) cl = openSync({ device: wide.name });
});
afterAll(() => {
  if (wide) cl.close();
});
afterEach(() => {
  placement.mostBelow = mostBelow;
});

testWide('it is not the default, and says what it is', async () => {
  const usual = await open({ device: 'software' });
  if (process.env.ANYCL_TEST_ADDRESS_BITS !== '64') expect(usual.device.info('ADDRESS_BITS')).toBe(32);
  usual.close();
  expect(cl.device.name).toBe('anycl software device (64-bit)');
  expect(Number(cl.device.info('GLOBAL_MEM_SIZE'))).toBeGreaterThan(4 * GIGABYTE);
  const { sizes } = (
    await cl.build(`
    struct s { global int *p; char c; };
    kernel void sizes(global int *out) {
      out[0] = sizeof(size_t); out[1] = sizeof(struct s); out[2] = sizeof(local int *); out[3] = sizeof(ptrdiff_t);
    }`)
  ).kernels;
  const out = cl.buffer(Int32Array, 4);
  await sizes!.run({ global: 1 }, out);
  expect([...(await out.read())]).toEqual([8, 16, 8, 8]);
});

test('it is listed only where memories can have 64-bit addresses', () => {
  const large = platforms().some(({ kind, name }) => kind === 'software' && name === 'anycl (64-bit)');
  expect(large).toBe(there && totalmem() > 4 * GIGABYTE);
});

testWide('kernels take buffers below and above 4 GB', async () => {
  const { move } = (
    await cl.build(`
    kernel void move(global const uchar *from, global uchar *to, local uchar *tile) {
      size_t i = get_global_id(0), l = get_local_id(0);
      tile[l] = from[i];
      barrier(CLK_LOCAL_MEM_FENCE);
      to[i] = tile[get_local_size(0) - 1 - l];
    }`)
  ).kernels;
  const n = 1000;
  placement.mostBelow = GIGABYTE;
  const low = cl.buffer(
    Uint8Array.from({ length: n }, (_, i) => i % 251),
    { deviceAddress: true },
  );
  placement.mostBelow = 0;
  const high = cl.buffer(Uint8Array, n, { deviceAddress: true });
  const back = cl.buffer(Uint8Array, n);
  expect(high.info('DEVICE_ADDRESS_EXT') >= 2n ** 32n).toBe(true);
  await move!.run({ global: n, local: 10 }, low, high, local(10));
  await move!.run({ global: n, local: 10 }, high, back, local(10));
  expect([...(await back.read())]).toEqual([...(await low.read())]);
});

testWide('indices wrap as their types say', async () => {
  const { shift } = (
    await cl.build(`
    kernel void shift(global const int *from, global int *to, uint n, uint by, int back) {
      uint i = get_global_id(0);
      uint u = i - by;
      int s = (int)i - back;
      if (u < n) to[3 * i] = from[u];
      if (s >= 0) to[3 * i + 1] = from[s];
      to[3 * i + 2] = (from + n)[(int)i - (int)n];
    }`)
  ).kernels;
  placement.mostBelow = 0;
  const n = 77;
  const from = cl.buffer(Int32Array.from({ length: n }, (_, i) => 100 + i));
  const to = cl.buffer(new Int32Array(3 * n).fill(-1));
  await shift!.run({ global: n }, from, to, n, 5, 3);
  const expected = Array.from({ length: n }, (_, i) => [i < 5 ? -1 : 95 + i, i < 3 ? -1 : 97 + i, 100 + i]);
  expect([...(await to.read())]).toEqual(expected.flat());
});

/** Neighbours' indices wrap between them: those on the side where no element is do not access anything. */
const WRAPPING: Record<
  string,
  { readonly source: string; readonly expected: (i: number, n: number) => number }
> = {
  'unsigned, at 0': {
    source: 'uint u = i - by; if (u < n) to[i] = from[u];',
    expected: (i) => (i < 5 ? -1 : 95 + i),
  },
  'unsigned, at 0, downwards': {
    source: 'uint u = n - 1 - by - i; if (u < n) to[i] = from[u];',
    expected: (i, n) => (i > n - 6 ? -1 : 100 + n - 6 - i),
  },
  'unsigned, in steps of 3': {
    source: 'uint u = 3 * (i - by); if (u < n) to[i] = from[u];',
    expected: (i, n) => (i < 5 || 3 * (i - 5) >= n ? -1 : 100 + 3 * (i - 5)),
  },
  'unsigned, in a loop': {
    source:
      'int sum = 0; for (uint k = 0; k < 3; k++) { uint u = i - by + k; if (u < n) sum += from[u]; } to[i] = sum;',
    expected: (i, n) =>
      [0, 1, 2].reduce((sum, k) => sum + (i - 5 + k < 0 || i - 5 + k >= n ? 0 : 95 + i + k), 0),
  },
  'signed, at 0': {
    source: 'int s = (int)i - (int)by; if (s >= 0) to[i] = from[s];',
    expected: (i) => (i < 5 ? -1 : 95 + i),
  },
  'signed, at 2^31': {
    source: 'int s = (int)(i + 0x7ffffffbu); if (s > 0) to[i] = (from - 0x7ffffffbL)[s];',
    expected: (i) => (i < 5 ? 100 + i : -1),
  },
  'signed, at 2^31, downwards': {
    source: 'int s = (int)(0x80000004u - i); if (s > 0) to[i] = (from - 0x7ffffff0L + n)[s];',
    expected: (i, n) => (i < 5 || i > n + 4 ? -1 : 100 + n + 20 - i),
  },
  'bytes, of which a buffer can have more': {
    source: 'uint u = i - by; if (u < n) to[i] = ((global const uchar *)from)[4 * u];',
    expected: (i) => (i < 5 ? -1 : 95 + i),
  },
};
testWide.each(Object.entries(WRAPPING))(
  'indices that wrap between neighbours: %s',
  async (_, { source, expected }) => {
    const { shift } = (
      await cl.build(
        `kernel void shift(global const int *from, global int *to, uint n, uint by) { uint i = get_global_id(0); ${source} }`,
      )
    ).kernels;
    placement.mostBelow = 0;
    const n = 77;
    const from = cl.buffer(Int32Array.from({ length: n + 16 }, (_, i) => 100 + i));
    const to = cl.buffer(new Int32Array(n).fill(-1));
    await shift!.run({ global: n }, from, to, n, 5);
    expect([...(await to.read())]).toEqual(Array.from({ length: n }, (_, i) => expected(i, n)));
  },
);

testLarge('a buffer of 5 GB: its ends, commands across 4 GB of it, and another one beside it', async () => {
  const size = 5 * GIGABYTE;
  const buffer = cl.buffer(Uint8Array, size);
  const other = cl.buffer(Uint8Array, 3 * GIGABYTE);
  const { ends } = (
    await cl.build(`
    kernel void ends(global uchar *whole, ulong size, global uint *out) {
      uint i = get_global_id(0);
      whole[i] = i + 1;
      whole[size - 1 - i] = 2 * i + 1;
      global uint *words = (global uint *)whole;
      size_t last = size / 4 - 64;
      words[last + i] += 0x01000000u;
      out[i] = words[last + i];
      atomic_inc(&words[last - 1]);
    }`)
  ).kernels;
  const out = cl.buffer(Uint32Array, 16);
  await ends!.run({ global: 16 }, buffer, BigInt(size), out);
  expect([...(await out.read())]).toEqual(Array.from({ length: 16 }, () => 0x01000000));
  const first = await buffer.read({ offset: 0, length: 16 });
  expect([...first]).toEqual(Array.from({ length: 16 }, (_, i) => i + 1));
  const last = await buffer.read({ offset: size - 16, length: 16 });
  expect([...last]).toEqual(Array.from({ length: 16 }, (_, i) => 2 * (15 - i) + 1));
  const counter = await buffer.read({ offset: size - 65 * 4, length: 4 });
  expect([...counter]).toEqual([16, 0, 0, 0]);

  // Commands: a fill and a copy of more than typed arrays do by themselves, and a map, all across the address 2 ** 32 of the buffer.
  const around = 2 ** 32 - 8192;
  await buffer.fill(Uint8Array.of(7), { offset: around, length: 16384 });
  await buffer.copyTo(other, { offset: around, targetOffset: 2 * GIGABYTE, length: 16384 });
  expect(new Set(await other.read({ offset: 2 * GIGABYTE, length: 16384 }))).toEqual(new Set([7]));
  const mapped = await buffer.map('read-write', { offset: around + 8000, length: 400 });
  mapped.data[199] = 9;
  await mapped.unmap();
  expect([...(await buffer.read({ offset: around + 8198, length: 3 }))]).toEqual([7, 9, 7]);
  for (const each of [buffer, other, out]) each.release();
});

describe('contexts that check, count or confine kernels have a memory with 32-bit addresses', () => {
  const SOURCE = `
    struct s { global int *p; int n; };
    kernel void far(global int *a, global int *b, int at, global ulong *sizes) {
      struct s s = { a, at };
      if (get_global_id(0) == 0) { sizes[0] = sizeof(size_t); sizes[1] = sizeof s; }
      s.p[s.n + get_global_id(0)] += 1;
      b[get_global_id(0)] = 2;
    }`;

  /** The launch's event, and what is in the buffers after it. */
  async function far(options: OpenOptions, at: number) {
    const session = await open({ device: '64-bit', ...options });
    try {
      const { far: kernel } = (await session.build(SOURCE)).kernels;
      const [a, b] = [session.buffer(new Int32Array(8)), session.buffer(new Int32Array(8))];
      const sizes = session.buffer(BigUint64Array, 2);
      const event = kernel!.run({ global: 8 }, a, b, at, sizes);
      await event;
      expect(session.device.info('ADDRESS_BITS')).toBe(64);
      expect([...(await sizes.read())]).toEqual([8n, 16n]);
      expect([...(await b.read())]).toEqual(new Array(8).fill(2));
      return { event, a: [...(await a.read())] };
    } finally {
      session.close();
    }
  }

  testWide('check', async () => {
    const { event, a } = await far({ check: 'all' }, 3);
    expect(a).toEqual([0, 0, 0, 1, 1, 1, 1, 1]);
    expect(event.faults.map(({ kind, count }) => [kind, count])).toEqual([['out-of-bounds', 6]]);
    expect((await far({ check: 'all' }, 0)).event.faults).toEqual([]);
  });

  testWide('robust', async () => {
    const { a } = await far({ robust: true }, 2 ** 28);
    expect(a.slice(0, 7)).toEqual(new Array(7).fill(0));
  });

  testWide('coverage', async () => {
    const { event } = await far({ coverage: 'memory' }, 0);
    expect(event.coverage!.functions.map(({ name, count }) => [name, count])).toEqual([['far', 8]]);
    expect(event.coverage!.lines.find(({ line }) => line === 6)!.count).toBe(8);
  });

  testWide('a buffer that they cannot have', async () => {
    const session = await open({ device: '64-bit', robust: true });
    try {
      expect(() => session.buffer(Uint8Array, 5 * GIGABYTE)).toThrow(/not checked, counted or robust/);
    } finally {
      session.close();
    }
  });
});

testWide('an allocation that the usual device cannot have names this one', () => {
  if (process.env.ANYCL_TEST_ADDRESS_BITS === '64') return;
  const usual = openSync({ device: 'software' });
  try {
    expect(() => usual.buffer(5 * GIGABYTE)).toThrow(/64-bit/);
  } finally {
    usual.close();
  }
});
