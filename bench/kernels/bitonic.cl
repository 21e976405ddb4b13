// SPDX-License-Identifier: MIT
// One step of a bitonic sort over all elements: compares elements `distance` apart.
kernel void bitonic(global uint *data, uint block, uint distance) {
  uint id = get_global_id(0);
  uint left = (id / distance) * distance * 2 + id % distance;
  uint right = left + distance;
  uint a = data[left], b = data[right];
  bool ascending = (left & block) == 0;
  bool swap = (a > b) == ascending;
  data[left] = swap ? b : a;
  data[right] = swap ? a : b;
}
