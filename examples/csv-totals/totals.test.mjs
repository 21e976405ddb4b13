// SPDX-License-Identifier: MIT
// node --test
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { open } from 'anycl';
import { csvTotals, wholeLines } from './totals.mjs';

const cl = await open();
after(() => cl.close());

/** Lines, and the same totals in JavaScript. */
function sample(lines, groups) {
  const wanted = new Map();
  let seed = 1;
  const random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
  let text = '';
  for (let i = 0; i < lines; i++) {
    const group = Math.floor(random() * groups);
    const hundredths = Math.floor((random() - 0.5) * 2e7);
    text += `${group},${(hundredths / 100).toFixed(2)}${i % 3 === 0 ? '\r\n' : '\n'}`;
    const row = wanted.get(group) ?? { group, count: 0, sum: 0, min: Infinity, max: -Infinity };
    row.count++;
    row.sum += hundredths;
    row.min = Math.min(row.min, hundredths / 100);
    row.max = Math.max(row.max, hundredths / 100);
    wanted.set(group, row);
  }
  const rows = [...wanted.values()].sort((a, b) => a.group - b.group);
  return {
    text,
    wanted: rows.map(({ group, count, sum, min, max }) => ({
      group,
      count,
      mean: sum / count / 100,
      min,
      max,
    })),
  };
}

test('totals are those of JavaScript, whatever pieces the lines come in', async () => {
  const { text, wanted } = sample(100_000, 50);
  const bytes = Buffer.from(text);
  for (const pieceSize of [1000, 65_536, bytes.length]) {
    const pieces = [];
    for (let at = 0; at < bytes.length; at += pieceSize) pieces.push(bytes.subarray(at, at + pieceSize));
    const result = await csvTotals(cl, Readable.from(pieces), { groups: 64, chunk: 1 << 18 });
    assert.equal(result.bytes, bytes.length);
    assert.equal(result.wrongLines, 0);
    assert.deepEqual(result.groups, wanted);
  }
});

test('values without a point, with one place, and a last line without an end', async () => {
  const result = await csvTotals(cl, Readable.from([Buffer.from('3,5\n3,-1.5\n\n0,0.25')]), { chunk: 4096 });
  assert.deepEqual(result.groups, [
    { group: 0, count: 1, mean: 0.25, min: 0.25, max: 0.25 },
    { group: 3, count: 2, mean: 1.75, min: -1.5, max: 5 },
  ]);
});

test('lines that are wrong are counted and left out', async () => {
  const text = 'group,value\n1,2\n1;3\n99999,1\n1,\n1,2x\n1,3.14159\n-1,2\n';
  const result = await csvTotals(cl, Readable.from([Buffer.from(text)]), { chunk: 4096 });
  assert.equal(result.wrongLines, 7);
  assert.deepEqual(result.groups, [{ group: 1, count: 1, mean: 2, min: 2, max: 2 }]);
});

test('a line that is longer than a piece is an error', async () => {
  const endless = Readable.from([Buffer.alloc(10_000, '1')]);
  await assert.rejects(csvTotals(cl, endless, { chunk: 4096 }), /longer than 4096/);
});

test('pieces are whole lines of one size', async () => {
  const sizes = [];
  for await (const piece of wholeLines(Readable.from([Buffer.from('1,2\n33,4\n5,6\n')]), 8)) {
    assert.equal(piece.length, 8);
    sizes.push(Buffer.from(piece).toString().trim());
  }
  assert.deepEqual(sizes, ['1,2', '33,4', '5,6']);
});
