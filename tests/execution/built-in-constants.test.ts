// SPDX-License-Identifier: MIT
//
// llvm-spirv up to version 7 declares built-in variables as constants; modules of that time are still around.
import { open } from '../../ts';
import { compile } from '../../ts/compiler/compile';
import { encode } from '../../ts/spirv/encode';
import { Op, StorageClass } from '../../ts/spirv/grammar.gen';

const TEXT =
  'kernel void ids(global uint *p) { p[get_global_id(0)] = 10 * get_global_id(0) + get_global_id(1); }';

/** The module with UniformConstant in place of Input. */
function withConstants(module: Uint8Array): Uint8Array {
  const words = new Uint32Array(module.slice().buffer);
  let changed = 0;
  for (let at = 5; at < words.length; at += words[at]! >>> 16) {
    const op = words[at]! & 0xffff;
    const operand = op === Op.TypePointer ? at + 2 : op === Op.Variable ? at + 3 : 0;
    if (operand === 0 || words[operand] !== StorageClass.Input) continue;
    words[operand] = StorageClass.UniformConstant;
    changed++;
  }
  expect(changed).toBeGreaterThan(1);
  return new Uint8Array(words.buffer);
}

test('built-in variables may be constants', async () => {
  const il = encode(compile({ name: 'ids.cl', text: TEXT, options: '' }).module!);
  const session = await open({ device: 'software' });
  const program = await session.context.createProgramWithIL(withConstants(il)).build();
  const kernel = program.createKernel('ids');
  const out = session.buffer(Uint32Array, 4);
  await kernel.run({ global: 4 }, out);
  expect([...(await out.read())]).toEqual([0, 10, 20, 30]);
  session.close();
});
