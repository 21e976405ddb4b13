// SPDX-License-Identifier: MIT
//
// What the API promises keeps the process alive until it settles, in a program that has nothing else to wait for. From Node.js 24 on,
// a WebAssembly compilation in the background does not.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../helpers/command';
import { hasNodeVersions, NODE_VERSIONS, nodeOf } from '../helpers/node-versions';

/** So many different statements that the kernel's module is compiled in the background, */
const STATEMENTS = Array.from(
  { length: 250 },
  (_, i) => `x = (x ^ ${i * 7919 + 13}) + (x << ${(i % 30) + 1}) * a[x & ${(i % 63) + 1}];`,
).join('\n');
/** and so much text that all is done on the compiler's thread. */
const COMMENT = `/*${' '.repeat(50_000)}*/`;
const SOURCE = `${COMMENT}
kernel void many(global uint *a) {
  uint x = get_global_id(0);
  ${STATEMENTS}
  a[64 + get_global_id(0)] = x;
}`;
const PROGRAM = `
const { open } = require(${JSON.stringify(join(root, 'dist/index.cjs'))});
open({ device: 'software' }).then(async (cl) => {
  const { kernels: { many } } = await cl.build(${JSON.stringify(SOURCE)});
  const a = cl.buffer(Uint32Array, 128);
  await many.run({ global: 64 }, a);
  console.log((await a.read()).length);
});`;

const each = hasNodeVersions ? test.each(NODE_VERSIONS) : test.skip.each(NODE_VERSIONS);

each(
  'a large kernel runs on Node.js %s',
  (version) => {
    const env = { ...process.env, ANYCL_CACHE: '0', NODE_OPTIONS: '' };
    expect(execFileSync(nodeOf(version), ['-e', PROGRAM], { env, encoding: 'utf8' })).toBe('128\n');
  },
  240_000,
);
