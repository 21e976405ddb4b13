// SPDX-License-Identifier: MIT
//
// The functions of one float as a device computes them, over all floats or each N-th, against exhaustive.c's references.
//
//     node scripts/numerics/exhaustive.mjs [--device software] [--stride 1] [--first 0] [--end 0x100000000] [--checker PROGRAM] [NAME...]
//
// The checker is built by exhaustive.sh; --checker names one that is built already, with STATIC=1 for machines without a compiler.
// Without a stride it takes some half a minute a function on sixteen cores. dist/ must be built. The exit status is 1 if an error is
// above 1 ULP, 1.5 for rsqrt.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    device: { type: 'string', default: 'software' },
    stride: { type: 'string', default: '1' },
    first: { type: 'string', default: '0' },
    end: { type: 'string', default: '0x100000000' },
    checker: { type: 'string' },
  },
});
const { open } = createRequire(import.meta.url)(join(import.meta.dirname, '../../dist/index.cjs'));

function build() {
  const env = { ...process.env, BUILD_ONLY: '1' };
  const { status, stderr } = spawnSync('sh', [join(import.meta.dirname, 'exhaustive.sh')], {
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return join(process.env.TMPDIR ?? tmpdir(), 'anycl-numerics', 'exhaustive');
}

const checker = flags.checker ?? build();
const known = spawnSync(checker, ['-l'], { encoding: 'utf8' }).stdout.trim().split('\n');
const names = positionals.length > 0 ? positionals : known;
for (const name of names)
  if (!known.includes(name))
    throw new Error(`no function of one float is named ${name}; there are ${known.join(', ')}`);

const stride = Number(flags.stride);
const first = Number(flags.first);
const count = Math.ceil((Number(flags.end) - first) / stride);
/** Arguments of a launch; the next one runs while the checker takes the results of this one. */
const BLOCK = 1 << 22;

const cl = await open({ device: flags.device });
const sources = names.map(
  (name) => `kernel void k_${name}(uint first, uint stride, global float *r) {
  uint i = get_global_id(0); r[i] = ${name}(as_float(first + i * stride)); }`,
);
const { kernels } = await cl.build(sources.join('\n'));
const buffers = [0, 1].map(() => cl.buffer(Float32Array, Math.min(BLOCK, count)));

/** The results from `done` on. */
async function results(name, done) {
  const some = Math.min(BLOCK, count - done);
  const buffer = buffers[(done / BLOCK) % 2];
  await kernels[`k_${name}`].run({ global: some }, (first + done * stride) >>> 0, stride, buffer);
  return (await buffer.read()).subarray(0, some);
}

for (const name of names) {
  const child = spawn(checker, ['-r', '-s', flags.stride, '-o', flags.first, '-e', flags.end, name], {
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  const ended = once(child, 'close');
  let next = results(name, 0);
  for (let done = 0; done < count; done += BLOCK) {
    const part = await next;
    if (done + BLOCK < count) next = results(name, done + BLOCK);
    const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    await new Promise((written, failed) =>
      child.stdin.write(bytes, (error) => (error ? failed(error) : written())),
    );
  }
  child.stdin.end();
  const [status] = await ended;
  if (status !== 0) process.exitCode = 1;
}
cl.close();
