// SPDX-License-Identifier: MIT
// Accepts and rejects expressions, functions, literals, C99 and GNU extensions as clang does, with errors on the same lines.
//--- -cl-std=CL1.1
kernel void k(global int *a, global float *f, local int *l, constant int *c, int n) {
  a = f; // warning: incompatible pointer types assigning to '__global int *' from type '__global float *'
  a = l; // error: assigning to '__global int *' from type '__local int *' changes address space of pointer
  a = c; // error: assigning to '__global int *' from type '__constant int *' changes address space of pointer
  a = n; // error: incompatible integer to pointer conversion assigning to '__global int *' from type 'int'
  n = a; // error: incompatible pointer to integer conversion assigning to 'int' from type '__global int *'
  a = 0;
  a = 1; // error: incompatible integer to pointer conversion assigning to '__global int *' from type 'int'
  a = (global int *)f;
  a = (global int *)l; // error: casting '__local int *' to type '__global int *' changes address space of pointer
  a = (local int *)a; // error: casting '__global int *' to type '__local int *' changes address space of pointer
  a = (global int *)c; // error: casting '__constant int *' to type '__global int *' changes address space of pointer
  c = a; // error: assigning to '__constant int *' from type '__global int *' changes address space of pointer
  int *p = a; // error: initializing 'int *' with an expression of type '__global int *' changes address space of pointer
  int *q = l; // error: initializing 'int *' with an expression of type '__local int *' changes address space of pointer
  int *r = c; // error: initializing 'int *' with an expression of type '__constant int *' changes address space of pointer
  global int *s = q; // error: initializing '__global int *' with an expression of type 'int *' changes address space of pointer
}
//--- -cl-std=CL2.0
kernel void k(global int *a, global float *f, local int *l, constant int *c, int n) {
  a = f; // warning: incompatible pointer types assigning to '__global int *' from type '__global float *'
  a = l; // error: assigning to '__global int *' from type '__local int *' changes address space of pointer
  a = c; // error: assigning to '__global int *' from type '__constant int *' changes address space of pointer
  a = n; // error: incompatible integer to pointer conversion assigning to '__global int *' from type 'int'
  n = a; // error: incompatible pointer to integer conversion assigning to 'int' from type '__global int *'
  a = 0;
  a = 1; // error: incompatible integer to pointer conversion assigning to '__global int *' from type 'int'
  a = (global int *)f;
  a = (global int *)l; // error: casting '__local int *' to type '__global int *' changes address space of pointer
  a = (local int *)a; // error: casting '__global int *' to type '__local int *' changes address space of pointer
  a = (global int *)c; // error: casting '__constant int *' to type '__global int *' changes address space of pointer
  c = a; // error: assigning to '__constant int *' from type '__global int *' changes address space of pointer
  int *p = a;
  int *q = l;
  int *r = c; // error: initializing '__generic int *' with an expression of type '__constant int *' changes address space of pointer
  global int *s = q; // error: initializing '__global int *' with an expression of type '__generic int *' changes address space of pointer
}
//--- -cl-std=CL1.1
kernel void k(global int *a, global float *f, local int *l, constant int *c, int n) {
  a == f; // warning: comparison of distinct pointer types ('__global int *' and '__global float *') // warning: equality comparison result unused
  a == l; // error: '__global int *' and '__local int *' are pointers to non-overlapping address spaces
  a == 0; // warning: equality comparison result unused
  a == n; // warning: comparison between pointer and integer ('__global int *' and 'int') // warning: equality comparison result unused
  a < f; // warning: comparison of distinct pointer types ('__global int *' and '__global float *') // warning: relational comparison result unused
  a - f; // error: '__global int *' and '__global float *' are not pointers to compatible types
  a - l; // error: '__global int *' and '__local int *' are pointers to non-overlapping address spaces
  a + f; // error: invalid operands to binary expression ('__global int *' and '__global float *')
  a + 1.0f; // error: invalid operands to binary expression ('__global int *' and 'float')
  a * 2; // error: invalid operands to binary expression ('__global int *' and 'int')
  -a; // error: invalid argument type '__global int *' to unary expression
  ~a; // error: invalid argument type '__global int *' to unary expression
  !a; // warning: expression result unused
  a && n; // warning: expression result unused
  a ? 1 : 0; // warning: expression result unused
  n ? a : l; // error: conditional operator with the second and third operands of type ('__global int *' and '__local int *') which are pointers to non-overlapping address spaces
  n ? a : f; // warning: pointer type mismatch ('__global int *' and '__global float *') // warning: expression result unused
  n ? a : 0; // warning: expression result unused
}
//--- -cl-std=CL1.1
kernel void k(global int *a, global float *f, local int *l, constant int *c, int n) {
  n ? a : n; // warning: pointer/integer type mismatch in conditional expression ('__global int *' and 'int') // warning: expression result unused
  n ? a : 1; // warning: pointer/integer type mismatch in conditional expression ('__global int *' and 'int') // warning: expression result unused
  n ? 1 : 2.0f; // warning: expression result unused
  (float4)(1) ? 1 : 2; // error: used type 'float4' where floating point type is not allowed
  (int4)(1) ? (int4)(1) : (int4)(2); // warning: expression result unused
  (int4)(1) ? (float4)(1) : (float4)(2); // warning: expression result unused
  (int4)(1) ? (double4)(1) : (double4)(2); // error: vector condition type 'int4' and result type 'double4' do not have elements of the same size
  (int4)(1) ? 1 : 2; // warning: expression result unused
  (int4)(1) ? (int2)(1) : (int2)(2); // error: vector condition type 'int4' and result type 'int2' do not have the same number of elements
  n ? (int4)1 : 2; // warning: expression result unused
  n ? (int4)1 : (float4)2; // error: cannot convert between vector values of different type ('int4' and 'float4')
  n ? (int4)1 : (uint4)2; // error: cannot convert between vector values of different type ('int4' and 'uint4')
  (int4)(1) ? (int4)1 : 2; // warning: expression result unused
  (int4)(1) ? (int4)1 : 2.5f; // error: scalar operand type has greater rank than the type of the vector element. ('int4' and 'float')
  a ? (int4)1 : (int4)2; // warning: expression result unused
  *n; // error: indirection requires pointer operand ('int' invalid)
  *a = f; // error: incompatible pointer to integer conversion assigning to 'int' from type '__global float *'
  (*f)(); // error: called object type 'float' is not a function or function pointer
}
//--- -cl-std=CL1.1
kernel void k(int n, float f) {
  int4 i; float4 g; uint4 u; int2 i2; char4 c; long4 L; half4 h; double4 d;
  i + g; // error: cannot convert between vector values of different type ('int4' and 'float4')
  i + u; // error: cannot convert between vector values of different type ('int4' and 'uint4')
  i + i2; // error: vector operands do not have the same number of elements ('int4' and 'int2')
  i + n; // warning: expression result unused
  i + f; // error: scalar operand type has greater rank than the type of the vector element. ('int4' and 'float')
  c + n; // error: scalar operand type has greater rank than the type of the vector element. ('char4' and 'int')
  c + 1; // error: scalar operand type has greater rank than the type of the vector element. ('char4' and 'int')
  c + 300; // error: scalar operand type has greater rank than the type of the vector element. ('char4' and 'int')
  g + n; // warning: expression result unused
  g + 1.0; // warning: double precision constant requires cl_khr_fp64, casting to single precision // warning: expression result unused
  g + 1; // warning: expression result unused
  i = g; // error: assigning to 'int4' from incompatible type 'float4'
  i = u; // error: assigning to 'int4' from incompatible type 'uint4'
  i = n;
  i = f;
  n = i; // error: assigning to 'int' from incompatible type 'int4'
}
//--- -cl-std=CL2.0
kernel void k(int n, float f) {
  int4 i; float4 g; uint4 u; int2 i2; char4 c; long4 L; half4 h; double4 d;
  i + g; // error: cannot convert between vector values of different type ('int4' and 'float4')
  i + u; // error: cannot convert between vector values of different type ('int4' and 'uint4')
  i + i2; // error: vector operands do not have the same number of elements ('int4' and 'int2')
  i + n; // warning: expression result unused
  i + f; // error: scalar operand type has greater rank than the type of the vector element. ('int4' and 'float')
  c + n; // error: scalar operand type has greater rank than the type of the vector element. ('char4' and 'int')
  c + 1; // error: scalar operand type has greater rank than the type of the vector element. ('char4' and 'int')
  c + 300; // error: scalar operand type has greater rank than the type of the vector element. ('char4' and 'int')
  g + n; // warning: expression result unused
  g + 1.0; // error: scalar operand type has greater rank than the type of the vector element. ('float4' and 'double')
  g + 1; // warning: expression result unused
  i = g; // error: assigning to 'int4' from incompatible type 'float4'
  i = u; // error: assigning to 'int4' from incompatible type 'uint4'
  i = n;
  i = f;
  n = i; // error: assigning to 'int' from incompatible type 'int4'
}
//--- -cl-std=CL1.1
kernel void k(int n, float f) {
  int4 i; float4 g; uint4 u; int2 i2; char4 c; long4 L; 
  (int4)g; // error: invalid conversion between ext-vector type 'int4' and 'float4'
  (int4)u; // error: invalid conversion between ext-vector type 'int4' and 'uint4'
  (int4)n; // warning: expression result unused
  (int)i; // error: invalid conversion from vector type 'int4' to scalar type 'int'
  (int2)i; // error: invalid conversion between ext-vector type 'int2' and 'int4'
  (float4)(g, g); // error: too many elements in vector initialization
  (float4)(1, 2); // error: too few elements in vector initialization
  (float4)(i2, i2); // error: initializing 'float4' with an expression of incompatible type 'int2' // error: initializing 'float4' with an expression of incompatible type 'int2'
  (float4)((float2)1, i2); // error: initializing 'float4' with an expression of incompatible type 'int2'
  (float4)(1, 2, 3, 4, 5); // error: too many elements in vector initialization
  as_int4(g);
  as_int(g); // error: no matching function for call to 'as_int'
  as_int3(g);
  as_int4((int3)1);
  as_float3(i);
  convert_int4(g); // warning: ignoring return value of function declared with const attribute
  convert_int4(i2); // error: no matching function for call to 'convert_int4'
}
//--- -cl-std=CL1.1
kernel void k(int n, float f) {
  int4 i; float4 g; float16 big; int2 i2; float3 t;
  g.x; g.xyzw; g.s0123; g.S0123; g.lo; g.hi; g.even; g.odd; // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused
  g.s4; // error: vector component access exceeds type 'float4'
  i2.z; // error: vector component access exceeds type 'int2'
  g.xs0; // error: illegal vector component name 's'
  g.xx = (float2)1; // error: vector is not assignable (contains duplicate components)
  g.xy = (float2)1;
  g.xy = 1.0f;
  g.xyzwx; // error: vector component access has invalid length 5.  Supported: 1,2,3,4,8,16.
  g.xyzwxyzw; // warning: expression result unused
  g.rgba; // warning: vector component name 'r' is a feature from OpenCL version 3.0 onwards // warning: expression result unused
  g.rx; // warning: vector component name 'r' is a feature from OpenCL version 3.0 onwards // error: illegal vector component name 'x'
  big.sF; big.sf; big.s0f; // warning: expression result unused // warning: expression result unused // warning: expression result unused
  big.sg; // error: illegal vector component name 'g'
  t.hi; t.odd; t.lo; // warning: expression result unused // warning: expression result unused // warning: expression result unused
  t.w; // error: vector component access exceeds type 'float3'
  &g.x; // error: address of vector element requested
  &g; // warning: expression result unused
  &g.xy; // error: address of vector element requested
  g[0]; g[n]; // warning: expression result unused // warning: expression result unused
}
//--- -cl-std=CL1.1
kernel void k(int n, float f) {
  int4 i; float4 g; 
  g[5]; // warning: expression result unused
  g[1.0f]; // error: array subscript is not an integer
  g[i]; // error: array subscript is not an integer
  &g[0]; // error: address of vector element requested
  g->x; // error: member reference base type 'float4' is not a structure or union
  f.x; // error: member reference base type 'float' is not a structure or union
  n.y; // error: member reference base type 'int' is not a structure or union
  i.hi.lo = 1;
  i.lo.lo++;
  i.xy++;
  i.xx++; // error: vector is not assignable (contains duplicate components)
  g++; // error: cannot increment value of type 'float4'
  ++g; // error: cannot increment value of type 'float4'
  g.x++;
  sizeof(g.xy); // warning: expression result unused
  float *p = &g.x; // error: address of vector element requested
  g.lo.hi = 2;
  (g + g).x = 1; // error: expression is not assignable
}
//--- -cl-std=CL1.1
kernel void k(int n, float f) {
  int4 i; float4 g; uint4 u;
  i << 1; i << i; 1 << i; // error: requested shift is a vector but the value to be shifted is not // warning: expression result unused // warning: expression result unused
  i << 1.0f; // error: invalid operands to binary expression ('int4' and 'float')
  g << 1; // error: invalid operands to binary expression ('float4' and 'int')
  f << 1; // error: invalid operands to binary expression ('float' and 'int')
  n << 1.0f; // error: invalid operands to binary expression ('int' and 'float')
  g % g; // error: invalid operands to binary expression ('float4' and 'float4')
  f % 2; // error: invalid operands to binary expression ('float' and 'int')
  g & g; // error: invalid operands to binary expression ('float4' and 'float4')
  ~g; ~f; // error: invalid argument type 'float4' to unary expression // error: invalid argument type 'float' to unary expression
  !g; !f; !i; // error: invalid argument type 'float4' to unary expression // error: invalid argument type 'float' to unary expression // warning: expression result unused
  g && g; i && i; g && 1; n && i; // error: invalid operands to binary expression ('float4' and 'float4') // error: invalid operands to binary expression ('float4' and 'int') // warning: expression result unused // warning: expression result unused
  g == g; i < u; // warning: equality comparison result unused // error: cannot convert between vector values of different type ('int4' and 'uint4')
  i < 1; g < 1; g < n; // warning: relational comparison result unused // warning: relational comparison result unused // warning: relational comparison result unused
  i ^ g; // error: cannot convert between vector values of different type ('int4' and 'float4')
  n ^ f; // error: invalid operands to binary expression ('int' and 'float')
  g || f; // error: invalid operands to binary expression ('float4' and 'float')
}
//--- -cl-std=CL2.0
kernel void k(int n, float f) {
  int4 i; float4 g; uint4 u;
  i << 1; i << i; 1 << i; // error: requested shift is a vector but the value to be shifted is not // warning: expression result unused // warning: expression result unused
  i << 1.0f; // error: invalid operands to binary expression ('int4' and 'float')
  g << 1; // error: invalid operands to binary expression ('float4' and 'int')
  f << 1; // error: invalid operands to binary expression ('float' and 'int')
  n << 1.0f; // error: invalid operands to binary expression ('int' and 'float')
  g % g; // error: invalid operands to binary expression ('float4' and 'float4')
  f % 2; // error: invalid operands to binary expression ('float' and 'int')
  g & g; // error: invalid operands to binary expression ('float4' and 'float4')
  ~g; ~f; // error: invalid argument type 'float4' to unary expression // error: invalid argument type 'float' to unary expression
  !g; !f; !i; // warning: expression result unused // warning: expression result unused // warning: expression result unused
  g && g; i && i; g && 1; n && i; // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused
  g == g; i < u; // warning: equality comparison result unused // error: cannot convert between vector values of different type ('int4' and 'uint4')
  i < 1; g < 1; g < n; // warning: relational comparison result unused // warning: relational comparison result unused // warning: relational comparison result unused
  i ^ g; // error: cannot convert between vector values of different type ('int4' and 'float4')
  n ^ f; // error: invalid operands to binary expression ('int' and 'float')
  g || f; // warning: expression result unused
}
//--- -cl-std=CL1.1
kernel void k(const int n, global const float *f, const global int * const p) {
  n = 1; // error: cannot assign to variable 'n' with const-qualified type 'const int'
  f[0] = 1; // error: read-only variable is not assignable
  *f = 1; // error: read-only variable is not assignable
  p = 0; // error: cannot assign to variable 'p' with const-qualified type '__global const int *const'
  n++; // error: cannot assign to variable 'n' with const-qualified type 'const int'
  (*f)++; // error: read-only variable is not assignable
  f++;
  f += 1;
  const int4 v = 1; v.x = 1; // error: read-only variable is not assignable
  v = 1; // error: cannot assign to variable 'v' with const-qualified type 'const int4'
  const struct { int a; int b[2]; } s = {1};
  s.a = 1; // error: read-only variable is not assignable
  s.b[0] = 1; // error: read-only variable is not assignable
  constant int *c = 0; *c = 1; // error: read-only variable is not assignable
  c[0]++; // error: read-only variable is not assignable
  "abc"[0] = 1; // error: read-only variable is not assignable
  struct { const int a; } t; t.a = 1; // error: read-only variable is not assignable
  t = t; // error: cannot assign to variable 't' with const-qualified type 'const struct (unnamed)'
}
//--- -cl-std=CL1.1
kernel void k(int n) {
  1 = n; // error: expression is not assignable
  n + 1 = 2; // error: expression is not assignable
  n++ = 1; // error: expression is not assignable
  ++n = 1; // error: expression is not assignable
  (n = 1) = 2; // error: expression is not assignable
  (n, n) = 1; // error: expression is not assignable // warning: left operand of comma operator has no effect
  (n ? n : n) = 1; // error: expression is not assignable
  -n = 1; // error: expression is not assignable
  &n = 0; // error: expression is not assignable
  int a[3]; a = 0; // error: array type 'int [3]' is not assignable
  a++; // error: cannot increment value of type 'int [3]'
  int b[3]; a = b; // error: array type 'int [3]' is not assignable
  k = 0; // error: taking address of function is not allowed: 'k'
  (int)n = 1; // error: expression is not assignable
  sizeof(n) = 1; // error: expression is not assignable
  5++; // error: expression is not assignable
  f() = 1; // error: implicit declaration of function 'f' is invalid in OpenCL
}
//--- -cl-std=CL1.1
int f1(int n) { return; } // error: non-void function 'f1' should return a value
int f2(int n) { }
void f3(int n) { return n; } // error: void function 'f3' should not return a value
void f4(int n) { return (void)n; }
float4 f5(int n) { return n; }
float4 f6(int4 n) { return n; } // error: returning 'int4' from a function with result incompatible type 'float4'
int *f7(int n) { return n; } // error: incompatible integer to pointer conversion returning 'int' from a function with result type 'int *'
int *f8(global int *n) { return n; } // error: returning '__global int *' from a function with result type 'int *' changes address space of pointer
int f9(global int *n) { return n; } // error: incompatible pointer to integer conversion returning '__global int *' from a function with result type 'int'
struct S { int a; } ;
struct S f10(int n) { return n; } // error: returning 'int' from a function with result incompatible type 'struct S'
struct T f11(int n);
struct T f12(int n) {} // error: incomplete result type 'struct T' in function definition
int f13(int n)[3]; // error: function cannot return array type 'int [3]'
int f14(int n)(int); // error: function cannot return function type 'int (int)'
image2d_t f15(void); // error: declaring function return value of type '__read_only image2d_t' is not allowed
event_t f16(event_t e) { return e; }
sampler_t f17(sampler_t s) { return s; } // error: declaring function return value of type 'sampler_t' is not allowed
//--- -cl-std=CL2.0
int f1(int n) { return; } // error: non-void function 'f1' should return a value
int f2(int n) { }
void f3(int n) { return n; } // error: void function 'f3' should not return a value
void f4(int n) { return (void)n; }
float4 f5(int n) { return n; }
float4 f6(int4 n) { return n; } // error: returning 'int4' from a function with result incompatible type 'float4'
int *f7(int n) { return n; } // error: incompatible integer to pointer conversion returning 'int' from a function with result type '__generic int *'
int *f8(global int *n) { return n; }
int f9(global int *n) { return n; } // error: incompatible pointer to integer conversion returning '__global int *' from a function with result type 'int'
struct S { int a; } ;
struct S f10(int n) { return n; } // error: returning 'int' from a function with result incompatible type 'struct S'
struct T f11(int n);
struct T f12(int n) {} // error: incomplete result type 'struct T' in function definition
int f13(int n)[3]; // error: function cannot return array type 'int [3]'
int f14(int n)(int); // error: function cannot return function type 'int (int)'
image2d_t f15(void); // error: declaring function return value of type '__read_only image2d_t' is not allowed
event_t f16(event_t e) { return e; }
sampler_t f17(sampler_t s) { return s; } // error: declaring function return value of type 'sampler_t' is not allowed
//--- -cl-std=CL2.0
typedef int T1, T2[3], *T3;
T1 a(T1 x) { T1 T1 = 1; return T1; }
typedef T1 const CT;
void f(CT c) { c = 1; T3 p = &c; T2 arr = {1}; arr[3]; T4 q; } // error: unknown type name 'T4' // error: cannot assign to variable 'c' with const-qualified type 'const int' // warning: initializing '__generic int *' with an expression of type 'const int *' discards qualifiers // warning: array index 3 is past the end of the array (which contains 3 elements) // warning: expression result unused
typedef int; // warning: typedef requires a name
typedef x; // warning: type specifier missing, defaults to 'int'
typedef int y = 1; // error: illegal initializer (only variables can be initialized)
typedef static int z; // error: cannot combine with previous 'typedef' declaration specifier
typedef struct { int a; } S; S s1(S s) { s.b = 1; return s; } // error: no member named 'b' in 'struct (unnamed)'
int g(void) { typedef float L; L l = 1; return l; }
L outside; // error: unknown type name 'L'
unsigned signed int us; // error: cannot combine with previous 'unsigned' declaration specifier
short long sl; // error: cannot combine with previous 'short' declaration specifier
long long ll;
long long long lll; // error: cannot combine with previous 'long long' declaration specifier
double float df; // error: cannot combine with previous 'double' declaration specifier
unsigned float uf; // error: 'unsigned float' is not a type
long float lf; // error: 'long float' is not a type
long double ld;
//--- -cl-std=CL1.1
void f(void) {
  unsigned u; signed s; long l; unsigned long ul; long unsigned lu; short int si; unsigned char uc; signed char sc;
  long int unsigned liu; int long il; 
  unsigned uchar x1; // error: expected ';' at end of declaration
  signed float4 x2; // error: expected ';' at end of declaration
  const const int c = 1; // warning: duplicate 'const' declaration specifier
  int int ii; // error: cannot combine with previous 'int' declaration specifier
  unsigned unsigned uu; // warning: duplicate 'unsigned' declaration specifier
  float4 float f4; // error: expected ';' after expression // warning: expression result unused
  volatile int v; restrict int r; // error: restrict requires a pointer or reference ('int' is invalid)
  int restrict *rp; // error: restrict requires a pointer or reference ('int' is invalid)
  int * restrict rq;
  const int; // warning: declaration does not declare anything
  int; // warning: declaration does not declare anything
  void vv; // error: variable has incomplete type 'void'
  void va[3]; // error: array has incomplete element type 'void'
  char signed cs; bool b = 5; _Bool bb = 3;
  unsigned bool ub; // error: 'unsigned bool' is not a type
}
//--- -cl-std=CL1.1
void f(void) {
  float f1 = 1.0f, f2 = 1.0, f3 = 1., f4 = .5, f5 = 1e5, f6 = 0x1p3, f7 = 0x1.8p-2f, f8 = 1.0h, f9 = 1.0F, f10 = 1.0L; // warning: double precision constant requires cl_khr_fp64, casting to single precision // warning: double precision constant requires cl_khr_fp64, casting to single precision // warning: double precision constant requires cl_khr_fp64, casting to single precision // warning: double precision constant requires cl_khr_fp64, casting to single precision // warning: double precision constant requires cl_khr_fp64, casting to single precision // warning: double precision constant requires cl_khr_fp64, casting to single precision // error: half precision constant requires cl_khr_fp16
  int i1 = 1u, i2 = 1l, i3 = 1ul, i4 = 1lu, i5 = 0x1F, i6 = 017;
  int i7 = 089; // error: invalid digit '8' in octal constant
  int i8 = 1ll;
  int i9 = 1x; // error: invalid suffix 'x' on integer constant
  int i10 = 0x; // error: invalid suffix 'x' on integer constant
  float f11 = 1e; // error: exponent has no digits
  float f12 = 1.0x; // error: invalid suffix 'x' on floating constant
  float f13 = 0x1.0; // error: hexadecimal floating constant requires an exponent
  int c1 = 'a', c2 = '\n', c3 = '\x41', c4 = '\101', c5 = '\0';
  int c6 = ''; // error: empty character constant
  int c7 = 'ab'; // warning: multi-character character constant
  int c8 = '\q'; // warning: unknown escape sequence '\q'
  int b1 = 0b101;
  int i11 = 1lul; // error: invalid suffix 'lul' on integer constant
  int i12 = 1uu; // error: invalid suffix 'uu' on integer constant
  float f14 = 1.0ff; // error: invalid suffix 'ff' on floating constant
}
//--- -cl-std=CL2.0
void f(void) {
  float f1 = 1.0f, f2 = 1.0, f3 = 1., f4 = .5, f5 = 1e5, f6 = 0x1p3, f7 = 0x1.8p-2f, f8 = 1.0h, f9 = 1.0F, f10 = 1.0L; // error: half precision constant requires cl_khr_fp16
  int i1 = 1u, i2 = 1l, i3 = 1ul, i4 = 1lu, i5 = 0x1F, i6 = 017;
  int i7 = 089; // error: invalid digit '8' in octal constant
  int i8 = 1ll;
  int i9 = 1x; // error: invalid suffix 'x' on integer constant
  int i10 = 0x; // error: invalid suffix 'x' on integer constant
  float f11 = 1e; // error: exponent has no digits
  float f12 = 1.0x; // error: invalid suffix 'x' on floating constant
  float f13 = 0x1.0; // error: hexadecimal floating constant requires an exponent
  int c1 = 'a', c2 = '\n', c3 = '\x41', c4 = '\101', c5 = '\0';
  int c6 = ''; // error: empty character constant
  int c7 = 'ab'; // warning: multi-character character constant
  int c8 = '\q'; // warning: unknown escape sequence '\q'
  int b1 = 0b101;
  int i11 = 1lul; // error: invalid suffix 'lul' on integer constant
  int i12 = 1uu; // error: invalid suffix 'uu' on integer constant
  float f14 = 1.0ff; // error: invalid suffix 'ff' on floating constant
}
//--- -cl-std=CL1.1
kernel void k(global int *o, int n, float f) {
  o[0] = _Generic(n, int: 1, float: 2, default: 3);
  o[0] = _Generic(f, int: 1, default: 3);
  o[0] = _Generic(f, int: 1, char: 3); // error: controlling expression type 'float' not compatible with any generic association type
  o[0] = _Generic(n, int: 1, int: 3); // error: type 'int' in generic association compatible with previously specified type 'int'
  o[0] = _Generic(n, default: 1, default: 3); // error: duplicate default generic association
  o[0] = _Generic(n); // error: controlling expression type 'int' not compatible with any generic association type
  o[0] = _Generic(o, global int *: 1, default: 2);
  o[0] = _Generic((float4)(1), float4: 1, int4: 2);
  __typeof__(n) a = 1; __typeof__(int *) b = &a; __typeof(f) c = 2.0f;
  typeof(n) d = 1; // error: implicit declaration of function 'typeof' is invalid in OpenCL // error: use of undeclared identifier 'd'
  o[0] = ({ int t = n; t + 1; });
  o[0] = ({ int t = n; }); // error: assigning to 'int' from incompatible type 'void'
  o[0] = ({ }); // error: assigning to 'int' from incompatible type 'void'
  o[0] = n ?: 3;
  o[0] = f ?: 3; // error: used type 'float' where floating point type is not allowed
  o[0] = __extension__ 3;
  o[0] = __alignof__(n) + _Alignof(float4);
  o[0] = __builtin_offsetof(struct S, a); // error: no member named 'a' in 'struct S'
}
//--- -cl-std=CL1.1
int a(int n) { return n; }
int a(int m);
extern int a(int); // error: OpenCL C version 1.1 does not support the 'extern' storage class specifier
int b(int), c(int);
int (d)(int n) { return n; }
int *e(int *p), *f; // error: program scope variable must reside in constant address space
struct P { int x; } p1(void);
struct P g(struct P q) { struct P r = {q.x}; return r; }
enum { X = 1 } h(void);
const int i(void);
volatile float j(const float k) { return k; }
int k(const int n) { n = 1; return n; } // error: cannot assign to variable 'n' with const-qualified type 'const int'
void l(void) { int a = a; extern int a2(int); a2(1); } // error: OpenCL C version 1.1 does not support the 'extern' storage class specifier
void m(void) { int n(int); n(1); static int o(int); } // error: OpenCL C version 1.1 does not support the 'static' storage class specifier
void q(void) { int r(int x) { return x; } } // error: function definition is not allowed here
void s(int n, int n2), t(void);
static void u(void); // error: OpenCL C version 1.1 does not support the 'static' storage class specifier
void v(void) { u(); }
signed w(unsigned x) { return x; }
//--- -cl-std=CL2.0
int a(int n) { return n; }
int a(int m);
extern int a(int);
int b(int), c(int);
int (d)(int n) { return n; }
int *e(int *p), *f;
struct P { int x; } p1(void);
struct P g(struct P q) { struct P r = {q.x}; return r; }
enum { X = 1 } h(void);
const int i(void);
volatile float j(const float k) { return k; }
int k(const int n) { n = 1; return n; } // error: cannot assign to variable 'n' with const-qualified type 'const int'
void l(void) { int a = a; extern int a2(int); a2(1); }
void m(void) { int n(int); n(1); static int o(int); } // error: function declared in block scope cannot have 'static' storage class
void q(void) { int r(int x) { return x; } } // error: function definition is not allowed here
void s(int n, int n2), t(void);
static void u(void); 
void v(void) { u(); }
signed w(unsigned x) { return x; }
//--- -cl-std=CL1.1
kernel void k(global int *o, int n) {
  int x = n, *y = o, z[2] = {1, 2}, (*w)[2] = &z; // error: initializing 'int *' with an expression of type '__global int *' changes address space of pointer
  for (int i = 0, j = 1; i < j; i++, j--) o[i] = j;
  for (;;) break;
  for (int i = 0; int j = n; i++) { } // error: expected expression
  for (float f = 0; f < 1; f += 0.5f) ;
  while (n--) { if (n == 2) continue; else break; }
  do n++; while (n < 3);
  if (int q = n) { } // error: expected expression
  switch (n) case 1: case 2: o[0] = 1;
  switch (n) { case 1: { case 2: o[0] = 1; } default: ; }
  goto end; { int v = 1; goto end; }
  end: ;
  { label: o[0] = 1; } goto label;
  return;
  o[0] = 2;
  ;;;
  {}
  {{}}
}
//--- -cl-std=CL2.0
kernel void k(global int *o, int n) {
  int x = n, *y = o, z[2] = {1, 2}, (*w)[2] = &z;
  for (int i = 0, j = 1; i < j; i++, j--) o[i] = j;
  for (;;) break;
  for (int i = 0; int j = n; i++) { } // error: expected expression
  for (float f = 0; f < 1; f += 0.5f) ;
  while (n--) { if (n == 2) continue; else break; }
  do n++; while (n < 3);
  if (int q = n) { } // error: expected expression
  switch (n) case 1: case 2: o[0] = 1;
  switch (n) { case 1: { case 2: o[0] = 1; } default: ; }
  goto end; { int v = 1; goto end; }
  end: ;
  { label: o[0] = 1; } goto label;
  return;
  o[0] = 2;
  ;;;
  {}
  {{}}
}
//--- -cl-std=CL1.2
// Of scalars as wide as a vector's elements the unsigned one ranks above the signed elements.
kernel void k(int4 i, uint u, uint4 w, int n, char4 c, uchar uc, long4 l, ulong ul) {
  i = i + u; // error: scalar operand type has greater rank than the type of the vector element. ('int4' and 'uint')
  i = i + 1u; // error: scalar operand type has greater rank than the type of the vector element. ('int4' and 'uint')
  w = w + n;
  w = w + 1;
  i = c == uc ? i : i; // error: scalar operand type has greater rank than the type of the vector element. ('char4' and 'uchar')
  l *= ul; // error: scalar operand type has greater rank than the type of the vector element. ('long4' and 'ulong')
  i = n ? i : u; // error: scalar operand type has greater rank than the type of the vector element. ('int4' and 'uint')
  i = u;
}
//--- -cl-std=CL1.2
kernel void k(void) {
  do ; // error: statement requires expression of scalar type ('int2' invalid)
  while ((int2)0);
}
//--- -cl-std=CL1.2
struct S;
struct S f(void);
kernel void k(void) {
  f(); // error: calling 'f' with incomplete return type 'struct S'
}
//--- -cl-std=CL1.2
kernel void k(void) { constant char *c = "a literal is of char, not of const char"; }
//--- -cl-std=CL1.2
kernel void k(global int *o, int n) {
  switch (n) { case 1: case 2: o[0] = 1; case 3: default: case 4: break; case 5: case 6: } // error: label at end of compound statement: expected statement
  switch (n) case 1: case 2: o[0] = 1;
  switch (n) { if (n) case 1: case 2: o[0] = 1; o[2] = 3; }
  case 1: case 2: o[1] = 1; // error: 'case' statement not in switch statement // error: 'case' statement not in switch statement
}
