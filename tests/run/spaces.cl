// SPDX-License-Identifier: MIT
// Program-scope variables, static locals, constants, generic pointers and pointers to pointers.
// options: -cl-std=CL3.0
// requires: __opencl_c_generic_address_space __opencl_c_program_scope_global_variables

global int counter = 5;
global int *global pointer = &counter;
constant char text[] = "xyz";

int add(int *p, int by) { return *p += by; }

// run: everywhere
// arg: int[4] = 1 0 0 0 -> 11 22 33 121
kernel void everywhere(global int *out) {
  local int here;
  int own = 2;
  here = 3;
  out[0] = add(out, 10);
  out[1] = add(&own, 20);
  out[2] = add(&here, 30);
  out[3] = text[1];
}

// run: which_space
// arg: int[3] = zero -> 1 1 1
kernel void which_space(global int *out) {
  local int here;
  int own;
  int *g = out, *l = &here, *p = &own;
  out[0] = to_global(g) == out && !to_local(g);
  out[1] = to_local(l) == &here && !to_global(l);
  out[2] = to_private(p) == &own && !to_local(p);
}

// Program-scope variables keep their values from one kernel to the next.
// run: remember
// arg: int[2] = zero -> 6 1
// run: remember
// arg: int[2] = zero -> 7 2
kernel void remember(global int *out) {
  static global int calls;
  *pointer += 1;
  out[0] = counter;
  out[1] = ++calls;
}

// Which space only run time says. The other spaces' functions give null.
// run: whichever global=12 local=4
// except: Portable Computing Language: knows one space only
// arg: int[12] = range -> 513 4 258 513 4 258 513 4 258 513 4 258
kernel void whichever(global int *out) {
  local int here[4];
  int own[2];
  uint i = get_global_id(0), which = (uint)(i * 7 + out[i]) % 3;
  own[0] = i;
  here[i & 3] = i;
  int *p = out + i;
  if (which == 1) p = &here[i & 3];
  if (which == 2) p = own;
  bool g = to_global(p) == p, l = to_local(p) == p, o = to_private(p) == p;
  int fence = get_fence(p) & (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = g | l << 1 | o << 2 | fence << 8 | (g + l + o != 1) << 16;
}
