// SPDX-License-Identifier: MIT
// options: -cl-std=CL1.2
int program_scope; // error: program scope variable must reside in constant address space
constant int table[] = {1, 2, 3};
constant int uninitialized; // error: variable in constant address space must be initialized
void assignments(global int *g, local int *l, int *p, constant int *c) {
  p = g; // error: assigning to 'int *' from type '__global int *' changes address space of pointer
  g = (global int *)l; // error: casting '__local int *' to type '__global int *' changes address space of pointer
  *c = 1; // error: read-only variable is not assignable
  local int here; // error: non-kernel function variable cannot be declared in local address space
  c = table;
}
kernel void variables(global int *g) {
  local int a[4];
  local int b = 1; // error: '__local' variable cannot have an initializer
  if (g[0]) {
    local int inner; // error: variables in the local address space can only be declared in the outermost scope of a kernel function
  }
  global int wrong; // error: function scope variable cannot be declared in global address space
  a[0] = b;
}
kernel void parameters(int *p, global int **q, bool b, size_t n, event_t e) {} // error: pointer arguments to kernel functions must reside in __global, __constant or __local address space // error: pointer arguments to kernel functions must reside in __global, __constant or __local address space // error: 'bool' cannot be used as the type of a kernel parameter // error: 'size_t' cannot be used as the type of a kernel parameter // error: 'event_t' cannot be used as the type of a kernel parameter
kernel int result() { return 0; } // error: kernel must have void return type
