// SPDX-License-Identifier: MIT
// SHA-256 of 100000 messages of 64 bytes. Run: node examples/sha256.mjs [--device SEL]
import { createHash } from 'node:crypto';
import { check, report, setUp } from './shared/setting.mjs';

const example = await setUp('sha256');
const { cl, kernels } = example;
const n = 100_000;
const messages = new Uint8Array(n * 64).map((_, i) => (i * 2654435761) >>> 24);
const digests = cl.buffer(Uint32Array, n * 8);

const event = kernels.sha256.run({ global: n }, cl.buffer(new Uint32Array(messages.buffer)), digests);
await event;
const result = Buffer.from((await digests.read()).buffer);

const hex = (i) => result.subarray(i * 32, i * 32 + 32).toString('hex');
for (const i of [0, 1, 777, n - 1]) {
  const expected = createHash('sha256')
    .update(messages.subarray(i * 64, i * 64 + 64))
    .digest('hex');
  check(hex(i) === expected, `digest ${i} is ${hex(i)}, not ${expected}`);
}
report(`SHA-256 of ${n} messages; the last: ${hex(n - 1)}`, example, event);
cl.close();
