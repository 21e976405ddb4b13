// SPDX-License-Identifier: MIT
//
// Predefined enumerators (6.15.12). The preprocessor defines those that the specification calls macros.

interface PredefinedConstant {
  readonly value: number;
  readonly since: number;
}

const rows: readonly (readonly [name: string, value: number])[] = [
  ['memory_order_relaxed', 0],
  ['memory_order_acquire', 2],
  ['memory_order_release', 3],
  ['memory_order_acq_rel', 4],
  ['memory_order_seq_cst', 5],
  ['memory_scope_work_item', 0],
  ['memory_scope_work_group', 1],
  ['memory_scope_device', 2],
  ['memory_scope_all_svm_devices', 3],
  ['memory_scope_all_devices', 3],
  ['memory_scope_sub_group', 4],
];

export const PREDEFINED_CONSTANTS: ReadonlyMap<string, PredefinedConstant> = new Map(
  rows.map(([name, value]) => [name, { value, since: 200 }]),
);
