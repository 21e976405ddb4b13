// SPDX-License-Identifier: MIT
//
// cl_mem_fence_flags is uint; memory_order and memory_scope are int here, as an enumeration's values are.
import { custom, type Family, row, startingWith, std, under } from '../row';

export const synchronization: Family = {
  title: 'Synchronization functions',
  rows: () => [
    row('barrier', 'void(uint)', custom('barrier', 'Workgroup')),
    row('work_group_barrier', 'void(uint)', custom('barrier', 'Workgroup'), 'CL2.0'),
    row('work_group_barrier', 'void(uint, int)', custom('barrier', 'Workgroup'), 'CL2.0'),
    row('mem_fence', 'void(uint)', custom('mem_fence', 'AcquireRelease')),
    row('read_mem_fence', 'void(uint)', custom('mem_fence', 'Acquire')),
    row('write_mem_fence', 'void(uint)', custom('mem_fence', 'Release')),
    row('atomic_work_item_fence', 'void(uint, int, int)', custom('atomic_work_item_fence'), 'CL2.0'),
    ...under(
      'cl_khr_subgroups | __opencl_c_subgroups | cl_intel_subgroups',
      row('sub_group_barrier', 'void(uint)', custom('barrier', 'Subgroup')),
      row('sub_group_barrier', 'void(uint, int)', custom('barrier', 'Subgroup'), 'CL2.0'),
    ),
  ],
};

export const asyncCopy: Family = {
  title: 'Async copies and prefetch',
  mayHave: startingWith('async_', 'wait_', 'prefetch'),
  rows: () => [
    row(
      'async_work_group_copy',
      'event_t(local An*, global const An*, size_t, event_t)',
      custom('async_work_group_copy'),
    ),
    row(
      'async_work_group_copy',
      'event_t(global An*, local const An*, size_t, event_t)',
      custom('async_work_group_copy'),
    ),
    row(
      'async_work_group_strided_copy',
      'event_t(local An*, global const An*, size_t, size_t, event_t)',
      custom('async_work_group_copy'),
    ),
    row(
      'async_work_group_strided_copy',
      'event_t(global An*, local const An*, size_t, size_t, event_t)',
      custom('async_work_group_copy'),
    ),
    row('wait_group_events', 'void(int, P event_t*)', custom('wait_group_events')),
    row('prefetch', 'void(global const An*, size_t)', std),
    ...under(
      'cl_khr_extended_async_copies',
      ...['local D, global const S', 'global D, local const S'].flatMap((spaces) => {
        const [to, from] = spaces.replace('D', 'void*').replace('S', 'void*').split(', ');
        return [
          row(
            'async_work_group_copy_2D2D',
            `event_t(${to}, size_t, ${from}, size_t, size_t, size_t, size_t, size_t, size_t, event_t)`,
            custom('async_copy_2d'),
          ),
          row(
            'async_work_group_copy_3D3D',
            `event_t(${to}, size_t, ${from}, size_t, size_t, size_t, size_t, size_t, size_t, size_t, size_t, size_t, event_t)`,
            custom('async_copy_3d'),
          ),
        ];
      }),
    ),
    row(
      'async_work_group_copy_fence',
      'void(uint)',
      custom('mem_fence', 'AcquireRelease'),
      'cl_khr_async_work_group_copy_fence',
    ),
  ],
};
