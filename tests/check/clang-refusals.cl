// SPDX-License-Identifier: MIT
// Rejects what clang rejects: programs with one mistake each, found by the comparison of refusals. One message per mistake.
//--- -cl-std=CL2.0
constant int f(void); // error: return type cannot be qualified with address space
//--- -cl-std=CL2.0
__private int f(void); global int g(void); local int h(void) {return 1;} const int i(void){return 1;} // error: return type cannot be qualified with address space // error: return type cannot be qualified with address space // error: return type cannot be qualified with address space
//--- -cl-std=CL2.0
struct S { int a; struct { int a; }; }; // error: member of anonymous struct redeclares 'a'
//--- -cl-std=CL2.0
enum E e; void f(void) { enum F x; } // error: variable has incomplete type 'enum F' // error: tentative definition has type 'enum E' that is never completed
//--- -cl-std=CL2.0
struct __attribute__((packed(4))) S { int a; }; // error: 'packed' attribute takes no arguments
//--- -cl-std=CL3.0
struct S { _Alignas(1) int a; }; _Alignas(2) int x; void f(void) { _Alignas(2) int y; _Alignas(0) int z; } // error: requested alignment is less than minimum alignment of 4 for type 'int' // error: requested alignment is less than minimum alignment of 4 for type 'int' // error: requested alignment is less than minimum alignment of 4 for type 'int'
//--- -cl-std=CL3.0
_Noreturn int x; void f(void) { _Noreturn int y; } struct S { _Noreturn int a; }; // error: '_Noreturn' can only appear on functions // error: '_Noreturn' can only appear on functions
//--- -cl-std=CL3.0
void f(int a, global int *p) __attribute__((nonnull(1))); void g(global int *p) __attribute__((nonnull(5))); void h(constant char *p, int x) __attribute__((format(printf, 9, 1))); void i(constant char *p, int x) __attribute__((format(foo, 1, 2))); // warning: 'nonnull' attribute only applies to pointer arguments // error: 'nonnull' attribute parameter 1 is out of bounds // error: 'format' attribute parameter 2 is out of bounds // warning: 'format' attribute argument not supported: foo
//--- -cl-std=CL2.0
kernel void f(sampler_t s) { &s; const sampler_t t = 3; &t; } // error: invalid argument type 'sampler_t' to unary expression // warning: sampler initializer has invalid Filter Mode bits // error: invalid argument type 'sampler_t' to unary expression
//--- -cl-std=CL2.0
kernel void f(queue_t q, ndrange_t n) { enqueue_kernel(0, 0, n, ^{}); enqueue_kernel(q, 0, 0, ^{});} // error: 'ndrange_t' cannot be used as the type of a kernel parameter // error: no matching function for call to 'enqueue_kernel' // error: no matching function for call to 'enqueue_kernel'
//--- -cl-std=CL1.2
struct S { half h; }; struct T { half a[3]; half4 b; }; union U { half x; };half f(half *p); void g(void) { half a[3]; struct S s; } // error: declaring function return value of type 'half' is not allowed // error: declaring variable of type 'half' is not allowed
//--- -cl-std=CL2.0
enum E : char { A }; enum F : int; 
//--- -cl-std=CL2.0
struct A a; struct A { int x; }; struct B b; // error: tentative definition has type 'struct B' that is never completed
//--- -cl-std=CL2.0
kernel void k(global int *p) { __label__ x; goto x; x: p[0] = 1; }
//--- -cl-std=CL2.0
kernel void k(global int *p) { __label__ x; goto x; x: p[0] = 1; { __label__ x; goto x; x: p[1] = 2; } }
//--- -cl-std=CL2.0
constant int w[] = L"abc"; constant int v[8] = {L"ab"}; constant char c[] = L"abc"; kernel void k(global int *p) { p[0] = w[1] + sizeof(w); } // error: array initializer must be an initializer list or string literal
//--- -cl-std=CL2.0
struct S { _Noreturn int a; };
//--- -cl-std=CL1.2
struct S { half h; half a[3]; }; kernel void k(global struct S *s) { s[0] = s[1]; vstore_half(1.0f, 0, &s->h); s->a[1] = s->a[0]; struct S t; } // error: assigning directly to pointer to type 'half' requires cl_khr_fp16
//--- -cl-std=CL2.0
enum E : char { A = 3 }; kernel void k(global enum E *e) { e[0] = A; _Static_assert(sizeof(enum E) == 1, ""); }
//--- -cl-std=CL2.0
kernel void k(global int *p) { int a = 1; double d = 1.0q; }
//--- -cl-std=CL1.2
float dot(float a) { return a; } kernel void k(global float4 *p) { p[0].x = dot(p[0], p[1]); } // error: too many arguments to function call, expected 1, have 2
//--- -cl-std=CL1.2
float4 min(float4 a, int b) { return a; } kernel void k(global float4 *p) { p[0] = min(p[0], p[1]); } // error: passing 'float4' to parameter of incompatible type 'int'
//--- -cl-std=CL2.0
int __attribute__((overloadable)) dot(int a) { return a; } kernel void k(global float4 *p) { p[0].x = dot(p[0], p[1]); } // error: no matching function for call to 'dot'
//--- -cl-std=CL2.0
struct A a; struct A { int x; }; kernel void k(global int *p) { p[0] = a.x; }
//--- -cl-std=CL2.0
event_t e(global int*a, local int *b) { return async_work_group_copy(b, a, 4, NULL); } // error: no matching function for call to 'async_work_group_copy'
//--- -cl-std=CL2.0
void f(void) { struct S; struct S { int x; } s; union S t; enum S u; } // error: use of 'S' with tag type that does not match previous declaration // error: use of 'S' with tag type that does not match previous declaration
//--- -cl-std=CL2.0
int f(int n) { return n +; } // error: expected expression
int g(int n) { return (n; } // error: expected ')'
int h(int n) { return n[; } // error: expected expression
//--- -cl-std=CL2.0
kernel void k(global int *p) {
  if (p[0]
    p[1] = 0; // error: expected ')'
  p[2] = 3;
}
//--- -cl-std=CL2.0
kernel void k(global int *p) {
  for (int i = 0; i < 3; i++ { // error: expected ')'
    p[i] = i;
  }
  p[2] = 3;
}
//--- -cl-std=CL2.0
kernel void k(global int *p { // error: expected ')'
  p[0] = 1;
}
kernel void l(global int *q) { q[0] = r; } // error: use of undeclared identifier 'r'
//--- -cl-std=CL2.0
kernel void k(global int *p) {
  switch (p[0]) { case 1 p[1] = 2; break; default p[0] = 3; } // error: expected ':' after 'case' // error: expected ':' after 'default'
  p[0]++ // error: expected ';' after expression
}
//--- -cl-std=CL2.0
kernel void k(global int *p) {
  p[0] = 1;

kernel void l(global int *q) { q[0] = 1; } // error: function definition is not allowed here
kernel void m(global int *q) { q[0] = 1; } // error: expected '}'
//--- -cl-std=CL2.0
kernel void k(global int *p) {
  p[0] = 1;
}} // error: extraneous closing brace ('}')
kernel void l(global int *q) { q[0] = 1; }
//--- -cl-std=CL2.0
typedef struct { int a; } S // error: expected ';' after top level declarator
kernel void l(global int *q) { q[0] = 1; }
//--- -cl-std=CL2.0
struct S { int a; } // error: expected ';' after struct
kernel void l(global int *q) { q[0] = 1; }
//--- -cl-std=CL2.0
kernel vod l(global int *q) { q[0] = 1; } // error: unknown type name 'vod'
kernel void m(glbal int *q) { q[0] = 1; } // error: unknown type name 'glbal'
//--- -cl-std=CL2.0
kernel void l(global int *q) { q[0] = 1; else q[1] = 2; } // error: expected expression
//--- -cl-std=CL2.0
kernel void l(global int *q) { q[0] = get_global_id(0; q[1] = get_global_id(0)); } // error: expected ')' // error: extraneous ')' before ';'
//--- -cl-std=CL2.0
#define F(a, b) a
kernel void l(global int *q) { q[0] = F(1; } // error: unterminated function-like macro invocation // error: expected expression // error: expected '}'
//--- -cl-std=CL2.0
kernel void l(global int *q) { int a[3; int b = 1; q[0] = b; } // error: expected ']'
//--- -cl-std=CL2.0
kernel void l(global int *q) { int a[] = {1, 2, 3; int b = 1; q[0] = b; } // error: expected '}'
//--- -cl-std=CL2.0
kernel void l(global int *q) { float4 f = (float4)(1, 2, 3; int b = 1; q[0] = b; } // error: expected ')' // error: too few elements in vector initialization
//--- -cl-std=CL2.0
kernel void l(global int *q) { q[0] = q[1] ? 1; 2; } // error: expected ':' // warning: expression result unused
//--- -cl-std=CL2.0
kernel void l(global int *q) { do { q[0]++; } whle (q[0] < 3); } // error: expected 'while' in do/while loop
//--- -cl-std=CL2.0
kernel void l(global int *q) { retun q[0]; } // error: unknown type name 'retun'
//--- -cl-std=CL2.0
kernel void l(global int *q) { int x y = 3; q[0] = y; } // error: expected ';' at end of declaration // error: use of undeclared identifier 'y'
//--- -cl-std=CL2.0
kernel void l(global int *q) { unsignd x = 3; q[0] = x; } // error: unknown type name 'unsignd'
//--- -cl-std=CL2.0
int f(int a, int a) { return a; } // error: redefinition of parameter 'a'
kernel void k(global int *p) { p[0] = f(1) + f(1, 2); }
//--- -cl-std=CL2.0
enum E { A, B C, D = , F }; // error: missing ',' between enumerators // error: expected expression
kernel void k(global int *p) { p[0] = A + B + C + D + F; }
//--- -cl-std=CL2.0
enum { }; // error: use of empty enum
enum; // error: expected identifier or '{'
struct; // error: declaration of anonymous struct must be a definition
struct S { int a; float }; // error: expected member name or ';' after declaration specifiers
//--- -cl-std=CL2.0
kernel void k(global int *int, int n) { p[0] = n; } // error: invalid parameter name: 'int' is a keyword
//--- -cl-std=CL2.0
struct S { int a; } s = {.a + 1}; // error: expected '=' or another designator
int t[2] = {[0] 1, 2}; // warning: use of GNU 'missing =' extension in designator
//--- -cl-std=CL2.0
kernel void k(global int *p) { int a += 1, b == 2; p[0] = a + b; } // error: invalid '+=' at end of declaration; did you mean '='? // error: invalid '==' at end of declaration; did you mean '='?
//--- -cl-std=CL2.0
kernel void k(global int *p) { int a = b c, d = 1; p[0] = a + d; } // error: use of undeclared identifier 'b'
//--- -cl-std=CL2.0
kernel void k(global int *p) { p[0] = _Generic(p[0], int: 1, float: undeclared); } // error: use of undeclared identifier 'undeclared'
//--- -cl-std=CL2.0
kernel int k(void); // error: kernel must have void return type
kernel void l(int *p); // error: pointer arguments to kernel functions must reside in __global, __constant or __local address space
//--- -cl-std=CL2.0
__attribute__((overloadable)) int f(int a) { return a; }
int f(float a) { return a; }
int f(double a) { return a; } // error: at most one overload for a given name may lack the 'overloadable' attribute
//--- -cl-std=CL2.0
void f(void) { static sampler_t s = 3; int a[const 4]; unsigned unsigned int u; short short t; } // warning: duplicate 'unsigned' declaration specifier // warning: sampler initializer has invalid Filter Mode bits // error: type qualifier used in array declarator outside of function prototype
//--- -cl-std=CL2.0
kernel void k(global int *p) { switch (p[0]) { case 3 ... 4294967296: p[0] = 1; } } // warning: empty case range specified
//--- -cl-std=CL2.0
__attribute__((vec_type_hint(float4, float4))) kernel void k(void) {} // error: expected ')'
int x __attribute__((aligned(float))); // error: expected expression
typedef int A __attribute__((aligned(3))); // error: requested alignment is not a power of 2
//--- -cl-std=CL2.0
kernel void k(void) { printf("%d", (void)0); __builtin_constant_p(1, 2); long r; __builtin_add_overflow(1, 1.0, &r); } // error: argument type 'void' is incomplete // error: implicit declaration of function '__builtin_constant_p' is invalid in OpenCL // error: operand argument to overflow builtin must be an integer ('double' invalid)
//--- -cl-std=CL2.0
inline; // error: 'inline' can only appear on functions
read_only x; // error: access qualifier can only be used for pipe and image type // warning: type specifier missing, defaults to 'int'
int f(a) int a; int a; { return a; } // error: redefinition of parameter 'a' // warning: a function definition without a prototype is deprecated in all versions of C and is not supported in C2x
