// SPDX-License-Identifier: MIT
//
// Checked by the compiler alone: a reference's parameters have the types of the case's arguments.
import { checkKernel, differenceOn, type KernelCase, testDevices } from '../../ts/testing';

const shared = { source: '', kernel: 'k', range: { global: 3 } };

await checkKernel({
  ...shared,
  args: [Int32Array.of(1, 2, 3), 2, 3n, true],
  reference: (x, factor, wide, flag) => {
    const types: [Int32Array, number, bigint, boolean] = [x, factor, wide, flag];
    // @ts-expect-error: the first argument is not of floats
    const floats: Float32Array = x;
    return void [types, floats];
  },
});
await differenceOn(
  { ...shared, args: [new Float32Array(3)], reference: (x) => void x.fill(2) },
  testDevices()[0]!,
);
await checkKernel({
  ...shared,
  args: [Int32Array.of(1)],
  // @ts-expect-error: there is one argument
  reference: (x, y) => void [x, y],
});

// A case that was written before it is used declares the parameters itself.
const declared: KernelCase = {
  ...shared,
  args: [Int32Array.of(1), 2],
  reference: (x: Int32Array, factor: number) => void x.fill(factor),
};
await checkKernel(declared);
