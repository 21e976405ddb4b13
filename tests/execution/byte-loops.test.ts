// SPDX-License-Identifier: MIT
//
// Loops over bytes from a start to an end of each work-item's own (vectorize/unroll-bytes.ts): all lengths, empty ranges, ends far
// below the start, signed and unsigned counters, and values that the loop carries.
import { openSync, type Session } from '../../ts';

const BYTES = 4096;
const ITEMS = 203;
const text = Uint8Array.from({ length: BYTES }, (_, i) => ((i * 7919) % 5 === 0 ? 32 : 97 + ((i * 31) % 26)));

let session: Session;
beforeAll(() => {
  session = openSync({ device: 'software' });
});
afterAll(() => session.close());

/** Starts and ends: lengths from 0 to 40, and ends that no byte is before. */
const starts = Int32Array.from({ length: ITEMS }, (_, i) => (i * 613) % (BYTES - 64));
const far = (unsigned: boolean) => (unsigned ? 0 : -(2 ** 31));
const endsOf = (unsigned: boolean) =>
  Int32Array.from(starts, (start, i) => (i % 29 === 28 ? far(unsigned) : start + (i % 41)));

test.each(['int', 'uint'])('words of ranges of %s are counted', async (type) => {
  const program = session.buildSync(
    `kernel void k(global const uchar *t, global const ${type} *starts, global const ${type} *ends, global uint *o) {
      int i = get_global_id(0); uint words = 0, sum = 0; bool in = false; ${type} e = ends[i], j;
      for (j = starts[i]; j < e; j++) { bool space = t[j] == ' ' || t[j] == '\\n'; words += !space && !in; in = !space; sum = sum * 31 + t[j]; }
      o[3 * i] = words; o[3 * i + 1] = sum; o[3 * i + 2] = (uint)j; }`,
  );
  const ends = endsOf(type === 'uint');
  const out = session.buffer(Uint32Array, 3 * ITEMS);
  const [from, to] = [session.buffer(starts), session.buffer(ends)];
  await program.kernels.k!.run({ global: ITEMS }, session.buffer(text), from, to, out);
  const expected = Array.from(starts, (start, i) => {
    let [words, sum, inside, j] = [0, 0, false, start];
    for (; j < ends[i]!; j++) {
      const isWord = text[j] !== 32;
      if (isWord && !inside) words++;
      inside = isWord;
      sum = (Math.imul(sum, 31) + text[j]!) >>> 0;
    }
    return [words, sum, j];
  }).flat();
  expect(Array.from(await out.read())).toEqual(expected);
});
