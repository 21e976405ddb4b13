// SPDX-License-Identifier: MIT
// options: -cl-std=CL1.2
int value(int count) {
  return cuont; // error: use of undeclared identifier 'cuont'; did you mean 'count'?
}
int functions(int x) {
  return unknown_function(x); // error: implicit declaration of function 'unknown_function' is invalid in OpenCL
}
int misspelt(float x) {
  return get_globl_id(0); // error: implicit declaration of function 'get_globl_id' is invalid in OpenCL
}
int twice(int x) {
  int x = 1; // error: redefinition of 'x'
  return x;
}
int once(int x) { return x; }
int once(int x) { return x; } // error: redefinition of 'once'
float once_more(int x);
int once_more(int x); // error: conflicting types for 'once_more'
struct S { int a; int a; }; // error: duplicate member 'a'
struct S { int b; }; // error: redefinition of 'S'
int members(struct S s, private struct S *p) {
  return s.c + p.a + s->a; // error: no member named 'c' in 'struct S' // error: member reference type 'struct S *' is a pointer; did you mean to use '->'? // error: member reference type 'struct S' is not a pointer; did you mean to use '.'?
}
