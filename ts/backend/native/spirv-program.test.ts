// SPDX-License-Identifier: MIT

import { testNeeding } from '../../../tests/helpers/needs';
import { MemFlags, ProgramInfo } from '../../cl/constants.gen';
import { compile } from '../../compiler/compile';
import { encode } from '../../spirv/encode';
import { disassemble } from '../../spirv/text/disassemble';
import { createNativeBackend } from '.';
import { takesIL } from './translated-program';

const devices = createNativeBackend(process.env.ANYCL_OPENCL_LIBRARY)
  .platforms()
  .flatMap((platform) => platform.devices())
  .filter(takesIL);
if (devices.length === 0) console.warn('skipped: there is no driver that takes SPIR-V');

const text = 'kernel void twice(global int *data) { int i = get_global_id(0); data[i] *= 2; }';

testNeeding('a driver', devices.length > 0)(
  'SPIR-V with debug information runs where the driver knows none',
  async () => {
    for (const device of devices) {
      const { module } = compile({ name: 'a.cl', text, options: '-g' });
      expect(disassemble(module!)).toMatch('OpenCL.DebugInfo.100');
      const context = device.createContext([device], []);
      const program = context.createProgramWithIL(encode(module!));
      await program.build([device], '');
      expect(program.info(ProgramInfo.IL)).toEqual(encode(module!));
      const [kernel, queue] = [program.createKernel('twice'), context.createQueue(device, [])];
      const buffer = context.createBuffer(MemFlags.COPY_HOST_PTR, 16, Int32Array.of(1, 2, 3, 4));
      kernel.setArg(0, buffer);
      queue.enqueueKernel(kernel, { global: [4] }, undefined, false);
      const result = new Int32Array(4);
      const read = queue.enqueue({ op: 'readBuffer', buffer, offset: 0, into: result }, undefined, true)!;
      expect(await new Promise<number>((resolve) => read.onComplete(resolve))).toBe(0);
      expect([...result]).toEqual([2, 4, 6, 8]);
      for (const object of [read, kernel, buffer, program, queue, context]) object.release();
    }
  },
);

testNeeding('a driver', devices.length > 0)(
  'a module that ends in the middle is an error, and not the end of the process',
  () => {
    const bytes = encode(compile({ name: 'a.cl', text, options: '' }).module!);
    for (const device of devices) {
      const context = device.createContext([device], []);
      for (let cut = 4; cut < bytes.length; cut += 101) {
        let refused: unknown;
        try {
          context.createProgramWithIL(bytes.subarray(0, bytes.length - cut)).release();
        } catch (error) {
          refused = error;
        }
        if (cut % 4 !== 0) expect(refused).toMatchObject({ codeName: 'CL_INVALID_VALUE' });
      }
      context.release();
    }
  },
);
