// SPDX-License-Identifier: MIT
// Totals of a CSV that may be larger than the device's memory: `flow` sends it through in chunks, so that reading, transfers and the
// kernel overlap and memory is bounded.
import { readFileSync } from 'node:fs';
import { flow } from 'anycl';

const BIAS = 100_000_000; // hundredths: values from -999999.99 to 999999.99 become positive
const NEWLINE = 10;

/**
 * Pieces of exactly `size` bytes of whole lines, with empty lines at the end of each. A line that does not fit into a piece is an
 * error.
 */
export async function* wholeLines(source, size) {
  let rest = Buffer.alloc(0);
  for await (const piece of source) {
    rest = rest.length > 0 ? Buffer.concat([rest, piece]) : Buffer.from(piece);
    while (rest.length > size) {
      const end = rest.lastIndexOf(NEWLINE, size - 1) + 1;
      if (end === 0) throw new Error(`a line is longer than ${size} bytes`);
      yield padded(rest.subarray(0, end), size);
      rest = rest.subarray(end);
    }
  }
  if (rest.length > 0) yield padded(rest, size);
}

function padded(lines, size) {
  const piece = new Uint8Array(size).fill(NEWLINE);
  piece.set(lines);
  return piece;
}

/**
 * @param source gives the bytes of the CSV, such as createReadStream's result
 * @returns for each group that occurs: count, mean, min, max
 */
export async function csvTotals(cl, source, { groups = 1024, chunk = 1 << 22 } = {}) {
  const text = readFileSync(new URL('totals.cl', import.meta.url), 'utf8');
  const { totals } = (await cl.build(text, `-DGROUPS=${groups} -DBIAS=${BIAS}`)).kernels;
  const start = new Uint32Array(5 * groups);
  for (let group = 0; group < groups; group++) start[5 * group + 3] = 0xffffffff;
  const table = cl.buffer(start);
  const wrong = cl.buffer(new Uint32Array(1));
  try {
    const through = flow(cl, {
      input: Uint8Array,
      chunk,
      stages: [
        {
          kernel: totals,
          args: ({ input, output, length }) => [input, output, table, wrong, length],
          output: { type: Uint32Array, length: () => 1 },
        },
      ],
    });
    let bytes = 0;
    const counted = async function* () {
      for await (const piece of source) {
        bytes += piece.length;
        yield piece;
      }
    };
    for await (const _ of through(wholeLines(counted(), chunk))) {
      // The results are in the table.
    }
    const rows = await table.read();
    return { bytes, wrongLines: (await wrong.read())[0], groups: groupsOf(rows) };
  } finally {
    table.release();
    wrong.release();
  }
}

function groupsOf(rows) {
  const found = [];
  for (let group = 0; group < rows.length / 5; group++) {
    const [count, low, high, min, max] = rows.subarray(5 * group, 5 * group + 5);
    if (count === 0) continue;
    const sum = Number(BigInt(high) * 2n ** 32n + BigInt(low) - BigInt(count) * BigInt(BIAS));
    found.push({ group, count, mean: sum / count / 100, min: (min - BIAS) / 100, max: (max - BIAS) / 100 });
  }
  return found;
}
