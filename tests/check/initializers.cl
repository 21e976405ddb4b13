// SPDX-License-Identifier: MIT
// options: -cl-std=CL1.2
struct Inner { int a, b; };
struct Outer { struct Inner in[2]; float4 v; union { int i; float f; }; };
_Static_assert(sizeof(struct Outer) == 48, "layout");
_Static_assert(sizeof(int[]){1, [4] = 2, 3} == 24, "designators");
constant struct Outer whole = {{{1, 2}, {3}}, (float4)(1), {4}};
constant struct Outer flat = {1, 2, 3, 4, (float4)(1, 2, 3, 4), .f = 1.5f};
constant struct Outer named = {.in[1].b = 3, .in[0] = {.a = 1}, .v = (float4)(2)};
constant int *elements = &whole.in[1].b; // error: program scope variable must reside in constant address space
constant char text[] = "text";
_Static_assert(sizeof(text) == 5, "string");
constant int folded = sizeof(text) * 2 + (1 << 4);
constant int other = folded + 1;
void wrong(int x) {
  int a[2] = {1, 2, 3}; // warning: excess elements in array initializer
  struct Inner s = {.c = 1}; // error: field designator 'c' does not refer to any field in type 'struct Inner'
  int b[2] = {[2] = 1}; // error: array designator index (2) exceeds array bounds
  int c[] = x; // error: array initializer must be an initializer list or string literal
  int d = {}; // error: scalar initializer cannot be empty
  int e[x]; // error: variable length arrays are not supported in OpenCL
  constant int *f = {1, 2}; // warning: excess elements in scalar initializer // error: incompatible integer to pointer conversion initializing '__constant int *' with an expression of type 'int'
}
int run(int);
constant int not_constant = run(1); // error: initializer element is not a compile-time constant
