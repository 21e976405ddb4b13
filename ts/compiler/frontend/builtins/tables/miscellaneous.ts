// SPDX-License-Identifier: MIT
import { custom, type Family, row, startingWith, under } from '../row';

const SHUFFLED = 'n in 2 4 8 16; m in 2 4 8 16';

export const miscellaneous: Family = {
  title: 'Miscellaneous functions',
  computes: true,
  rows: () => [
    row('printf', 'int(constant const char*, ...)', custom('printf'), 'CL1.2'),
    row('shuffle', `${SHUFFLED}; An(Am, uAn)`, custom('shuffle')),
    row('shuffle2', `${SHUFFLED}; An(Am, Am, uAn)`, custom('shuffle')),
    ...under(
      'CL2.0 & __opencl_c_generic_address_space',
      row('get_fence', 'uint(generic const void*)', custom('get_fence')),
      row('get_fence', 'uint(generic void*)', custom('get_fence')),
    ),
  ],
};

const SCOPES = [
  ['device', 'Device'],
  ['work_group', 'Workgroup'],
  ['sub_group', 'Subgroup'],
] as const;

export const kernelClock: Family = {
  title: 'Kernel clock',
  mayHave: startingWith('clock_'),
  rows: () =>
    SCOPES.flatMap(([name, scope]) =>
      under(
        `__opencl_c_kernel_clock_scope_${name}`,
        row(`clock_read_${name}`, 'ulong()', custom('read_clock', scope)),
        row(`clock_read_hilo_${name}`, 'uint2()', custom('read_clock', scope)),
      ),
    ),
};
