// SPDX-License-Identifier: MIT
import { type Family, row, startingWith, under, variable } from '../row';

const SUB_GROUPS = 'cl_khr_subgroups | __opencl_c_subgroups | cl_intel_subgroups';

export const workItem: Family = {
  title: 'Work-item functions',
  computes: true,
  mayHave: startingWith('get_'),
  rows: () => [
    row('get_work_dim', 'uint()', variable('WorkDim')),
    row('get_global_size', 'size_t(uint)', variable('GlobalSize', 1)),
    row('get_global_id', 'size_t(uint)', variable('GlobalInvocationId', 0)),
    row('get_local_size', 'size_t(uint)', variable('WorkgroupSize', 1)),
    row('get_enqueued_local_size', 'size_t(uint)', variable('EnqueuedWorkgroupSize', 1), 'CL2.0'),
    row('get_local_id', 'size_t(uint)', variable('LocalInvocationId', 0)),
    row('get_num_groups', 'size_t(uint)', variable('NumWorkgroups', 1)),
    row('get_group_id', 'size_t(uint)', variable('WorkgroupId', 0)),
    row('get_global_offset', 'size_t(uint)', variable('GlobalOffset', 0), 'CL1.1'),
    row('get_global_linear_id', 'size_t()', variable('GlobalLinearId'), 'CL2.0'),
    row('get_local_linear_id', 'size_t()', variable('LocalInvocationIndex'), 'CL2.0'),
    row('get_sub_group_size', 'uint()', variable('SubgroupSize'), SUB_GROUPS),
    row('get_max_sub_group_size', 'uint()', variable('SubgroupMaxSize'), SUB_GROUPS),
    row('get_num_sub_groups', 'uint()', variable('NumSubgroups'), SUB_GROUPS),
    ...under(
      SUB_GROUPS,
      row('get_enqueued_num_sub_groups', 'uint()', variable('NumEnqueuedSubgroups'), 'CL2.0'),
    ),
    row('get_sub_group_id', 'uint()', variable('SubgroupId'), SUB_GROUPS),
    row('get_sub_group_local_id', 'uint()', variable('SubgroupLocalInvocationId'), SUB_GROUPS),
  ],
};
