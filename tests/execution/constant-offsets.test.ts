// SPDX-License-Identifier: MIT
//
// Constant parts of addresses, which accesses contain up to a limit (jit/passes/simplify.ts): what remains of the address may be far
// below the buffer, which is the first one of its memory. It must not wrap.
import { openSync, type Session } from '../../ts';

let session: Session;
beforeEach(() => {
  session = openSync({ device: 'software' });
});
afterEach(() => session.close());

const WORDS = 32_768;
const content = Int32Array.from({ length: WORDS }, (_, i) => i * 3 + 1);

// In words: at the limit of 61,440 bytes, at the 64 KiB below all buffers, and beyond both.
test.each([1023, 1024, 1025, 15_359, 15_360, 15_361, 16_383, 16_384, 16_385, 20_000])(
  'an index from -%i on, and that number',
  async (distance) => {
    const first = session.buffer(content, { deviceAddress: true });
    const program = await session.build(`
kernel void contiguous(global const int *a, global int *out, int from) {
  int i = get_global_id(0);
  out[i] = a[i + from + ${distance}];
}
kernel void beside(global const int *a, global int *out, int from) {
  int i = get_global_id(0), j = i + from + ${distance};
  out[i] = a[j] + (j >= 1024 ? a[j - 1024] : 7);
}
kernel void scattered(global const int *a, global int *out, int from) {
  int i = get_global_id(0);
  out[i] = a[(i * 5 & 1023) + from + ${distance}] + a[(i * 5 & 1023) + from + ${distance + 4096}];
}
kernel void structures(global const int4 *a, global int4 *out, int from) {
  int i = get_global_id(0), j = (i * 5 & 1023) + from;
  out[i] = a[j + ${distance >> 2}] + a[j + ${(distance >> 2) + 1}];
}
kernel void store(global int *a, global int *out, int from) {
  int i = get_global_id(0);
  out[i] = 0;
  a[i + from + ${distance}] = -i;
}`);
    const out = session.buffer(Int32Array, 4096);
    const run = async (name: string, global: number, from = -distance) => {
      await program.kernels[name]!.run({ global }, first, out, from);
      return Array.from(await out.read()).slice(0, name === 'structures' ? 4 * global : global);
    };
    const at = (i: number) => content[i]!;
    const numbers = (count: number, of: (i: number) => number) =>
      Array.from({ length: count }, (_, i) => of(i));
    expect(await run('contiguous', 2000)).toEqual(numbers(2000, at));
    expect(await run('beside', 2000)).toEqual(numbers(2000, (i) => at(i) + (i >= 1024 ? at(i - 1024) : 7)));
    const place = (i: number) => (i * 5) & 1023;
    expect(await run('scattered', 2000)).toEqual(numbers(2000, (i) => at(place(i)) + at(place(i) + 4096)));
    const component = (i: number) => at(4 * place(i >> 2) + (i & 3)) + at(4 * place(i >> 2) + 4 + (i & 3));
    expect(await run('structures', 1000, -(distance >> 2))).toEqual(numbers(4000, component));
    await run('store', 2000);
    expect(Array.from(await first.read()).slice(0, 2001)).toEqual([...numbers(2000, (i) => 0 - i), at(2000)]);
  },
);

test('the first buffer of a memory is within the reach of the largest offset', async () => {
  const address = session.buffer(4, { deviceAddress: true }).info('DEVICE_ADDRESS_EXT');
  expect(address).toBeGreaterThanOrEqual(65_536n);
  expect(address).toBeLessThan(65_536n + 8192n);
});
