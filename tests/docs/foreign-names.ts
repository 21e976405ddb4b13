// SPDX-License-Identifier: MIT

/** Names in the documentation that belong to others, such as Node.js, V8, drivers and the specification, or are examples. */
export const FOREIGN_NAMES: ReadonlySet<string> = new Set([
  // Examples of the guides.
  'OpWobble',
  'clEnqueueFrobnicate',
  // Names of PyOpenCL and of WebGPU.
  'cl.create_some_context()',
  'device.max_compute_units',
  'cl.svm_empty',
  'cl.LogicError',
  'zeros_like',
  'multi_take',
  'multi_put',
  'multi_take_put',
  'if_positive',
  'mul_add',
  'subset_dot',
  'subset_min',
  'subset_max',
  'ExclusiveScanKernel',
  'KeyValueSorter',
  'GenericScanKernel',
  'ListOfListsBuilder',
  'workgroupBarrier()',
  // An error of structured clones.
  'DataCloneError',
  // Endings of extension names.
  '_char',
  '_short',
  '_long',
  // A function of PoCL.
  'pocl_create_event_sync',
]);
