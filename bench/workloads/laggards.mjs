// SPDX-License-Identifier: MIT
//
// Kernels on which PoCL was or is ahead: it vectorizes along the loop of one work-item, uses wider vectors, or launches sooner.
import { exact, workload } from './define.mjs';
import { floyd } from './floyd.mjs';
import { bytes, integers, prose, randoms, signed } from './inputs.mjs';

const FILE = 'laggards';
const TEXT = 1 << 24;
/** `numbers` follow the bytes, whose values are below `limit`. */
const overText = (kernel, items, limit, ...numbers) =>
  workload(
    kernel,
    (cl) => {
      const out = cl.buffer(Int32Array, items);
      return {
        range: { global: items },
        args: [cl.buffer(bytes(TEXT, limit)), ...numbers, out],
        outputs: [[out, exact]],
      };
    },
    FILE,
  );
const chunked = (kernel, items, limit, ...numbers) =>
  overText(kernel, items, limit, TEXT / items, ...numbers);
const strided = (kernel, items, limit, ...numbers) => overText(kernel, items, limit, TEXT, ...numbers);

/** `programs`: one for each work-item, or one for all. */
const machine = (kernel, items, programs) =>
  workload(
    kernel,
    (cl) => {
      const length = 256;
      const out = cl.buffer(Int32Array, items);
      return {
        range: { global: items },
        args: [cl.buffer(bytes(programs * length, 16)), length, cl.buffer(integers(items, 1000)), out],
        outputs: [[out, exact]],
      };
    },
    FILE,
  );

/** A square of rows. */
const alongRows = (kernel) =>
  workload(
    kernel,
    (cl) => {
      const side = 1024;
      const out = cl.buffer(Float32Array, side * side);
      const matrix = () => cl.buffer(randoms(side * side, 0.1, 0.9));
      return {
        range: { global: side },
        args: [matrix(), matrix(), out, side],
        outputs: [[out, 1e-5]],
      };
    },
    FILE,
  );

/** Tokens of literals and short matches, as `unpack` reads them, each block of which becomes `size` bytes. */
function packed(blocks, size) {
  const random = randoms(blocks * size, 0, 16, 11);
  const starts = new Int32Array(blocks + 1);
  const out = [];
  let next = 0;
  const draw = () => Math.floor(random[next++ % random.length]);
  for (let block = 0; block < blocks; block++) {
    for (let at = 0; at < size; ) {
      const literals = Math.min(1 + draw(), 15, size - at);
      at += literals;
      const length = Math.min(draw(), size - at);
      out.push(literals * 16 + length);
      for (let k = 0; k < literals; k++) out.push(draw() * 16 + draw());
      if (length > 0) out.push(Math.min(at - 1, draw() * 16 + draw()));
      at += length;
    }
    starts[block + 1] = out.length;
  }
  return { packed: Uint8Array.from(out), starts };
}

/** `words` numbers of 64 bits for each work-item, and one result of it. */
const over64 = (kernel, items, words, output, tolerance) =>
  workload(
    kernel,
    (cl) => {
      const out = cl.buffer(output, items);
      const input = new BigUint64Array(bytes(items * words * 8, 256).buffer);
      return { range: { global: items }, args: [cl.buffer(input), out], outputs: [[out, tolerance]] };
    },
    FILE,
  );

/** One repetition of many launches of `items` work-items each. */
const batch = (items, launches) =>
  workload(
    'add_one',
    (cl) => {
      const data = cl.buffer(new Float32Array(items));
      return {
        range: { global: items },
        args: [data],
        steps: Array.from({ length: launches }, () => []),
        outputs: [[data, exact]],
      };
    },
    FILE,
  );

const NARROW = 1 << 22;
/** One element of each input for each work-item, then the output, then `numbers`. */
const narrow = (kernel, inputs, output, ...numbers) =>
  workload(
    kernel,
    (cl) => {
      const out = cl.buffer(new output(NARROW));
      return {
        range: { global: NARROW },
        args: [...inputs.map((input) => cl.buffer(input())), out, ...numbers],
        outputs: [[out, exact]],
      };
    },
    FILE,
  );
const anyBytes = (seed) => () => bytes(NARROW, 256, seed);

export const laggards = {
  count_byte: chunked('count_byte', 4096, 4, 2),
  'count_byte-short': chunked('count_byte', 1 << 18, 4, 2),
  count_strided: strided('count_strided', 1 << 14, 4, 2),
  sum_bytes: chunked('sum_bytes', 4096, 256),
  'sum_bytes-short': chunked('sum_bytes', 1 << 18, 256),
  sum_strided: strided('sum_strided', 1 << 14, 256),
  memcmp_records: workload(
    'memcmp_records',
    (cl) => {
      const [records, length] = [1 << 17, 64];
      const a = bytes(records * length, 256);
      const b = a.slice();
      for (const [k, at] of integers(records, length * 2, 5).entries()) {
        if (at < length) b[k * length + at] ^= 1;
      }
      const out = cl.buffer(Int32Array, records);
      return {
        range: { global: records },
        args: [cl.buffer(a), cl.buffer(b), length, out],
        outputs: [[out, exact]],
      };
    },
    FILE,
  ),
  unpack: workload(
    'unpack',
    (cl) => {
      const [blocks, size] = [4096, 512];
      const input = packed(blocks, size);
      const out = cl.buffer(Uint8Array, blocks * size);
      return {
        range: { global: blocks },
        args: [cl.buffer(input.packed), cl.buffer(input.starts), out, size],
        outputs: [[out, exact]],
      };
    },
    FILE,
  ),
  machine: machine('machine', 1 << 14, 1 << 14),
  'machine-uniform': machine('machine_uniform', 1 << 16, 1),
  'floyd-512': floyd({ side: 512, most: 1e5, launches: 512 }),
  xxhash: over64('xxhash', 1 << 16, 16, BigUint64Array, exact),
  xoshiro: over64('xoshiro', 1 << 16, 4, BigUint64Array, exact),
  pcg: over64('pcg', 1 << 16, 1, Float32Array, 1e-5),
  splitmix: workload(
    'splitmix',
    (cl) => {
      const out = cl.buffer(BigUint64Array, 1 << 20);
      return { range: { global: 1 << 20 }, args: [out, 7], outputs: [[out, exact]] };
    },
    FILE,
  ),
  'batch-1k': batch(1 << 10, 200),
  'batch-16k': batch(1 << 14, 200),
  'batch-64k': batch(1 << 16, 200),
  mulaw_decode: narrow('mulaw_decode', [anyBytes(1)], Int16Array),
  mulaw_encode: narrow('mulaw_encode', [() => signed(NARROW, 1 << 15)], Uint8Array),
  rotate_bytes: narrow('rotate_bytes', [anyBytes(1), anyBytes(2)], Uint8Array),
  test_bits: narrow('test_bits', [anyBytes(1), anyBytes(2)], Uint8Array),
  digit_values: narrow('digit_values', [() => bytes(NARROW, 128)], Uint8Array),
  copy_masked: narrow('copy_masked', [anyBytes(1), anyBytes(2)], Uint8Array),
  row_recurrence: alongRows('row_recurrence'),
  row_recurrence_back: alongRows('row_recurrence_back'),
  caesar: narrow('caesar', [prose], Uint8Array, 3),
};
