// SPDX-License-Identifier: MIT
//
// Arrays of halves: Float16Array where the runtime has it, their bits as Uint16Array where it has not.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../helpers/command';
import { hasNodeVersions, NODE_VERSIONS, nodeOf } from '../helpers/node-versions';

const PROGRAM = `
const { openSync } = require(${JSON.stringify(join(root, 'dist/index.cjs'))});
const print = (...arrays) => console.log(arrays.map((array) => array.constructor.name + ' ' + array.join(' ')).join('; '));
(async () => {
  const cl = openSync({ device: 'software' });
  const { kernels: { scale, fill } } = await cl.build(\`
    #pragma OPENCL EXTENSION cl_khr_fp16 : enable
    kernel void scale(global half *a, half4 factor) { a[get_global_id(0)] *= factor.s3; }
    kernel void fill(write_only image2d_t to) {
      write_imagef(to, (int2)(get_global_id(0), 0), (float4)(0.5f, -2, 65504, get_global_id(0)));
    }\`);
  const image = cl.image({ format: 'rgba16f', width: 2, height: 1 });
  await fill.run({ global: 2 }, image);
  print(await image.read());
  if (typeof Float16Array === 'undefined') return;
  const a = cl.buffer(Float16Array.of(1, 0.1, 65504, NaN));
  await scale.run({ global: 4 }, a, Float16Array.of(0, 0, 0, 0.5));
  print(await a.read(), await a.read({ offset: 1, length: 2 }), await a.read({ into: new Float16Array(1) }));
  const b = cl.buffer(Float16Array, 4);
  await b.fill(0.1);
  await b.write([2, -0], { offset: 1 });
  await b.write(Uint16Array.of(0x3c00), { offset: 3 });
  const mapped = await b.map('read');
  print(mapped.data);
  await mapped.unmap();
  try {
    b.write(new Float32Array(4));
  } catch (error) {
    console.log(error.codeName, /Float16Array\\.from/.test(error.message));
  }
  await image.write(Float16Array.of(1, 2, 3, 4, 5, 6, 7, 8));
  print(await image.read());
})();`;

const eachVersion = hasNodeVersions ? test.each(NODE_VERSIONS) : test.skip.each(NODE_VERSIONS);

eachVersion(
  'halves on Node.js %s',
  (version) => {
    const output = execFileSync(nodeOf(version), ['-e', PROGRAM], { encoding: 'utf8', timeout: 60_000 });
    expect(output.trim().split('\n')).toEqual(
      Number.parseInt(version, 10) < 24
        ? ['Uint16Array 14336 49152 31743 0 14336 49152 31743 15360']
        : [
            'Float16Array 0.5 -2 65504 0 0.5 -2 65504 1',
            'Float16Array 0.5 0.04998779296875 32752 NaN; Float16Array 0.04998779296875 32752; Float16Array 0.5',
            'Float16Array 0.0999755859375 2 0 1',
            'CL_INVALID_VALUE true',
            'Float16Array 1 2 3 4 5 6 7 8',
          ],
    );
  },
  120_000,
);
