// SPDX-License-Identifier: MIT

import { describeNeeding } from '../../../tests/helpers/needs';
import { DeviceInfo, MemFlags, ProgramBuildInfo, ProgramInfo } from '../../cl/constants.gen';
import { decodeInfo } from '../../cl/info-values';
import { compile } from '../../compiler/compile';
import { encode } from '../../spirv/encode';
import type { BackendDevice } from '../backend';
import { createNativeBackend } from '.';
import { takesIL } from './translated-program';

const device = createNativeBackend(process.env.ANYCL_OPENCL_LIBRARY)
  .platforms()
  .flatMap((platform) => platform.devices())
  .find((candidate) => !takesIL(candidate)) as BackendDevice;
const bits = device && decodeInfo('uint', device.info(DeviceInfo.ADDRESS_BITS));
if (!device) console.warn('skipped: there is no driver that takes no SPIR-V');

const il = (target: 'spir' | 'spir64') =>
  encode(
    compile({
      name: 'a.cl',
      text: 'kernel void twice(global int *data) { data[get_global_id(0)] *= 2; }',
      options: '',
      target,
    }).module!,
  );
const [fitting, other] = bits === 32 ? (['spir', 'spir64'] as const) : (['spir64', 'spir'] as const);

describeNeeding('a driver', Boolean(device))('SPIR-V on a driver that takes none', () => {
  const context = device?.createContext([device], []);

  it('runs, and the log says how', async () => {
    const bytes = il(fitting);
    const program = context.createProgramWithIL(bytes);
    await program.build([device], '');
    expect(decodeInfo('string', program.buildInfo(device, ProgramBuildInfo.BUILD_LOG))).toMatch(
      'translated to OpenCL C',
    );
    expect(program.info(ProgramInfo.IL)).toEqual(bytes);
    const kernel = program.createKernel('twice');
    const queue = context.createQueue(device, []);
    const buffer = context.createBuffer(
      MemFlags.READ_WRITE | MemFlags.COPY_HOST_PTR,
      16,
      Int32Array.of(1, 2, 3, 4),
    );
    kernel.setArg(0, buffer);
    const ran = queue.enqueueKernel(kernel, { global: [4] }, undefined, true)!;
    const result = new Int32Array(4);
    const read = queue.enqueue({ op: 'readBuffer', buffer, offset: 0, into: result }, [ran], true)!;
    expect(await new Promise<number>((resolve) => read.onComplete(resolve))).toBe(0);
    expect([...result]).toEqual([2, 4, 6, 8]);
    for (const object of [ran, read, kernel, buffer, program, queue]) object.release();
  });

  it('refuses what is not a module, and addresses of another width', () => {
    expect(() => context.createProgramWithIL(new Uint8Array(20))).toThrow(/magic number/);
    expect(() => context.createProgramWithIL(il(other))).toThrow(/addressing is Physical/);
  });
});
