// SPDX-License-Identifier: MIT
import type { BackendKernel } from '../../backend/backend-queue';
import { ErrorCode, KernelArgInfo } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { readArgumentInfo } from './arguments';
import { hasGuessedPointees } from './guessed-pointees';

/** A driver that reports the properties of the table, and that all others are not available. */
const kernelThatTells = (table: Readonly<Record<number, Uint8Array>>) =>
  ({
    argInfo(_index: number, param: number): Uint8Array {
      const bytes = table[param];
      if (bytes) return bytes;
      throw new OpenCLError(ErrorCode.KERNEL_ARG_INFO_NOT_AVAILABLE, 'clGetKernelArgInfo');
    },
  }) as Pick<BackendKernel, 'argInfo'> as BackendKernel;

test('an argument whose name is not told has its type all the same', () => {
  const [argument] = readArgumentInfo(
    kernelThatTells({
      [KernelArgInfo.TYPE_NAME]: new TextEncoder().encode('float4*\0'),
      [KernelArgInfo.ADDRESS_QUALIFIER]: new Uint8Array(Uint32Array.of(4507).buffer),
    }),
    1,
  );
  expect(argument).toMatchObject({ name: '', typeName: 'float4*', addressSpace: 'global', access: 'none' });
  expect(argument!.pointee).toMatchObject({ scalar: 'float', components: 4 });
});

test('nothing is known of arguments that the driver keeps no information of', () => {
  expect(readArgumentInfo(kernelThatTells({}), 2)).toMatchObject([
    { index: 0, name: '', typeName: '', addressSpace: 'unknown', access: 'none', value: undefined },
    { index: 1, name: '', typeName: '', addressSpace: 'unknown', access: 'none', value: undefined },
  ]);
});

test('what a translator has guessed is not told', () => {
  const told = { [KernelArgInfo.TYPE_NAME]: new TextEncoder().encode('uchar*\0') };
  const [argument] = readArgumentInfo(kernelThatTells(told), 1, true);
  expect(argument).toMatchObject({ typeName: 'void*', isPointer: true, pointee: undefined });
  expect(argument!.refuses('Float32Array')).toBeUndefined();
  const value = { [KernelArgInfo.TYPE_NAME]: new TextEncoder().encode('float\0') };
  expect(readArgumentInfo(kernelThatTells(value), 1, true)[0]).toMatchObject({ typeName: 'float' });
});

test('strings tell the types as they were written', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  expect(hasGuessedPointees(bytes('kkernel_arg_type.k.float*,'))).toBe(false);
  expect(hasGuessedPointees(bytes('kernel_arg_typ'))).toBe(true);
  expect(hasGuessedPointees(new Uint8Array(0))).toBe(true);
});
