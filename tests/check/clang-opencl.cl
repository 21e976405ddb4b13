// SPDX-License-Identifier: MIT
// Accepts and rejects images, samplers, pipes, queues, blocks, attributes and built-in functions as clang does, with errors on the same lines.
//--- -cl-std=CL1.1
kernel void k(read_only image2d_t a, write_only image2d_t b, image3d_t c, sampler_t s) {
  read_imagef(a, s, (float2)(0,0)); // warning: ignoring return value of function declared with pure attribute
  read_imagef(b, s, (float2)(0,0)); // error: no matching function for call to 'read_imagef'
  write_imagef(a, (int2)(0,0), (float4)(1)); // error: no matching function for call to 'write_imagef'
  write_imagef(b, (int2)(0,0), (float4)(1));
  write_imagef(b, (int2)(0,0), 1.0f);
  read_imagef(a, s, (float4)(0,0,0,0)); // error: no matching function for call to 'read_imagef'
  read_imagef(c, s, (float4)(0,0,0,0)); // warning: ignoring return value of function declared with pure attribute
  read_imagef(c, s, (int4)(0,0,0,0)); // warning: ignoring return value of function declared with pure attribute
  read_imagef(a, (int2)(0)); // error: no matching function for call to 'read_imagef'
  a = b; // error: invalid operands to binary expression ('__read_only image2d_t' and '__write_only image2d_t')
  image2d_t local_image = a; // error: declaring variable of type '__read_only image2d_t' is not allowed: it can only be used as a function parameter
  a + 1; // error: invalid operands to binary expression ('__read_only image2d_t' and 'int')
  a == a; // error: invalid operands to binary expression ('__read_only image2d_t' and '__read_only image2d_t')
  &a; // error: invalid argument type '__read_only image2d_t' to unary expression
  sizeof(a); // warning: expression result unused
  image2d_t *p; // error: pointer to type '__read_only image2d_t' is invalid in OpenCL
}
//--- -cl-std=CL2.0
kernel void k(read_only image2d_t a, write_only image2d_t b, image3d_t c, sampler_t s) {
  read_imagef(a, s, (float2)(0,0)); // warning: ignoring return value of function declared with pure attribute
  read_imagef(b, s, (float2)(0,0)); // error: no matching function for call to 'read_imagef'
  write_imagef(a, (int2)(0,0), (float4)(1)); // error: no matching function for call to 'write_imagef'
  write_imagef(b, (int2)(0,0), (float4)(1));
  write_imagef(b, (int2)(0,0), 1.0f);
  read_imagef(a, s, (float4)(0,0,0,0)); // error: no matching function for call to 'read_imagef'
  read_imagef(c, s, (float4)(0,0,0,0)); // warning: ignoring return value of function declared with pure attribute
  read_imagef(c, s, (int4)(0,0,0,0)); // warning: ignoring return value of function declared with pure attribute
  read_imagef(a, (int2)(0)); // warning: ignoring return value of function declared with pure attribute
  a = b; // error: invalid operands to binary expression ('__read_only image2d_t' and '__write_only image2d_t')
  image2d_t local_image = a; // error: declaring variable of type '__read_only image2d_t' is not allowed: it can only be used as a function parameter
  a + 1; // error: invalid operands to binary expression ('__read_only image2d_t' and 'int')
  a == a; // error: invalid operands to binary expression ('__read_only image2d_t' and '__read_only image2d_t')
  &a; // error: invalid argument type '__read_only image2d_t' to unary expression
  sizeof(a); // warning: expression result unused
  image2d_t *p; // error: pointer to type '__read_only image2d_t' is invalid in OpenCL
}
//--- -cl-std=CL2.0
kernel void k(read_write image2d_t a, write_only read_only image2d_t b, read_only int c, read_only image2d_t read_only d) { } // error: multiple access qualifiers // error: access qualifier can only be used for pipe and image type // warning: duplicate 'read_only' declaration specifier
void f(image2d_t a) {}
void g(write_only image2d_t a) { f(a); } // error: passing '__write_only image2d_t' to parameter of incompatible type '__read_only image2d_t'
void h(read_only image2d_t a) { f(a); }
kernel void k2(const image2d_t a, global image2d_t b, image2d_t * c, image2d_t d[2]) {} // error: parameter may not be qualified with an address space // error: pointer to type '__read_only image2d_t' is invalid in OpenCL // error: array of '__read_only image2d_t' type is invalid in OpenCL
struct S { image2d_t a; }; // error: the '__read_only image2d_t' type cannot be used to declare a structure or union field
image2d_t glob; // error: declaring variable of type '__read_only image2d_t' is not allowed: it can only be used as a function parameter
typedef image2d_t IT;
typedef read_only image2d_t RIT;
kernel void k3(write_only IT a, write_only RIT b, IT c, RIT d) {} // error: multiple access qualifiers // error: multiple access qualifiers
kernel void k4(image2d_depth_t a, image2d_array_t b, image1d_t c, image1d_buffer_t d, image2d_array_depth_t e, image2d_msaa_t g) {}
kernel void k5(image4d_t x) {} // error: unknown type name 'image4d_t'
//--- -cl-std=CL1.1
sampler_t s1 = CLK_ADDRESS_CLAMP; // error: global sampler requires a const or constant address space qualifier
const sampler_t s2 = CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;
constant sampler_t s3 = CLK_ADDRESS_CLAMP; // warning: sampler initializer has invalid Filter Mode bits
constant sampler_t s4; // error: variable in constant address space must be initialized
global sampler_t s5 = 1; // error: global sampler requires a const or constant address space qualifier
constant sampler_t s6 = 1.5f; // error: initializing 'sampler_t' with an expression of incompatible type 'float'
constant sampler_t s7[2] = {1, 2}; // error: array of 'sampler_t' type is invalid in OpenCL
struct S { sampler_t s; }; // error: the 'sampler_t' type cannot be used to declare a structure or union field
sampler_t *ps; // error: pointer to type 'sampler_t' is invalid in OpenCL
union U { sampler_t s; int a; }; // error: the 'sampler_t' type cannot be used to declare a structure or union field
constant int notsampler = 3;
constant sampler_t s8 = notsampler; // warning: sampler initializer has invalid Filter Mode bits
kernel void k(sampler_t a, sampler_t *b, const sampler_t c, global sampler_t d, image2d_t i) { // error: pointer to type 'sampler_t' is invalid in OpenCL // error: parameter may not be qualified with an address space
  sampler_t e = a;
  a = c; // error: invalid operands to binary expression ('sampler_t' and 'sampler_t')
  a == c; // error: invalid operands to binary expression ('sampler_t' and 'sampler_t')
  read_imagef(i, 1, (float2)(0)); // warning: sampler initializer has invalid Filter Mode bits // warning: ignoring return value of function declared with pure attribute
  read_imagef(i, s2, (float2)(0)); // warning: ignoring return value of function declared with pure attribute
  read_imagef(i, a, (float2)(0)); // warning: ignoring return value of function declared with pure attribute
  (int)a; // error: operand of type 'sampler_t' where arithmetic or pointer type is required
  !a; // error: invalid argument type 'sampler_t' to unary expression
  a ? 1 : 0; // error: statement requires expression of scalar type ('sampler_t' invalid)
}
//--- -cl-std=CL1.1
event_t ge; // error: program scope variable must reside in constant address space
struct S { event_t e; }; // error: the 'event_t' type cannot be used to declare a structure or union field
event_t *ep; // error: program scope variable must reside in constant address space
kernel void k(event_t e) {} // error: 'event_t' cannot be used as the type of a kernel parameter
kernel void k2(global int *a, local int *b) {
  event_t e = async_work_group_copy(b, a, 4, 0);
  wait_group_events(1, &e);
  e = 0; // error: assigning to 'event_t' from incompatible type 'int'
  e = 1; // error: assigning to 'event_t' from incompatible type 'int'
  event_t f[2];
  f[0] = e;
  event_t *p = f;
  e == f[0]; // error: invalid operands to binary expression ('event_t' and 'event_t')
  int x = e; // error: initializing 'int' with an expression of incompatible type 'event_t'
  event_t g = {0}; // error: illegal initializer type 'event_t'
  async_work_group_copy(b, a, 4, 1); // error: no matching function for call to 'async_work_group_copy'
  async_work_group_copy(a, a, 4, 0); // error: no matching function for call to 'async_work_group_copy'
  async_work_group_copy(b, a, 4); // error: no matching function for call to 'async_work_group_copy'
  wait_group_events(1, e); // error: no matching function for call to 'wait_group_events'
  if (e) {} // error: statement requires expression of scalar type ('event_t' invalid)
}
//--- -cl-std=CL2.0
event_t ge; // error: the 'event_t' type cannot be used to declare a program scope variable
struct S { event_t e; }; // error: the 'event_t' type cannot be used to declare a structure or union field
event_t *ep;
kernel void k(event_t e) {} // error: 'event_t' cannot be used as the type of a kernel parameter
kernel void k2(global int *a, local int *b) {
  event_t e = async_work_group_copy(b, a, 4, 0);
  wait_group_events(1, &e);
  e = 0; // error: assigning to 'event_t' from incompatible type 'int'
  e = 1; // error: assigning to 'event_t' from incompatible type 'int'
  event_t f[2];
  f[0] = e;
  event_t *p = f;
  e == f[0]; // error: invalid operands to binary expression ('event_t' and 'event_t')
  int x = e; // error: initializing 'int' with an expression of incompatible type 'event_t'
  event_t g = {0}; // error: illegal initializer type 'event_t'
  async_work_group_copy(b, a, 4, 1); // error: no matching function for call to 'async_work_group_copy'
  async_work_group_copy(a, a, 4, 0); // error: no matching function for call to 'async_work_group_copy'
  async_work_group_copy(b, a, 4); // error: no matching function for call to 'async_work_group_copy'
  wait_group_events(1, e); // error: no matching function for call to 'wait_group_events'
  if (e) {} // error: statement requires expression of scalar type ('event_t' invalid)
}
//--- -cl-std=CL3.0
void g1(void) { int x = 3; int (^b)(void) = ^{ return x; }; const int y = 2; int (^c)(void) = ^{ y = 3; return x; }; } // error: cannot assign to variable 'y' with const-qualified type 'const int'
void g2(void) { int (^b)(void) = ^ int (void) { return 1; }; int (^c)(void) = ^ float { return 1; }; } // error: initializing 'int (^)(void)' with an expression of incompatible type 'float (^)(void)'
void g3(void) { int (^b)(int) = ^(int a) { if (a) return 1; return 2.0f; }; } // error: return type 'float' must match previous return type 'int' when block literal has unspecified explicit return type
void g4(void) { int (^b)(int) = ^(int a) { if (a) return 1; return; }; } // error: non-void function 'g4' should return a value
void g5(void) { int (^b)(int) = ^(int a) { }; } // error: initializing 'int (^)(int)' with an expression of incompatible type 'void (^)(int)'
void g6(void) { int a[3]; void (^b)(void) = ^{ a[0]; }; } // warning: expression result unused
void g7(local int *l) { void (^b)(void) = ^{ l[0] = 1; }; b(); }
void g8(void) { void (^b)(void) = ^{ goto x; }; x: ; } // error: use of undeclared label 'x'
void g9(void) { while (1) { void (^b)(void) = ^{ break; }; } } // error: 'break' statement not in loop or switch statement
void g10(void) { int (^b)(int) = ^(int a, int c) { return a; }; void (^e)(void) = 0; e = ^{}; } // error: initializing 'int (^)(int)' with an expression of incompatible type 'int (^)(int, int)' // error: invalid operands to binary expression ('void (^)(void)' and 'void (^)(void)')
typedef void (^BT)(void);
BT gb = ^{};
const BT gb2 = ^{};
void g11(BT b) { b(); } // error: declaring function parameter of type 'void (^)(void)' is not allowed
void g12(void) { g11(^{}); }
BT g13(void) { return ^{}; } // error: declaring function return value of type 'void (^)(void)' is not allowed
void g14(void) { auto x = 1; __auto_type y = 2; __auto_type z; } // error: OpenCL C version 3.0 does not support the 'auto' storage class specifier // warning: type specifier missing, defaults to 'int' // error: declaration of variable with type '__auto_type' requires an initializer
//--- -cl-std=CL1.1
__attribute__((reqd_work_group_size(1,2,3))) kernel void k1(void) {}
__attribute__((reqd_work_group_size(1,2))) kernel void k2(void) {} // error: 'reqd_work_group_size' attribute requires 3 argument(s)
__attribute__((reqd_work_group_size(1,2,0))) kernel void k3(void) {} // error: 'reqd_work_group_size' attribute must be greater than 0
__attribute__((reqd_work_group_size(1,2,-1))) kernel void k4(void) {} // error: 'reqd_work_group_size' attribute must be greater than 0
__attribute__((reqd_work_group_size(1,2,1.5f))) kernel void k5(void) {} // error: expression is not an integer constant expression
__attribute__((reqd_work_group_size(1,2,3))) void k6(void) {} // error: attribute 'reqd_work_group_size' can only be applied to an OpenCL kernel function
__attribute__((reqd_work_group_size(1,2,3,4))) kernel void k7(void) {} // error: 'reqd_work_group_size' attribute requires 3 argument(s)
__attribute__((work_group_size_hint(1,2,3))) kernel void k8(void) {}
__attribute__((work_group_size_hint(1,0,3))) kernel void k9(void) {} // error: 'work_group_size_hint' attribute must be greater than 0
__attribute__((vec_type_hint(float4))) kernel void k10(void) {}
__attribute__((vec_type_hint(bool))) kernel void k11(void) {} // error: invalid attribute argument - expecting a vector or vectorizable scalar type
__attribute__((vec_type_hint(float))) void k12(void) {} // error: attribute 'vec_type_hint' can only be applied to an OpenCL kernel function
__attribute__((vec_type_hint())) kernel void k13(void) {} // error: 'vec_type_hint' attribute requires 1 argument(s)
__attribute__((vec_type_hint)) kernel void k14(void) {} // error: 'vec_type_hint' attribute requires 1 argument(s)
__attribute__((vec_type_hint(3))) kernel void k15(void) {} // error: 'vec_type_hint' attribute requires 1 argument(s)
__attribute__((vec_type_hint(float), vec_type_hint(int))) kernel void k16(void) {} // warning: attribute 'vec_type_hint' is already applied with different arguments
__attribute__((reqd_work_group_size(1,1,1))) __attribute__((reqd_work_group_size(2,1,1))) kernel void k17(void) {} // warning: attribute 'reqd_work_group_size' is already applied with different arguments
//--- -cl-std=CL1.1
__attribute__((intel_reqd_sub_group_size(8))) kernel void k1(void) {}
__attribute__((intel_reqd_sub_group_size(0))) kernel void k2(void) {} // error: 'intel_reqd_sub_group_size' attribute must be greater than 0
__attribute__((intel_reqd_sub_group_size())) kernel void k3(void) {} // error: 'intel_reqd_sub_group_size' attribute requires 1 argument(s)
__attribute__((intel_reqd_sub_group_size(8))) void k4(void) {} // error: attribute 'intel_reqd_sub_group_size' can only be applied to an OpenCL kernel function
kernel __attribute__((reqd_work_group_size(1,2,3))) void k5(void) {}
kernel void __attribute__((reqd_work_group_size(1,2,3))) k6(void) {}
kernel void k7(void) __attribute__((reqd_work_group_size(1,2,3)));
kernel void k8(void) __attribute__((reqd_work_group_size(1,2,3))) {}
kernel void k9(void) { __attribute__((opencl_unroll_hint)) for (;;) {} }
kernel void k10(void) { __attribute__((opencl_unroll_hint(4))) for (;;) {} __attribute__((opencl_unroll_hint(4))) while (1) {} }
kernel void k11(void) { __attribute__((opencl_unroll_hint(0))) for (;;) {} } // error: 'opencl_unroll_hint' attribute requires a positive integral compile time constant expression
kernel void k12(void) { __attribute__((opencl_unroll_hint(-1))) for (;;) {} } // error: 'opencl_unroll_hint' attribute requires a positive integral compile time constant expression
kernel void k13(void) { __attribute__((opencl_unroll_hint(1,2))) for (;;) {} } // error: 'opencl_unroll_hint' attribute takes no more than 1 argument
kernel void k14(void) { __attribute__((opencl_unroll_hint(2))) if (1) {} } // error: 'opencl_unroll_hint' attribute only applies to 'for', 'while', and 'do' statements
kernel void k15(int n) { __attribute__((opencl_unroll_hint(n))) for (;;) {} } // error: expression is not an integer constant expression
kernel void k16(int n) { __attribute__((opencl_unroll_hint(2))) n++; } // error: 'opencl_unroll_hint' attribute only applies to 'for', 'while', and 'do' statements
kernel void k17(int n) { __attribute__((opencl_unroll_hint(2.5f))) for(;;) {} } // error: expression is not an integer constant expression
__attribute__((opencl_unroll_hint(2))) kernel void k18(int n) { } // error: 'opencl_unroll_hint' attribute cannot be applied to a declaration
//--- -cl-std=CL1.1
struct __attribute__((packed)) S1 { char a; int b; };
struct S2 { char a; int b; } __attribute__((packed));
struct S3 { char a; int b __attribute__((packed)); };
struct S4 { char a; int b __attribute__((aligned(16))); };
struct S5 { char a; int b __attribute__((aligned(3))); }; // error: requested alignment is not a power of 2
struct S6 { char a; int b __attribute__((aligned)); };
struct S7 { char a; int b __attribute__((aligned(0))); }; // error: requested alignment is not a power of 2
struct S8 { char a; int b __attribute__((aligned(-4))); }; // error: requested alignment is not a power of 2
struct S9 { char a; int b __attribute__((aligned(1.5f))); }; // error: 'aligned' attribute requires integer constant
struct S10 { char a; int b __attribute__((aligned(16, 4))); }; // error: 'aligned' attribute takes no more than 1 argument(s)
typedef int A1 __attribute__((aligned(8)));
typedef int A2 __attribute__((packed)); // warning: 'packed' attribute ignored
typedef int A3 __attribute__((endian(host)));
typedef int A4 __attribute__((endian(device)));
typedef int A5 __attribute__((endian(foo)));
constant int x __attribute__((aligned(8))) = 1;
constant int y __attribute__((packed)) = 1; // warning: 'packed' attribute ignored
void f(void) { int a __attribute__((aligned(16))); int __attribute__((aligned(16))) b; __attribute__((aligned(16))) int c; float4 d __attribute__((aligned(1))); }
//--- -cl-std=CL1.1
__attribute__((overloadable)) int f(int a) { return a; }
__attribute__((overloadable)) float f(float a) { return a; }
__attribute__((overloadable)) int f(float a) { return a; } // error: conflicting types for 'f'
int f(double a);
__attribute__((overloadable)) int g(int a);
int g(float a);
int g(int a) { return 1; } // error: redeclaration of 'g' must have the 'overloadable' attribute
kernel void k(void) { f(1); f(1.0f); f((char)1); f((float4)1); f((global int*)0); f(1.0h); f(); f(1, 2); } // error: no matching function for call to 'f' // error: no matching function for call to 'f' // error: half precision constant requires cl_khr_fp16 // error: no matching function for call to 'f' // error: no matching function for call to 'f'
__attribute__((overloadable)) int v(global int *a);
__attribute__((overloadable)) int v(local int *a);
kernel void k2(global int *a, local int *b, constant int *c) { v(a); v(b); v(c); int z; v(&z); v(0); } // error: no matching function for call to 'v' // error: no matching function for call to 'v' // error: call to 'v' is ambiguous
__attribute__((overloadable)) int cos(int a);
int sin(int a);
int get_global_id(int);
float mad(float a, float b, float c) { return a; }
__attribute__((overloadable)) float mad(float a, int b, float c) { return a; }
kernel void k3(void) { cos(1); cos(1.0f); mad(1, 2, 3); mad(1.0f, 2, 3.0f); }
//--- -cl-std=CL3.0
__attribute__((enqueue_local)) int x; // warning: unknown attribute 'enqueue_local' ignored
kernel void k(void) __attribute__((work_group_size_hint(1,1,1)));
kernel void k(void) { }
__attribute__((reqd_work_group_size(8,1,1))) kernel void k2(void);
__attribute__((reqd_work_group_size(16,1,1))) kernel void k2(void) { }
__attribute__((work_group_size_hint("a",1,1))) kernel void k3(void) { } // error: expression is not an integer constant expression
__attribute__((work_group_size_hint(1u,1ul,'a'))) kernel void k4(void) { }
__attribute__((reqd_work_group_size(4294967296,1,1))) kernel void k5(void) { } // error: 'reqd_work_group_size' attribute must be greater than 0
enum { N = 4 };
__attribute__((reqd_work_group_size(N,N*2,sizeof(int)))) kernel void k6(void) { }
__attribute__((kernel)) void k7(void) {} // warning: 'kernel' attribute ignored
//--- -cl-std=CL1.1
kernel void k(global float *a, global int *b) {
  a[0] = sin(1); // error: call to 'sin' is ambiguous
  a[0] = sin(); // error: no matching function for call to 'sin'
  a[0] = sin(1, 2); // error: no matching function for call to 'sin'
  a[0] = sin(b); // error: no matching function for call to 'sin'
  a[0] = sin((int4)1); // error: no matching function for call to 'sin'
  a[0] = sin("a"); // error: no matching function for call to 'sin'
  a[0] = max(1, 2.0f); // error: call to 'max' is ambiguous
  a[0] = max(1, 2u); // error: call to 'max' is ambiguous
  a[0] = max((float4)1, 2.0f).x;
  a[0] = max((float4)1, 2).x;
  a[0] = pow(2, 3); // error: call to 'pow' is ambiguous
  a[0] = pow(2.0f, 3);
  a[0] = clamp(1.0f, 0, 1); // error: call to 'clamp' is ambiguous
  a[0] = clamp(a[0], 0.0f, 1.0f);
  a[0] = sincos(1.0f, a);
  a[0] = modf(1.0f, b); // warning: incompatible pointer types passing '__global int *' to parameter of type '__global float *'
}
//--- -cl-std=CL1.1
kernel void k(global float *a, global int *b) {
  a[0] = fract(1.0f, a + 1);
  a[0] = frexp(1.0f, b);
  a[0] = frexp(1.0f, a); // warning: incompatible pointer types passing '__global float *' to parameter of type '__global int *'
  vload4(0, a); // warning: ignoring return value of function declared with pure attribute
  vload4(a, 0); // error: no matching function for call to 'vload4'
  vload5(0, a); // error: implicit declaration of function 'vload5' is invalid in OpenCL
  vstore4((float4)1, 0, a);
  vstore4((int4)1, 0, a); // warning: incompatible pointer types passing '__global float *' to parameter of type '__global int *'
  vload_half(0, (global half *)a); // warning: ignoring return value of function declared with pure attribute
  vload_half4(0, a); // warning: incompatible pointer types passing '__global float *' to parameter of type '__global const half *' // warning: ignoring return value of function declared with pure attribute
  dot((float4)1, (float4)2); // warning: ignoring return value of function declared with const attribute
  dot((float8)1, (float8)2); // error: no matching function for call to 'dot'
  cross((float2)1, (float2)1); // error: no matching function for call to 'cross'
  cross((float3)1, (float3)1); // warning: ignoring return value of function declared with const attribute
  select(1, 2, 3); // warning: ignoring return value of function declared with const attribute
  select(1.0f, 2.0f, 3); // warning: ignoring return value of function declared with const attribute
  select(1.0f, 2.0f, 3.0f); // error: call to 'select' is ambiguous
  select((float4)1, (float4)2, (int4)3); // warning: ignoring return value of function declared with const attribute
}
//--- -cl-std=CL1.1
kernel void k(global float *a, global int *b, local int *l) {
  select((float4)1, (float4)2, 1); // error: call to 'select' is ambiguous
  any(1); any((int4)1); any(1.0f); any((float4)1); // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute // error: call to 'any' is ambiguous // error: no matching function for call to 'any'
  shuffle((float4)1, (uint4)1); shuffle((float4)1, (int4)1); shuffle((float3)1, (uint4)1); // warning: ignoring return value of function declared with const attribute // error: no matching function for call to 'shuffle' // error: no matching function for call to 'shuffle'
  shuffle2((float4)1, (float4)1, (uint8)1); // warning: ignoring return value of function declared with const attribute
  barrier(); barrier(1); barrier(CLK_LOCAL_MEM_FENCE); barrier(CLK_LOCAL_MEM_FENCE, 1); // error: no matching function for call to 'barrier' // error: no matching function for call to 'barrier'
  mem_fence(CLK_LOCAL_MEM_FENCE); 
  atomic_add(b, 1); atomic_add(l, 1); atomic_add(a, 1); atomic_add(b); atom_add(b, 1); // warning: incompatible pointer types passing '__global float *' to parameter of type '__global volatile int *' // error: no matching function for call to 'atomic_add'
  atomic_xchg(a, 1.0f); atomic_xchg(b, 1); atomic_cmpxchg(b, 1, 2); atomic_cmpxchg(b, 1); // error: no matching function for call to 'atomic_cmpxchg'
  atomic_inc(b); atomic_inc(a); // error: call to 'atomic_inc' is ambiguous
  get_global_id(); get_global_id(0); get_global_id(0, 1); get_global_id(1.0f); // error: no matching function for call to 'get_global_id' // warning: ignoring return value of function declared with const attribute // error: no matching function for call to 'get_global_id' // warning: ignoring return value of function declared with const attribute
  get_global_size(b); // error: no matching function for call to 'get_global_size'
  printf("%d", 1); printf(1); printf(); // error: implicit declaration of function 'printf' is invalid in OpenCL // error: implicit declaration of function 'printf' is invalid in OpenCL // error: implicit declaration of function 'printf' is invalid in OpenCL
  prefetch(b, 4); prefetch(b); // error: no matching function for call to 'prefetch'
  mul24(1, 2); mul24(1.0f, 2); mul_hi(1, 2); mad24(1,2,3); hadd(1, 2); // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute
  popcount(1); popcount(1.0f); clz(1); ctz(1); // error: implicit declaration of function 'popcount' is invalid in OpenCL // error: implicit declaration of function 'popcount' is invalid in OpenCL // warning: ignoring return value of function declared with const attribute // error: implicit declaration of function 'ctz' is invalid in OpenCL
  upsample((char)1, (uchar)2); upsample(1, 2); upsample(1, 2u); rotate(1, 2); // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute
  native_sin(1.0f); native_sin((double)1.0); half_sin(1.0f); // warning: double precision constant requires cl_khr_fp64, casting to single precision // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute
}
//--- -cl-std=CL2.0
kernel void k(global float *a, global int *b, local int *l) {
  select((float4)1, (float4)2, 1); // error: call to 'select' is ambiguous
  any(1); any((int4)1); any(1.0f); any((float4)1); // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute // error: call to 'any' is ambiguous // error: no matching function for call to 'any'
  shuffle((float4)1, (uint4)1); shuffle((float4)1, (int4)1); shuffle((float3)1, (uint4)1); // warning: ignoring return value of function declared with const attribute // error: no matching function for call to 'shuffle' // error: no matching function for call to 'shuffle'
  shuffle2((float4)1, (float4)1, (uint8)1); // warning: ignoring return value of function declared with const attribute
  barrier(); barrier(1); barrier(CLK_LOCAL_MEM_FENCE); barrier(CLK_LOCAL_MEM_FENCE, 1); // error: no matching function for call to 'barrier' // error: no matching function for call to 'barrier'
  mem_fence(CLK_LOCAL_MEM_FENCE); 
  atomic_add(b, 1); atomic_add(l, 1); atomic_add(a, 1); atomic_add(b); atom_add(b, 1); // warning: incompatible pointer types passing '__global float *' to parameter of type '__global volatile int *' // error: no matching function for call to 'atomic_add'
  atomic_xchg(a, 1.0f); atomic_xchg(b, 1); atomic_cmpxchg(b, 1, 2); atomic_cmpxchg(b, 1); // error: no matching function for call to 'atomic_cmpxchg'
  atomic_inc(b); atomic_inc(a); // error: call to 'atomic_inc' is ambiguous
  get_global_id(); get_global_id(0); get_global_id(0, 1); get_global_id(1.0f); // error: no matching function for call to 'get_global_id' // warning: ignoring return value of function declared with const attribute // error: no matching function for call to 'get_global_id' // warning: ignoring return value of function declared with const attribute
  get_global_size(b); // error: no matching function for call to 'get_global_size'
  printf("%d", 1); printf(1); printf(); // error: no matching function for call to 'printf' // error: no matching function for call to 'printf'
  prefetch(b, 4); prefetch(b); // error: no matching function for call to 'prefetch'
  mul24(1, 2); mul24(1.0f, 2); mul_hi(1, 2); mad24(1,2,3); hadd(1, 2); // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute
  popcount(1); popcount(1.0f); clz(1); ctz(1); // warning: ignoring return value of function declared with const attribute // error: call to 'popcount' is ambiguous // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute
  upsample((char)1, (uchar)2); upsample(1, 2); upsample(1, 2u); rotate(1, 2); // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute
  native_sin(1.0f); native_sin((double)1.0); half_sin(1.0f); // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute
}
//--- -cl-std=CL3.0
kernel void k(global atomic_int *a, local atomic_uint *b, global atomic_float *f, global int *n, volatile global atomic_int *v) {
  atomic_fetch_add(a, 1); atomic_fetch_add(b, 1u); atomic_fetch_add(v, 1);
  atomic_fetch_add(n, 1); // warning: incompatible pointer types passing '__global int *' to parameter of type '__global volatile _Atomic(int) *'
  atomic_fetch_add(a); // error: no matching function for call to 'atomic_fetch_add'
  atomic_load(a); atomic_store(a, 1); atomic_init(a, 1); atomic_exchange(a, 1);
  atomic_load(n); // error: call to 'atomic_load' is ambiguous
  int e = 1; atomic_compare_exchange_strong(a, &e, 2); 
  atomic_compare_exchange_strong(a, e, 2); // error: no matching function for call to 'atomic_compare_exchange_strong'
  atomic_load_explicit(a, memory_order_relaxed); atomic_load_explicit(a, memory_order_relaxed, memory_scope_device);
  atomic_load_explicit(a, 5);
  *a = 1; // error: atomic variable can be assigned to a variable only in global address space
  int x = *a;
  *a + 1; // error: invalid operands to binary expression ('_Atomic(int)' and 'int')
  a[0]++; // error: cannot increment value of type '_Atomic(int)'
  atomic_flag_test_and_set(a);
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
  atomic_int la = ATOMIC_VAR_INIT(1); // error: atomic variable can be initialized to a variable only in global address space
  atomic_int lb = 1; // error: atomic variable can be initialized to a variable only in global address space
  atomic_int lc; lc = 1; // error: atomic variable can be assigned to a variable only in global address space
}
//--- -cl-std=CL3.0
global atomic_int ga = ATOMIC_VAR_INIT(1);
global atomic_int gb = 1;
atomic_int gc;
global atomic_flag gf = ATOMIC_FLAG_INIT;
local atomic_int gl; // error: program scope variable must reside in global or constant address space
struct S { atomic_int a; };
kernel void k(atomic_int a, global struct S *s) {
  local atomic_int l;
  local atomic_int l2 = ATOMIC_VAR_INIT(1); // error: '__local' variable cannot have an initializer
  atomic_init(&l, 1);
  s->a = 1; // error: atomic variable can be assigned to a variable only in global address space
  atomic_fetch_add(&s->a, 1);
  _Atomic int q; // error: '_Atomic' is not supported in OpenCL C
  _Atomic(int) r; // error: '_Atomic' is not supported in OpenCL C // error: expected identifier or '('
  _Atomic float4 t; // error: '_Atomic' is not supported in OpenCL C // error: expected ';' at end of declaration
  global int *gp = s; // warning: incompatible pointer types initializing '__global int *' with an expression of type '__global struct S *'
  global int *gq = (global int *)&s->a;
}
//--- -cl-std=CL3.0
kernel void k(global int *g, local int *l, constant int *c, int n) {
  generic int *p = g; 
  generic int *q = l;
  generic int *r = c; // error: initializing '__generic int *' with an expression of type '__constant int *' changes address space of pointer
  int *s = g;
  int *t = c; // error: initializing '__generic int *' with an expression of type '__constant int *' changes address space of pointer
  g = p; // error: assigning to '__global int *' from type '__generic int *' changes address space of pointer
  g = (global int *)p;
  l = to_local(p);
  g = to_local(p); // error: assigning to '__global int *' from type '__local int *' changes address space of pointer
  to_global(n); // error: no matching function for call to 'to_global'
  to_global(c); // error: no matching function for call to 'to_global'
  to_private(p);
  int **pp = &s;
  int * global *gpp = &s; // error: initializing '__generic int *__global *' with an expression of type '__generic int **' changes address space of pointer
  global int **gpp2 = &s; // error: initializing '__global int *__generic *' with an expression of type '__generic int **' changes address space of nested pointer
  p == c; // error: '__generic int *' and '__constant int *' are pointers to non-overlapping address spaces
  p == g; // warning: equality comparison result unused
  c = (constant int *)p; // error: casting '__generic int *' to type '__constant int *' changes address space of pointer
  n ? p : g; n ? p : c; // error: conditional operator with the second and third operands of type ('__generic int *' and '__constant int *') which are pointers to non-overlapping address spaces // warning: expression result unused
}
//--- -cl-std=CL3.0
generic int a; // error: function scope variable cannot be declared in generic address space
int *gp;
int * global gp2;
global int * global gp3;
void f(int *p, generic float *q) { generic int x; generic int *y; } // error: function scope variable cannot be declared in generic address space
kernel void k(int *p) { } // error: pointer arguments to kernel functions must reside in __global, __constant or __local address space
kernel void k2(global int **p) {} // error: pointer arguments to kernel functions must reside in __global, __constant or __local address space
kernel void k3(global int * global *p) {}
kernel void k4(local int p) {} // error: parameter may not be qualified with an address space
kernel void k5(private int *p) {} // error: pointer arguments to kernel functions must reside in __global, __constant or __local address space
kernel void k6(constant int *p, private int q, global struct S *s) {} // warning: declaration of 'struct S' will not be visible outside of this function
global int f2(void); // error: return type cannot be qualified with address space
local int *f3(void);
constant int f4(constant int *p) { return *p; } // error: return type cannot be qualified with address space
void f5(global int a) {} // error: parameter may not be qualified with an address space
kernel void k7(generic int *p) {} // error: pointer arguments to kernel functions must reside in __global, __constant or __local address space
struct S2 { global int *p; int *q; local int r; }; // error: field may not be qualified with an address space
kernel void k8(struct S2 s) {} // error: 'struct S2' cannot be used as the type of a kernel parameter: it holds what the host cannot pass
kernel void k9(global struct S2 *s) {}
//--- -cl-std=CL1.1
kernel void k1(bool b) {} // error: 'bool' cannot be used as the type of a kernel parameter
kernel void k2(half h) {} // error: declaring parameter of type 'half' is not allowed
kernel void k3(size_t s) {} // error: 'size_t' cannot be used as the type of a kernel parameter
kernel void k4(ptrdiff_t s, intptr_t t) {} // error: 'ptrdiff_t' cannot be used as the type of a kernel parameter // error: 'intptr_t' cannot be used as the type of a kernel parameter
kernel void k5(global size_t *s, global bool *b, global half *h) {}
struct S { bool b; }; kernel void k6(struct S s) {} // error: 'struct S' cannot be used as the type of a kernel parameter: it holds what the host cannot pass
struct S2 { size_t b; }; kernel void k7(struct S2 s) {} // error: 'struct S2' cannot be used as the type of a kernel parameter: it holds what the host cannot pass
struct S3 { int *b; }; kernel void k8(struct S3 s) {} // error: 'struct S3' cannot be used as the type of a kernel parameter: it holds what the host cannot pass
kernel void k9(int a[3]) {} // error: pointer arguments to kernel functions must reside in __global, __constant or __local address space
kernel void k10(global int a[3]) {}
kernel void k11(void *p) {} // error: pointer arguments to kernel functions must reside in __global, __constant or __local address space
kernel void k12(global void *p) {}
kernel void k13(int4 a, float3 b, double d) {}
union U { int a; float b; }; kernel void k14(union U u) {}
enum E { A }; kernel void k15(enum E e) {}
typedef bool B; kernel void k16(B b) {} // error: 'bool' cannot be used as the type of a kernel parameter
kernel void k17(volatile global int *a, const int b, restrict global int *c, global int * restrict d) {} // error: restrict requires a pointer or reference ('int' is invalid)
//--- -cl-std=CL1.1
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
half h1(half a) { return a * 2; }
kernel void k(global half *o, half x) { half y = 1.0h; o[0] = x + y; half4 v = (half4)(1); o[1] = v.x; float f = x; x = f; double d = x; x = d; }
//--- -cl-std=CL1.1
half h1(half a) { return a; } // error: declaring parameter of type 'half' is not allowed
void f(global half *p) { half x; *p; p[0]; p[0] = 1; float y = *p; half4 z; vload_half(0, p); p + 1; sizeof(half); sizeof(*p); (half)1; half *q; half arr[3]; struct S { half h; }; } // error: declaring variable of type 'half' is not allowed // error: loading directly from pointer to type 'half' requires cl_khr_fp16 // error: loading directly from pointer to type 'half' requires cl_khr_fp16 // error: assigning directly to pointer to type 'half' requires cl_khr_fp16 // error: loading directly from pointer to type 'half' requires cl_khr_fp16 // warning: ignoring return value of function declared with pure attribute // error: casting to type 'half' is not allowed // error: declaring variable of type 'half' is not allowed // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused
//--- -cl-std=CL1.1
double d1(double a) { return a; }
kernel void k(global double *o, double4 x) { o[0] = x.x + 1.0; float f = 1.0; f = o[0]; double d = 1.0f; (double)f; d = f; long double ld; } // warning: double precision constant requires cl_khr_fp64, casting to single precision // warning: double precision constant requires cl_khr_fp64, casting to single precision // warning: expression result unused
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
double d2(double a) { return a; }
#pragma OPENCL EXTENSION cl_khr_fp64 : disable
double d3(double a) { return a; }
//--- -cl-std=CL2.0
double d1(double a) { return a; }
kernel void k(global double *o, double4 x) { o[0] = x.x + 1.0; float f = 1.0; f = o[0]; double d = 1.0f; (double)f; d = f; long double ld; } // warning: expression result unused
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
double d2(double a) { return a; }
#pragma OPENCL EXTENSION cl_khr_fp64 : disable
double d3(double a) { return a; }
//--- -cl-std=CL2.0
struct handles { queue_t queue; clk_event_t event; reserve_id_t id; ndrange_t range; };
union wrong { event_t event; }; // error: the 'event_t' type cannot be used to declare a structure or union field
kernel void k(queue_t q, read_only pipe int p) {
  clk_event_t e = 0; // error: initializing 'clk_event_t' with an expression of incompatible type 'int'
  reserve_id_t id;
  id = 0; // error: assigning to 'reserve_id_t' from incompatible type 'int'
  (queue_t)0; // error: used type 'queue_t' where arithmetic or pointer type is required
  q = 0;
  id = reserve_read_pipe(p, 1.5f); // error: no matching function for call to 'reserve_read_pipe'
  void (^b)(void) = ^{};
  &b; // error: invalid argument type 'void (^)(void)' to unary expression
  enqueue_kernel(q, 1.5f, ndrange_1D(1), ^{}); // error: no matching function for call to 'enqueue_kernel'
}
//--- -cl-std=CL1.2
kernel void k(read_only image2d_t i) {
  const sampler_t s = {1}; // error: illegal initializer type 'sampler_t'
  (image2d_t)i; // error: used type '__read_only image2d_t' where arithmetic or pointer type is required
}
