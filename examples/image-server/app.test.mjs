// SPDX-License-Identifier: MIT
// node --test
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { after, test } from 'node:test';
import { open } from 'anycl';
import { PNG } from 'pngjs';
import { buildApp } from './app.mjs';

const app = await buildApp(await open(), { atATime: 2, bodyLimit: 2 ** 20 });
after(() => app.close());

function picture(width, height, color) {
  const png = new PNG({ width, height });
  for (let i = 0; i < width * height; i++) png.data.set(color(i % width, Math.floor(i / width)), 4 * i);
  return PNG.sync.write(png);
}

const post = (query, payload, type = 'image/png') =>
  app.inject({ method: 'POST', url: `/images?${query}`, payload, headers: { 'content-type': type } });

test('resizes: halves are the means of four pixels', async () => {
  const stripes = picture(64, 32, (x) => (x % 2 ? [255, 255, 255, 255] : [0, 0, 0, 255]));
  const answer = await post('width=32&height=16', stripes);
  assert.equal(answer.statusCode, 200);
  const { width, height, data } = PNG.sync.read(answer.rawPayload);
  assert.deepEqual([width, height], [32, 16]);
  assert.ok(data.every((value, i) => (i % 4 === 3 ? value === 255 : Math.abs(value - 127.5) < 2)));
});

test('filters: green becomes its share of the light, edges become sharper', async () => {
  const green = await post(
    'width=8&height=8&filter=grey',
    picture(8, 8, () => [0, 255, 0, 255]),
  );
  const [red, , blue] = PNG.sync.read(green.rawPayload).data;
  assert.ok(Math.abs(red - 182) <= 1 && red === blue, `${red} ${blue}`);
  const edge = picture(8, 8, (x) => [x < 4 ? 100 : 150, 100, 100, 255]);
  const sharp = await post('width=8&height=8&filter=sharpen', edge);
  const row = [...PNG.sync.read(sharp.rawPayload).data.subarray(0, 32)].filter((_, i) => i % 4 === 0);
  assert.ok(row[3] < 100 && row[4] > 150 && row[0] === 100, `${row}`);
});

test('refuses what is not an image, and goes on', async () => {
  const good = picture(4, 4, () => [1, 2, 3, 255]);
  const huge = Buffer.from(good);
  huge.writeUInt32BE(2 ** 20, 16);
  huge.writeUInt32BE(2 ** 20, 20);
  const interlaced = Buffer.from(good);
  interlaced[28] = 1;
  const cases = [
    ['width=4&height=4', interlaced, 'image/png', 422, /interlaced/],
    ['width=4&height=4&sharpen=1', good, 'image/png', 400, /additional/],
    ['width=4&height=4', 'text', 'text/plain', 415, /Unsupported/],
    ['width=4&height=4', Buffer.from('no image at all, but long enough'), 'image/png', 422, /not a PNG/],
    ['width=4&height=4', good.subarray(0, 50), 'image/png', 422, /damaged|PNG/],
    ['width=4&height=4', huge, 'image/png', 422, /pixels/],
    ['width=0&height=4', good, 'image/png', 400, /width/],
    ['width=4&height=4&filter=evil', good, 'image/png', 400, /filter/],
    ['height=4', good, 'image/png', 400, /width/],
    ['width=4&height=4', Buffer.alloc(2 ** 21), 'image/png', 413, /large/],
    ['width=4&height=4', 'text', 'text/css', 415, /Unsupported/],
  ];
  for (const [query, body, type, status, says] of cases) {
    const answer = await post(query, body, type);
    assert.equal(answer.statusCode, status, `${query}: ${answer.payload}`);
    assert.match(answer.json().error, says);
  }
  assert.equal((await post('width=2&height=2', good)).statusCode, 200);
});

test('refuses large bodies before they are sent', async () => {
  await app.listen({ port: 0 });
  const { port } = app.server.address();
  const headers = { 'content-type': 'image/png', 'content-length': 2 ** 21, expect: '100-continue' };
  const path = '/images?width=4&height=4';
  const sent = request({ port, path, method: 'POST', headers });
  sent.on('continue', () => assert.fail('the server asked for the body'));
  sent.flushHeaders();
  const [answer] = await once(sent, 'response');
  assert.equal(answer.statusCode, 413);
  sent.destroy();
});

test('answers 503 when too much is on its way, and takes more later', async () => {
  const large = picture(256, 256, (x, y) => [x, y, 0, 255]);
  const answers = await Promise.all(Array.from({ length: 8 }, () => post('width=512&height=512', large)));
  const counts = (status) => answers.filter(({ statusCode }) => statusCode === status).length;
  assert.ok(counts(200) >= 2, 'two are computed');
  assert.ok(counts(503) >= 1, 'others are refused');
  assert.equal(counts(200) + counts(503), 8);
  assert.equal((await post('width=8&height=8', large)).statusCode, 200);
});
