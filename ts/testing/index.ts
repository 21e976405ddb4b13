// SPDX-License-Identifier: MIT
//
// The entry `anycl/testing`: kernels on every device against a reference in JavaScript, for any test runner.
export { captureCase } from './capture';
export { compare, type Difference, type Tolerance } from './compare';
export {
  type ArgumentDifference,
  type CaseArgument,
  checkKernel,
  differenceOn,
  type KernelCase,
  type ReferenceArguments,
  runCase,
  runReference,
  testDevices,
} from './kernel-case';
