// SPDX-License-Identifier: MIT

import { compiledModule } from '../../../tests/helpers/compiled-module';
import { runInterpreted } from '../../../tests/helpers/interpreted-kernel';
import { IMAGE_DESCRIPTOR } from '../../base/kernel-abi';
import { Program } from './program';

const SOURCE = `
  kernel void buffers(global uint *to, global uint *from) {
    uint4 rows = intel_sub_group_block_read4(from + 1);
    intel_sub_group_block_write2(to, rows.yw);
  }
  kernel void image(read_only image2d_t im, global uint *to) {
    uint2 rows = intel_sub_group_block_read2(im, (int2)(4, 1));
    to[0] = rows.x;
    to[1] = rows.y;
    to[2] = intel_sub_group_block_read(im, (int2)(400, -3));
  }`;

test('sub-groups of one work-item read rows of one element; images are clamped', () => {
  const module = compiledModule({
    name: 'a.cl',
    text: SOURCE,
    options: '-cl-std=CL3.0',
    headers: new Map(),
    target: 'spir',
  });
  const program = new Program(module, { moduleOf: () => undefined });
  const run = (name: string, first: Uint32Array, second: Uint32Array) => {
    const { func, signature } = program.translate(name);
    const { buffers } = runInterpreted(func, signature, program.binary, {
      global: [1],
      args: [{ buffer: first }, { buffer: second }],
    });
    return buffers.map((bytes) => [...new Uint32Array(bytes.buffer)]);
  };
  expect(run('buffers', new Uint32Array(3), new Uint32Array([9, 8, 7, 6, 5]))[0]).toEqual([7, 5, 0]);
  // The harness places the first buffer after the program's globals, at 8192: the texels follow the descriptor
  // there.
  const image = new Uint32Array(IMAGE_DESCRIPTOR.bytes / 4 + 8);
  const word = (offset: number, value: number) => {
    image[offset / 4] = value;
  };
  word(IMAGE_DESCRIPTOR.data, 8192 + IMAGE_DESCRIPTOR.bytes);
  word(IMAGE_DESCRIPTOR.width, 2);
  word(IMAGE_DESCRIPTOR.height, 2);
  word(IMAGE_DESCRIPTOR.rowPitch, 12);
  word(IMAGE_DESCRIPTOR.elementSize, 4);
  image.set([10, 11, 99, 20, 21, 99], IMAGE_DESCRIPTOR.bytes / 4);
  expect(run('image', image, new Uint32Array(3))[1]).toEqual([21, 21, 11]);
});
