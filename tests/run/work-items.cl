// SPDX-License-Identifier: MIT
// What a work-item knows of its place.

// run: places global=4,2,2 local=2,1,2
// arg: uint[16] = zero -> 0 100 200 300 1000 1100 1200 1300 10000 10100 10200 10300 11000 11100 11200 11300
// arg: uint[7] = zero -> 3 4 2 2 2 1 4
// except: rusticl: ends the process while it builds the program
kernel void places(global uint *ids, global uint *sizes) {
  uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  ids[x + 4 * y + 8 * z] = (get_group_id(0) * 2 + get_local_id(0)) * 100 + y * 1000 + get_local_id(2) * 10000;
  sizes[0] = get_work_dim();
  sizes[1] = get_global_size(0);
  sizes[2] = get_local_size(0);
  sizes[3] = get_num_groups(0);
  sizes[4] = get_num_groups(1);
  sizes[5] = get_num_groups(2);
  sizes[6] = get_local_size(0) * get_local_size(2);
}

// Dimensions that are not there have the size 1 and the index 0.
// run: other_dimensions global=4
// arg: uint[4] = zero -> 1 0 1 0
// except: Portable: gives the size 0
// except: rusticl: ends the process while it builds the program
kernel void other_dimensions(global uint *out) {
  uint beyond = get_work_dim() + 2;
  out[0] = get_global_size(beyond);
  out[1] = get_global_id(beyond);
  out[2] = get_num_groups(beyond);
  out[3] = get_group_id(beyond);
}
