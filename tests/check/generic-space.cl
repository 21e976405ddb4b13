// SPDX-License-Identifier: MIT
// options: -cl-std=CL2.0
int counter = 0;
global int *pointer = &counter;
int load(int *p) { return *p; }
kernel void spaces(global int *g, local int *l, constant int *c) {
  int x = load(g) + load(l) + load(&counter);
  int *p = g;
  p = c; // error: assigning to '__generic int *' from type '__constant int *' changes address space of pointer
  g = p; // error: assigning to '__global int *' from type '__generic int *' changes address space of pointer
  g = (global int *)p;
  c = (constant int *)p; // error: casting '__generic int *' to type '__constant int *' changes address space of pointer
  if (g == c) x++; // error: '__global int *' and '__constant int *' are pointers to non-overlapping address spaces
}
