// SPDX-License-Identifier: MIT
// Wrong programs, and what is said about each; clang sees an error on the same lines.
//--- -cl-std=CL1.2
kernel void k(int *p) {} // error: pointer arguments to kernel functions must reside in __global, __constant or __local address space
//--- -cl-std=CL1.2
kernel void k(private int *p) {} // error: pointer arguments to kernel functions must reside in __global, __constant or __local address space
//--- -cl-std=CL1.2
kernel void k(global int **p) {} // error: pointer arguments to kernel functions must reside in __global, __constant or __local address space
//--- -cl-std=CL1.2
kernel void k(global int *global *p) {} // error: kernel parameter cannot be declared as a pointer to a pointer
//--- -cl-std=CL1.2
kernel int k(void) { return 1; } // error: kernel must have void return type
//--- -cl-std=CL1.2
kernel void k(bool b) {} // error: 'bool' cannot be used as the type of a kernel parameter
//--- -cl-std=CL1.2
kernel void k(size_t b) {} // error: 'size_t' cannot be used as the type of a kernel parameter
//--- -cl-std=CL1.2
kernel void k(ptrdiff_t b, intptr_t c, uintptr_t d) {} // error: 'ptrdiff_t' cannot be used as the type of a kernel parameter // error: 'intptr_t' cannot be used as the type of a kernel parameter // error: 'uintptr_t' cannot be used as the type of a kernel parameter
//--- -cl-std=CL1.2
typedef struct { bool b; } S;
kernel void k(S s) {} // error: 'struct (unnamed)' cannot be used as the type of a kernel parameter: it holds what the host cannot pass
//--- -cl-std=CL1.2
typedef struct { global int *p; } S;
kernel void k(S s) {} // error: 'struct (unnamed)' cannot be used as the type of a kernel parameter: it holds what the host cannot pass
//--- -cl-std=CL1.2
typedef struct { image2d_t i; } S; // error: the '__read_only image2d_t' type cannot be used to declare a structure or union field
//--- -cl-std=CL1.2
kernel void k(event_t e) {} // error: 'event_t' cannot be used as the type of a kernel parameter
//--- -cl-std=CL1.2
kernel void k(half h) {} // error: declaring parameter of type 'half' is not allowed
//--- -cl-std=CL1.2
static kernel void k(void) {} // error: kernel functions cannot be declared static
//--- -cl-std=CL1.2
kernel void k(global int *p) { local int a = 1; } // error: '__local' variable cannot have an initializer
//--- -cl-std=CL1.2
void g(void) { local int a; } // error: non-kernel function variable cannot be declared in local address space
//--- -cl-std=CL1.2
kernel void k(void) { if (1) { local int a; } } // error: variables in the local address space can only be declared in the outermost scope of a kernel function
//--- -cl-std=CL1.2
kernel void k(void) { constant int a; } // error: variable in constant address space must be initialized
//--- -cl-std=CL1.2
kernel void k(int n) { constant int a = n; } // error: initializer element is not a compile-time constant
//--- -cl-std=CL1.2
constant int x; // error: variable in constant address space must be initialized
//--- -cl-std=CL1.2
constant int *x = 0; kernel void k(void) { *x = 1; } // error: program scope variable must reside in constant address space
//--- -cl-std=CL2.0
constant int *x = 0; kernel void k(void) { *x = 1; } // error: read-only variable is not assignable
//--- -cl-std=CL1.2
constant int x = 1;
kernel void k(void) { x = 2; } // error: cannot assign to variable 'x' with const-qualified type '__constant const int'
//--- -cl-std=CL1.2
int x = 3; // error: program scope variable must reside in constant address space
//--- -cl-std=CL1.2
global int x = 3; // error: program scope variable must reside in constant address space
//--- -cl-std=CL1.2
local int x; // error: program scope variable must reside in constant address space
//--- -cl-std=CL2.0
local int x; // error: program scope variable must reside in global or constant address space
//--- -cl-std=CL1.2
private int x; // error: program scope variable must reside in constant address space
//--- -cl-std=CL2.0
private int x; // error: program scope variable must reside in global or constant address space
//--- -cl-std=CL1.2
kernel void k(global int *p) { local int *q = p; } // error: initializing '__local int *' with an expression of type '__global int *' changes address space of pointer
//--- -cl-std=CL1.2
kernel void k(global int *p, local int *q) { p = q; } // error: assigning to '__global int *' from type '__local int *' changes address space of pointer
//--- -cl-std=CL1.2
kernel void k(constant int *c, global int *p) { p = c; } // error: assigning to '__global int *' from type '__constant int *' changes address space of pointer
//--- -cl-std=CL1.2
kernel void k(constant int *c) { global int *p = (global int *)c; } // error: casting '__constant int *' to type '__global int *' changes address space of pointer
//--- -cl-std=CL1.2
kernel void k(global int *p) { local int *q = (local int *)p; } // error: casting '__global int *' to type '__local int *' changes address space of pointer
//--- -cl-std=CL1.2
void f(local int *p) {}
kernel void k(global int *p) { f(p); } // error: passing '__global int *' to parameter of type '__local int *' changes address space of pointer
//--- -cl-std=CL1.2
void f(int *p) {}
kernel void k(constant int *p) { f(p); } // error: passing '__constant int *' to parameter of type 'int *' changes address space of pointer
//--- -cl-std=CL2.0
void f(int *p) {}
kernel void k(constant int *p) { f(p); } // error: passing '__constant int *' to parameter of type '__generic int *' changes address space of pointer
//--- -cl-std=CL1.2
global int *f(local int *p) { return p; } // error: returning '__local int *' from a function with result type '__global int *' changes address space of pointer
//--- -cl-std=CL1.2
kernel void k(global int *p, local int *q, int c) { int x = *(c ? p : q); } // error: conditional operator with the second and third operands of type ('__global int *' and '__local int *') which are pointers to non-overlapping address spaces
//--- -cl-std=CL1.2
kernel void k(global int *p, constant int *q, int c) { int x = *(c ? p : q); } // error: conditional operator with the second and third operands of type ('__global int *' and '__constant int *') which are pointers to non-overlapping address spaces
//--- -cl-std=CL1.2
kernel void k(global int *p, local int *q) { if (p == q) return; } // error: '__global int *' and '__local int *' are pointers to non-overlapping address spaces
//--- -cl-std=CL1.2
kernel void k(global int *p, constant int *q) { if (p == q) return; } // error: '__global int *' and '__constant int *' are pointers to non-overlapping address spaces
//--- -cl-std=CL1.2
kernel void k(global int *p, local int *q) { long d = p - q; } // error: '__global int *' and '__local int *' are pointers to non-overlapping address spaces
//--- -cl-std=CL1.2
global int f(void) { return 1; } // error: return type cannot be qualified with address space
//--- -cl-std=CL1.2
void f(global int x) {} // error: parameter may not be qualified with an address space
//--- -cl-std=CL1.2
void f(void) { global int x; } // error: function scope variable cannot be declared in global address space
//--- -cl-std=CL1.2
void f(void) { local global int *x; local global int y; } // error: multiple address spaces specified for type // error: multiple address spaces specified for type // error: function scope variable cannot be declared in global address space
//--- -cl-std=CL1.2
struct s { global int x; }; // error: field may not be qualified with an address space
//--- -cl-std=CL1.2
struct s { local int x[3]; }; // error: field may not be qualified with an address space
//--- -cl-std=CL1.2
kernel void k(global const int *p) { p[0] = 1; } // error: read-only variable is not assignable
//--- -cl-std=CL1.2
kernel void k(constant int *p) { p[0]++; } // error: read-only variable is not assignable
//--- -cl-std=CL1.2
kernel void k(global int *p) { int q = p; } // error: incompatible pointer to integer conversion initializing 'int' with an expression of type '__global int *'
//--- -cl-std=CL1.2
kernel void k(global int *p, int q) { p = q; } // error: incompatible integer to pointer conversion assigning to '__global int *' from type 'int'
//--- -cl-std=CL1.2
kernel void k(global void *p) { *p = 1; } // error: assigning to 'void' from incompatible type 'int'
//--- -cl-std=CL1.2
kernel void k(global int *p) { p.x = 1; } // error: member reference base type '__global int *' is not a structure or union
//--- -cl-std=CL1.2
kernel void k(global int4 *p) { p->x = 1; p.y = 2; } // error: member reference base type '__global int4 *' is not a structure or union
//--- -cl-std=CL1.2
kernel void k(image2d_t i) { int x = i; } // error: initializing 'int' with an expression of incompatible type '__read_only image2d_t'
//--- -cl-std=CL1.2
kernel void k(image2d_t i) { image2d_t j = i; } // error: declaring variable of type '__read_only image2d_t' is not allowed: it can only be used as a function parameter
//--- -cl-std=CL1.2
kernel void k(global image2d_t *i) { } // error: pointer to type '__read_only image2d_t' is invalid in OpenCL
//--- -cl-std=CL1.2
image2d_t f(void); // error: declaring function return value of type '__read_only image2d_t' is not allowed
//--- -cl-std=CL1.2
kernel void k(write_only image2d_t i, sampler_t s) { float4 x = read_imagef(i, s, (int2)(0, 0)); } // error: no matching function for call to 'read_imagef'
//--- -cl-std=CL1.2
kernel void k(read_only image2d_t i) { write_imagef(i, (int2)(0, 0), (float4)(0)); } // error: no matching function for call to 'write_imagef'
//--- -cl-std=CL1.2
kernel void k(read_only write_only image2d_t i) { } // error: multiple access qualifiers
//--- -cl-std=CL1.2
kernel void k(read_only int i) { } // error: access qualifier can only be used for pipe and image type
//--- -cl-std=CL1.2
kernel void k(read_write image2d_t i) { } // error: access qualifier 'read_write' can not be used for 'image2d_t' prior to OpenCL C version 2.0
//--- -cl-std=CL1.2
sampler_t s = 0.5f; // error: global sampler requires a const or constant address space qualifier
//--- -cl-std=CL1.2
struct s { sampler_t x; }; // error: the 'sampler_t' type cannot be used to declare a structure or union field
//--- -cl-std=CL1.2
sampler_t a[2]; // error: array of 'sampler_t' type is invalid in OpenCL
//--- -cl-std=CL1.2
void f(sampler_t s) { s = 3; } // error: invalid operands to binary expression ('sampler_t' and 'int')
//--- -cl-std=CL1.2
void f(sampler_t s) { s + 1; } // error: invalid operands to binary expression ('sampler_t' and 'int')
//--- -cl-std=CL1.2
void f(event_t e) { e = e + 1; } // error: invalid operands to binary expression ('event_t' and 'int')
//--- -cl-std=CL1.2
struct s { event_t e; }; // error: the 'event_t' type cannot be used to declare a structure or union field
//--- -cl-std=CL1.2
global event_t e; // error: program scope variable must reside in constant address space
//--- -cl-std=CL2.0
global event_t e; // error: the 'event_t' type cannot be used to declare a program scope variable
//--- -cl-std=CL1.2
void f(read_only image2d_t a, read_only image3d_t b) { f(b, a); } // error: passing '__read_only image3d_t' to parameter of incompatible type '__read_only image2d_t' // error: passing '__read_only image2d_t' to parameter of incompatible type '__read_only image3d_t'
//--- -cl-std=CL1.2
void f(void) { queue_t q = 3; } // error: unknown type name 'queue_t'
//--- -cl-std=CL2.0
void f(void) { queue_t q = 3; } // error: initializing 'queue_t' with an expression of incompatible type 'int'
//--- -cl-std=CL1.2
kernel void k(write_only pipe int p) { int x; read_pipe(p, &x); } // error: unknown type name 'pipe'
//--- -cl-std=CL2.0
kernel void k(write_only pipe int p) { int x; read_pipe(p, &x); } // error: no matching function for call to 'read_pipe'
//--- -cl-std=CL1.2
kernel void k(read_only pipe int p) { float x; read_pipe(p, &x); } // error: unknown type name 'pipe'
//--- -cl-std=CL2.0
kernel void k(read_only pipe int p) { float x; read_pipe(p, &x); } // error: no matching function for call to 'read_pipe'
//--- -cl-std=CL1.2
kernel void k(pipe int p) { int x; write_pipe(p, &x); } // error: unknown type name 'pipe'
//--- -cl-std=CL2.0
kernel void k(pipe int p) { int x; write_pipe(p, &x); } // error: no matching function for call to 'write_pipe'
//--- -cl-std=CL1.2
pipe int p; // error: unknown type name 'pipe'
//--- -cl-std=CL2.0
pipe int p; // error: declaring variable of type 'read_only pipe int' is not allowed: it can only be used as a function parameter
//--- -cl-std=CL1.2
kernel void k(global int *p) { to_global(3); } // error: implicit declaration of function 'to_global' is invalid in OpenCL
//--- -cl-std=CL2.0
kernel void k(global int *p) { to_global(3); } // error: no matching function for call to 'to_global'
//--- -cl-std=CL1.2
void f(atomic_int *p) { *p = 3; } // error: unknown type name 'atomic_int'
//--- -cl-std=CL2.0
void f(atomic_int *p) { *p = 3; } // error: atomic variable can be assigned to a variable only in global address space
//--- -cl-std=CL1.2
void f(global atomic_int *p) { *p += 3; } // error: unknown type name 'atomic_int'
//--- -cl-std=CL2.0
void f(global atomic_int *p) { *p += 3; } // error: invalid operands to binary expression ('_Atomic(int)' and 'int')
//--- -cl-std=CL1.2
kernel __attribute__((reqd_work_group_size(1, 2))) void k(void) {} // error: 'reqd_work_group_size' attribute requires 3 argument(s)
//--- -cl-std=CL1.2
kernel __attribute__((reqd_work_group_size(0, 1, 1))) void k(void) {} // error: 'reqd_work_group_size' attribute must be greater than 0
//--- -cl-std=CL1.2
kernel __attribute__((reqd_work_group_size(-1, 1, 1))) void k(void) {} // error: 'reqd_work_group_size' attribute must be greater than 0
//--- -cl-std=CL1.2
kernel __attribute__((vec_type_hint(3))) void k(void) {} // error: 'vec_type_hint' attribute requires 1 argument(s)
//--- -cl-std=CL1.2
__attribute__((reqd_work_group_size(1, 1, 1))) void f(void) {} // error: attribute 'reqd_work_group_size' can only be applied to an OpenCL kernel function
//--- -cl-std=CL1.2
__attribute__((work_group_size_hint(1, 1, 1))) void f(void) {} // error: attribute 'work_group_size_hint' can only be applied to an OpenCL kernel function
//--- -cl-std=CL1.2
struct s { int a; } __attribute__((aligned(3))); // error: requested alignment is not a power of 2
//--- -cl-std=CL1.2
struct s { int a __attribute__((aligned("x"))); }; // error: 'aligned' attribute requires integer constant
//--- -cl-std=CL1.2
kernel __attribute__((intel_reqd_sub_group_size(0))) void k(void) {} // error: 'intel_reqd_sub_group_size' attribute must be greater than 0
