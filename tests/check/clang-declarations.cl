// SPDX-License-Identifier: MIT
// Accepts and rejects declarations, types and initializers as clang does, with errors on the same lines.
//--- -cl-std=CL1.1
int f(a, b) int a; float b; { return a; } // warning: a function definition without a prototype is deprecated in all versions of C and is not supported in C2x
kernel void k(global int *o) { o[0] = f(1, 2.0f); }
//--- -cl-std=CL1.1
int f(a) { return a; } // warning: parameter 'a' was not declared, defaults to 'int'; ISO C99 and later do not support implicit int // warning: a function definition without a prototype is deprecated in all versions of C and is not supported in C2x
//--- -cl-std=CL1.1
int f(); 
int f(int a) { return a; } // error: conflicting types for 'f'
kernel void k(global int *o) { o[0] = f(1); } // error: too many arguments to function call, expected 0, have 1
//--- -cl-std=CL1.1
kernel void k(global ulong *o) {
  o[0] = 18446744073709551616; // warning: implicit conversion to 'ulong' changes value from 18446744073709551616 to 0
  o[1] = 0x1FFFFFFFFFFFFFFFF; // warning: implicit conversion to 'ulong' changes value from 36893488147419103231 to 18446744073709551615
  o[2] = 18446744073709551615; // warning: integer literal is too large to be represented in a signed integer type, interpreting as unsigned
  o[3] = 9223372036854775808; // warning: integer literal is too large to be represented in a signed integer type, interpreting as unsigned
  o[4] = 99999999999999999999999999999u; // warning: implicit conversion to 'ulong' changes value from 99999999999999999999999999999 to 7886392056514347007
}
//--- -cl-std=CL1.1
kernel void k(int n, sampler_t s) {
  const sampler_t a = n;
  sampler_t b = 3; // warning: sampler initializer has invalid Filter Mode bits
  const sampler_t c = s;
  sampler_t d = s;
  const sampler_t e;
  sampler_t g;
  constant sampler_t h = 1; // warning: sampler initializer has invalid Filter Mode bits
  constant sampler_t i = n; // error: initializer element is not a compile-time constant
}
//--- -cl-std=CL1.1
kernel void other(int a);
kernel void k(void) { other(1); }
//--- -cl-std=CL1.1
int undefined_function(int);
kernel void k(void) { undefined_function(1); }
//--- -cl-std=CL1.1
void k(void) { int a = undeclared(1); } // error: implicit declaration of function 'undeclared' is invalid in OpenCL
void k2(void) { undeclared2(); undeclared2(); } // error: implicit declaration of function 'undeclared2' is invalid in OpenCL // error: implicit declaration of function 'undeclared2' is invalid in OpenCL
//--- -cl-std=CL1.1
kernel void k(global int *o) {
  int a[o[0]]; // error: variable length arrays are not supported in OpenCL
  int n = 4;
  int b[n]; // error: variable length arrays are not supported in OpenCL
  const int m = 5;
  int c[m];
  int d[-1]; // error: array size is negative
  int e[0];
  int g[2.0f]; // error: size of array has non-integer type 'float'
  int h[]; // error: definition of variable with array type needs an explicit size or an initializer
  int i[] = {1,2};
  int j[2] = {1,2,3}; // warning: excess elements in array initializer
  int l[sizeof(int)*2];
  typedef int T[n]; // error: variable length arrays are not supported in OpenCL
  int (*p)[n]; // error: variable length arrays are not supported in OpenCL
  static int q[n]; // error: OpenCL C version 1.1 does not support the 'static' storage class specifier // error: variable length arrays are not supported in OpenCL
}
//--- -cl-std=CL2.0
kernel void k(global int *o) {
  int a[o[0]]; // error: variable length arrays are not supported in OpenCL
  int n = 4;
  int b[n]; // error: variable length arrays are not supported in OpenCL
  const int m = 5;
  int c[m];
  int d[-1]; // error: array size is negative
  int e[0];
  int g[2.0f]; // error: size of array has non-integer type 'float'
  int h[]; // error: definition of variable with array type needs an explicit size or an initializer
  int i[] = {1,2};
  int j[2] = {1,2,3}; // warning: excess elements in array initializer
  int l[sizeof(int)*2];
  typedef int T[n]; // error: variable length arrays are not supported in OpenCL
  int (*p)[n]; // error: variable length arrays are not supported in OpenCL
  static int q[n]; // error: variable length arrays are not supported in OpenCL
}
//--- -cl-std=CL1.1
struct S { int a; float b; };
struct S;
struct T;
struct T t; // error: program scope variable must reside in constant address space
kernel void k(global struct T *p) {
  struct T x; // error: variable has incomplete type 'struct T'
  p->a = 1; // error: incomplete definition of type 'struct T'
  p++; // error: arithmetic on a pointer to an incomplete type 'struct T'
  p[1]; // error: subscript of pointer to incomplete type 'struct T'
  *p; // error: incomplete type 'struct T' where a complete type is required // warning: expression result unused
  sizeof(struct T); // error: invalid application of 'sizeof' to type 'struct T'
  struct S s = {1, 2, 3}; // warning: excess elements in struct initializer
  struct S s2 = {.c = 1}; // error: field designator 'c' does not refer to any field in type 'struct S'
  struct S s3 = {.a = 1, .b = 2};
  s.c = 1; // error: no member named 'c' in 'struct S'
  s->a = 1; // error: member reference type 'struct S' is not a pointer; did you mean to use '.'?
  p.a = 1; // error: member reference type '__global struct T *' is a pointer; did you mean to use '->'?
  int z = s; // error: initializing 'int' with an expression of incompatible type 'struct S'
  s = 1; // error: assigning to 'struct S' from incompatible type 'int'
}
//--- -cl-std=CL2.0
struct S { int a; float b; };
struct S;
struct T;
struct T t; // error: tentative definition has type 'struct T' that is never completed
kernel void k(global struct T *p) {
  struct T x; // error: variable has incomplete type 'struct T'
  p->a = 1; // error: incomplete definition of type 'struct T'
  p++; // error: arithmetic on a pointer to an incomplete type 'struct T'
  p[1]; // error: subscript of pointer to incomplete type 'struct T'
  *p; // error: incomplete type 'struct T' where a complete type is required // warning: expression result unused
  sizeof(struct T); // error: invalid application of 'sizeof' to type 'struct T'
  struct S s = {1, 2, 3}; // warning: excess elements in struct initializer
  struct S s2 = {.c = 1}; // error: field designator 'c' does not refer to any field in type 'struct S'
  struct S s3 = {.a = 1, .b = 2};
  s.c = 1; // error: no member named 'c' in 'struct S'
  s->a = 1; // error: member reference type 'struct S' is not a pointer; did you mean to use '.'?
  p.a = 1; // error: member reference type '__global struct T *' is a pointer; did you mean to use '->'?
  int z = s; // error: initializing 'int' with an expression of incompatible type 'struct S'
  s = 1; // error: assigning to 'struct S' from incompatible type 'int'
}
//--- -cl-std=CL1.1
enum E { A, B, C = 10, D };
enum E e1(void) { return A; }
enum F { A }; // error: redefinition of 'A'
enum G { X = 1.5f }; // error: expression is not an integer constant expression
enum H { Y = -1, Z = 4294967295 };
enum I { W = 0x100000000 };
enum I2 { W2 = 0x7fffffff, W3 }; // warning: overflow in enumeration value
enum J;
enum J { V };
enum J { V2 }; // error: redefinition of 'J'
enum { }; // error: use of empty enum
enum K { Q, Q }; // error: redefinition of 'Q'
enum E2 {A1,};
struct E { int a; }; // error: use of 'E' with tag type that does not match previous declaration
union E u; // error: use of 'E' with tag type that does not match previous declaration
int arr[D]; // error: program scope variable must reside in constant address space
//--- -cl-std=CL2.0
enum E { A, B, C = 10, D };
enum E e1(void) { return A; }
enum F { A }; // error: redefinition of 'A'
enum G { X = 1.5f }; // error: expression is not an integer constant expression
enum H { Y = -1, Z = 4294967295 };
enum I { W = 0x100000000 };
enum I2 { W2 = 0x7fffffff, W3 }; // warning: overflow in enumeration value
enum J;
enum J { V };
enum J { V2 }; // error: redefinition of 'J'
enum { }; // error: use of empty enum
enum K { Q, Q }; // error: redefinition of 'Q'
enum E2 {A1,};
struct E { int a; }; // error: use of 'E' with tag type that does not match previous declaration
union E u; // error: use of 'E' with tag type that does not match previous declaration
int arr[D];
//--- -cl-std=CL1.1
union U { int a; float b; };
kernel void k(void) {
  union U u = {1};
  union U v = {.b = 1.0f};
  union U w = {1, 2}; // warning: excess elements in union initializer
  union U x = u;
  u.a = 1; u.b = 2;
  u.c = 3; // error: no member named 'c' in 'union U'
  union { int a; } an; an.a = 1;
  struct { union { int p; float q; }; int r; } nn; nn.p = 1; nn.q = 2; nn.z = 3; // error: no member named 'z' in 'struct (unnamed)'
}
//--- -cl-std=CL1.1
struct F1 { int n; int a[]; };
struct F2 { int a[]; int n; }; // error: an array without a size can only be the last member of a struct
struct F3 { int a[]; }; // error: flexible array member 'a' not allowed in otherwise empty struct
struct F4 { int n; int a[0]; };
union F5 { int n; int a[]; }; // error: an array without a size can only be the last member of a struct
struct F6 { struct F1 f; int x; }; // warning: field 'f' with variable sized type 'struct F1' not at the end of a struct or class is a GNU extension
struct F7 { int n; struct F1 f; };
typedef struct F1 AF[3];
//--- -cl-std=CL1.1
struct B1 { int a : 3; }; // error: bit-fields are not supported in OpenCL
struct B2 { int : 3; }; // error: bit-fields are not supported in OpenCL
struct B3 { int : 0; int b; }; // error: bit-fields are not supported in OpenCL
struct B4 { unsigned a : 33; }; // error: bit-fields are not supported in OpenCL
struct B5 { float a : 3; }; // error: bit-fields are not supported in OpenCL
struct B6 { int a : -1; }; // error: bit-fields are not supported in OpenCL
union B7 { int a : 3; }; // error: bit-fields are not supported in OpenCL
//--- -cl-std=CL1.1
kernel void k(void) {
  int a[5] = {[2] = 3, 4};
  int b[5] = {[5] = 3}; // error: array designator index (5) exceeds array bounds
  int c[5] = {[-1] = 3}; // error: array designator index (-1) exceeds array bounds
  int d[] = {[10] = 3};
  int e[5] = {[1 ... 3] = 3};
  int f[5] = {[3 ... 1] = 3}; // error: array designator index (1) exceeds array bounds
  int g[5] = {.x = 3}; // error: field designator cannot initialize a non-struct, non-union type 'int [5]'
  int h = {1};
  int i = {1, 2}; // warning: excess elements in scalar initializer
  int j = {}; // error: scalar initializer cannot be empty
  int l = {{1}}; // warning: too many braces around scalar initializer
  int m[2][2] = {1,2,3,4};
  int n[2][2] = {{1,2},{3,4},{5,6}}; // warning: excess elements in array initializer
  int o[2][2] = {{1,2,3}}; // warning: excess elements in array initializer
  int p[2] = 1; // error: array initializer must be an initializer list or string literal
  int q[2] = b; // error: array initializer must be an initializer list or string literal
  char s[3] = "abc";
  char t[2] = "abc"; // warning: initializer-string for char array is too long
  char u[] = "abc";
}
//--- -cl-std=CL2.0
struct P { int x, y; };
kernel void k(global int *o) {
  struct P p = (struct P){1, 2};
  struct P *q = &(struct P){1, 2};
  int *a = (int[]){1, 2, 3};
  int b = ((int[3]){1,2,3})[1];
  o[0] = (struct P){.y = 1}.y;
  int c = (int){1};
  int d = (int){1, 2}; // warning: excess elements in scalar initializer
  (int){1} = 2;
  &(int){1}; // warning: expression result unused
  float4 v = (float4){1,2,3,4};
  float4 w = (float4){1,2,3}; // error: too few elements in vector initialization (expected 4 elements, have 3)
  const int *e = &(const int){3};
}
constant int *cp = (constant int[]){1,2};
constant int *cq = &(constant int){1};
constant struct P sp = (struct P){1,2};
//--- -cl-std=CL1.1
kernel void k(int n) {
  switch (n) { case 1: break; case 1: break; } // error: duplicate case value '1'
  switch (n) { case 1 ... 3: break; case 2: break; } // error: duplicate case value '2'
  switch (n) { case 3 ... 1: break; } // warning: empty case range specified
  switch (n) { case 0 ... 5000: break; case 4000: break; } // error: duplicate case value '4000'
  switch (n) { case -1: break; case 0 ... 5000: break; case 5001 ... 2000000000: break; }
  switch (n) { default: break; default: break; } // error: multiple default labels in one switch
  switch (n) { case n: break; } // error: expression is not an integer constant expression
  switch (n) { case 1.5f: break; } // error: expression is not an integer constant expression
  switch (n) { int a = 1; case 1: a++; }
  switch (1.5f) { case 1: break; } // error: statement requires expression of integer type ('float' invalid)
  switch ((int2)(1,2)) { case 1: break; } // error: statement requires expression of integer type ('int2' invalid)
  switch (n) { case 4294967297: break; case 1: break; } // warning: overflow converting case value to switch condition type (4294967297 to 1) // error: duplicate case value '1'
  switch ((char)n) { case 300: break; } // warning: overflow converting case value to switch condition type (300 to 44)
  case 5: n++; // error: 'case' statement not in switch statement
  default: n++; // error: 'default' statement not in switch statement
  break; // error: 'break' statement not in loop or switch statement
  continue; // error: 'continue' statement not in loop statement
  while (n) { continue; break; }
  switch (n) { continue; } // error: 'continue' statement not in loop statement
  switch (n) case 1: n++;
  switch (n) { }
  switch (n) { case 1: } // error: label at end of compound statement: expected statement
}
//--- -cl-std=CL2.0
static int s1;
static int s2 = 3;
static constant int s3 = 4;
static global int s4 = 4;
static const int s5 = 4;
int s6;
const int s7 = 1;
constant int s8; // error: variable in constant address space must be initialized
constant int s9 = 1;
global int s10 = 1;
local int s11; // error: program scope variable must reside in global or constant address space
private int s12; // error: program scope variable must reside in global or constant address space
extern constant int s13;
extern int s14;
extern global int s15;
extern int s16 = 1; // warning: 'extern' variable has an initializer
global int *s17;
constant int * constant s18 = &s9;
//--- -cl-std=CL1.1
kernel void k(int n) {
  static int a; // error: OpenCL C version 1.1 does not support the 'static' storage class specifier
  static int b = 3; // error: OpenCL C version 1.1 does not support the 'static' storage class specifier
  static constant int c = 4; // error: OpenCL C version 1.1 does not support the 'static' storage class specifier
  static global int d = 4; // error: OpenCL C version 1.1 does not support the 'static' storage class specifier // error: function scope variable cannot be declared in global address space
  static const int e = 5; // error: OpenCL C version 1.1 does not support the 'static' storage class specifier
  static local int f; // error: OpenCL C version 1.1 does not support the 'static' storage class specifier
  extern int g; // error: OpenCL C version 1.1 does not support the 'extern' storage class specifier
  extern constant int h; // error: OpenCL C version 1.1 does not support the 'extern' storage class specifier // error: variable in constant address space must be initialized
  extern global int i; // error: OpenCL C version 1.1 does not support the 'extern' storage class specifier // error: function scope variable cannot be declared in global address space
  extern int j = 1; // error: OpenCL C version 1.1 does not support the 'extern' storage class specifier
  local int l;
  local int l2 = 1; // error: '__local' variable cannot have an initializer
  global int m; // error: function scope variable cannot be declared in global address space
  global int *o;
  constant int p = 1;
  constant int q; // error: variable in constant address space must be initialized
  constant int r = n; // error: initializer element is not a compile-time constant
  private int s = 1;
  static int t = n; // error: OpenCL C version 1.1 does not support the 'static' storage class specifier
}
//--- -cl-std=CL2.0
kernel void k(int n) {
  static int a;
  static int b = 3;
  static constant int c = 4;
  static global int d = 4;
  static const int e = 5;
  static local int f; // error: static local variable must reside in global or constant address space
  extern int g;
  extern constant int h;
  extern global int i;
  extern int j = 1; // error: declaration of block scope identifier 'j' with linkage cannot have an initializer
  local int l;
  local int l2 = 1; // error: '__local' variable cannot have an initializer
  global int m; // error: function scope variable cannot be declared in global address space
  global int *o;
  constant int p = 1;
  constant int q; // error: variable in constant address space must be initialized
  constant int r = n; // error: initializer element is not a compile-time constant
  private int s = 1;
  static int t = n; // error: initializer element is not a compile-time constant
}
//--- -cl-std=CL1.1
void f(int n) {
  local int l; // error: non-kernel function variable cannot be declared in local address space
  constant int c = 1; // error: non-kernel function variable cannot be declared in constant address space
  static constant int c2 = 1; // error: OpenCL C version 1.1 does not support the 'static' storage class specifier // error: non-kernel function variable cannot be declared in constant address space
  global int g; // error: function scope variable cannot be declared in global address space
  extern local int el; // error: OpenCL C version 1.1 does not support the 'extern' storage class specifier // error: non-kernel function variable cannot be declared in local address space
  local int *lp;
  { local int l3; } // error: non-kernel function variable cannot be declared in local address space
}
kernel void k(int n) {
  { local int l; } // error: variables in the local address space can only be declared in the outermost scope of a kernel function
  if (n) { local int l; } // error: variables in the local address space can only be declared in the outermost scope of a kernel function
  for (int i = 0; i < n; i++) { local int l; constant int z = 3; } // error: variables in the local address space can only be declared in the outermost scope of a kernel function // error: variables in the constant address space can only be declared in the outermost scope of a kernel function
  for (local int i = 0; i < n; i++) { } // error: variables in the local address space can only be declared in the outermost scope of a kernel function
  { constant int c = 1; } // error: variables in the constant address space can only be declared in the outermost scope of a kernel function
  while (n) local int x; // error: expected expression
}
//--- -cl-std=CL2.0
void f(int n) {
  local int l; // error: non-kernel function variable cannot be declared in local address space
  constant int c = 1; // error: non-kernel function variable cannot be declared in constant address space
  static constant int c2 = 1;
  global int g; // error: function scope variable cannot be declared in global address space
  extern local int el; // error: extern variable must reside in global or constant address space
  local int *lp;
  { local int l3; } // error: non-kernel function variable cannot be declared in local address space
}
kernel void k(int n) {
  { local int l; } // error: variables in the local address space can only be declared in the outermost scope of a kernel function
  if (n) { local int l; } // error: variables in the local address space can only be declared in the outermost scope of a kernel function
  for (int i = 0; i < n; i++) { local int l; constant int z = 3; } // error: variables in the local address space can only be declared in the outermost scope of a kernel function // error: variables in the constant address space can only be declared in the outermost scope of a kernel function
  for (local int i = 0; i < n; i++) { } // error: variables in the local address space can only be declared in the outermost scope of a kernel function
  { constant int c = 1; } // error: variables in the constant address space can only be declared in the outermost scope of a kernel function
  while (n) local int x; // error: expected expression
}
//--- -cl-std=CL1.1
int f(void);
static int f(void) { return 1; } // error: OpenCL C version 1.1 does not support the 'static' storage class specifier
static int g(void); // error: OpenCL C version 1.1 does not support the 'static' storage class specifier
int g(void) { return 1; }
int h(int);
float h(int); // error: conflicting types for 'h'
int h(float); // error: conflicting types for 'h'
int i(void) { return 1; }
int i(void) { return 1; } // error: redefinition of 'i'
extern int j; // error: OpenCL C version 1.1 does not support the 'extern' storage class specifier // error: program scope variable must reside in constant address space
static int j; // error: OpenCL C version 1.1 does not support the 'static' storage class specifier // error: program scope variable must reside in constant address space
typedef int T;
typedef int T; // warning: redefinition of typedef 'T' is a C11 feature
typedef float T; // error: typedef redefinition with different types ('float' vs 'int') of 'T'
int T; // error: program scope variable must reside in constant address space
int v; float v; // error: program scope variable must reside in constant address space // error: program scope variable must reside in constant address space
int a1[]; int a1[3]; // error: program scope variable must reside in constant address space // error: program scope variable must reside in constant address space
int a2[2]; int a2[3]; // error: program scope variable must reside in constant address space // error: program scope variable must reside in constant address space
void T2(void); int T2; // error: program scope variable must reside in constant address space
//--- -cl-std=CL2.0
int f(void);
static int f(void) { return 1; } // error: static declaration of 'f' follows non-static declaration
static int g(void);
int g(void) { return 1; }
int h(int);
float h(int); // error: conflicting types for 'h'
int h(float); // error: conflicting types for 'h'
int i(void) { return 1; }
int i(void) { return 1; } // error: redefinition of 'i'
extern int j;
static int j; // error: static declaration of 'j' follows non-static declaration
typedef int T;
typedef int T; // warning: redefinition of typedef 'T' is a C11 feature
typedef float T; // error: typedef redefinition with different types ('float' vs 'int') of 'T'
int T; // error: redefinition of 'T' as different kind of symbol
int v; float v; // error: redefinition of 'v' with a different type: 'float' vs 'int'
int a1[]; int a1[3]; 
int a2[2]; int a2[3]; // error: redefinition of 'a2' with a different type: 'int [3]' vs 'int [2]'
void T2(void); int T2; // error: redefinition of 'T2' as different kind of symbol
//--- -cl-std=CL1.1
inline int f(int a) { return a; }
static inline int g(int a) { return a; } // error: OpenCL C version 1.1 does not support the 'static' storage class specifier
extern inline int h(int a) { return a; } // error: OpenCL C version 1.1 does not support the 'extern' storage class specifier
inline int x; // error: program scope variable must reside in constant address space
inline kernel void k(global int *o) { o[0] = f(1) + g(1) + h(1); }
inline typedef int t; // error: 'inline' can only appear on functions
struct inline S { int a; }; // error: declaration of anonymous struct must be a definition
kernel inline void k2(void) {}
static kernel void k3(void) {} // error: OpenCL C version 1.1 does not support the 'static' storage class specifier
extern kernel void k4(void) {} // error: OpenCL C version 1.1 does not support the 'extern' storage class specifier
kernel void k5(inline int a) {} // error: 'inline' can only appear on functions
kernel int k6(void) { return 1; } // error: kernel must have void return type
kernel k7(void) { } // warning: type specifier missing, defaults to 'int' // error: kernel must have void return type
kernel int v; // error: program scope variable must reside in constant address space
kernel struct S2 { int a; };
kernel kernel void k8(void) {}
__kernel void __kernel k9(void) {}
//--- -cl-std=CL2.0
inline int f(int a) { return a; }
static inline int g(int a) { return a; }
extern inline int h(int a) { return a; }
inline int x; // error: 'inline' can only appear on functions
inline kernel void k(global int *o) { o[0] = f(1) + g(1) + h(1); }
inline typedef int t; // error: 'inline' can only appear on functions
struct inline S { int a; }; // error: declaration of anonymous struct must be a definition
kernel inline void k2(void) {}
static kernel void k3(void) {} // error: kernel functions cannot be declared static
extern kernel void k4(void) {}
kernel void k5(inline int a) {} // error: 'inline' can only appear on functions
kernel int k6(void) { return 1; } // error: kernel must have void return type
kernel k7(void) { } // warning: type specifier missing, defaults to 'int' // error: kernel must have void return type
kernel int v; // error: 'kernel' attribute only applies to functions
kernel struct S2 { int a; };
kernel kernel void k8(void) {}
__kernel void __kernel k9(void) {}
//--- -cl-std=CL1.1
kernel void k(int n) {
  int a[(int)3.5]; // warning: double precision constant requires cl_khr_fp64, casting to single precision
  int b[(int)3.5f + 1];
  int c[3 + (int)1.0]; // warning: double precision constant requires cl_khr_fp64, casting to single precision
  int d[sizeof(int[4]) / sizeof(int)];
  int e[1 ? 4 : n]; // error: variable length arrays are not supported in OpenCL
  int f[(1, 3)]; // error: variable length arrays are not supported in OpenCL
  int g['a'];
  int h[-1 + 2];
  int i[1 / 0]; // error: variable length arrays are not supported in OpenCL
  int j[true];
  int l[1.0f < 2.0f ? 2 : 3]; // error: variable length arrays are not supported in OpenCL
  int m[&n == 0]; // warning: comparison of address of 'n' equal to a null pointer is always false // error: variable length arrays are not supported in OpenCL
  int o[max(1, 2)]; // error: variable length arrays are not supported in OpenCL
  int p[__builtin_constant_p(3) + 1];
  int q[(uchar)257];
  int r[sizeof(n)];
  int s[0x7fffffff];
  int t[1 << 3];
  int u[(1 || n) + 1]; // error: variable length arrays are not supported in OpenCL
}
//--- -cl-std=CL2.0
kernel void k(int n) {
  int a[(int)3.5];
  int b[(int)3.5f + 1];
  int c[3 + (int)1.0];
  int d[sizeof(int[4]) / sizeof(int)];
  int e[1 ? 4 : n]; // error: variable length arrays are not supported in OpenCL
  int f[(1, 3)]; // error: variable length arrays are not supported in OpenCL
  int g['a'];
  int h[-1 + 2];
  int i[1 / 0]; // error: variable length arrays are not supported in OpenCL
  int j[true];
  int l[1.0f < 2.0f ? 2 : 3]; // error: variable length arrays are not supported in OpenCL
  int m[&n == 0]; // warning: comparison of address of 'n' equal to a null pointer is always false // error: variable length arrays are not supported in OpenCL
  int o[max(1, 2)]; // error: variable length arrays are not supported in OpenCL
  int p[__builtin_constant_p(3) + 1];
  int q[(uchar)257];
  int r[sizeof(n)];
  int s[0x7fffffff];
  int t[1 << 3];
  int u[(1 || n) + 1]; // error: variable length arrays are not supported in OpenCL
}
//--- -cl-std=CL1.1
constant int N = 4; 
struct S { int a[N]; };
int f(int a[N]);
enum { A = N };
constant int arr[N] = {1,2,3,4};
constant int arr2[] = {[N] = 1};
typedef float T[N];
_Static_assert(N == 4, "x");
_Static_assert(sizeof(T) == 16, "size");
_Static_assert(0, "fails"); // error: static assertion failed: fails
_Static_assert(1.0f, "x"); // error: expression is not an integer constant expression
_Static_assert(1); // warning: '_Static_assert' with no message is a C2x extension
_Static_assert(sizeof(int) == 4, 3); // error: expected string literal for diagnostic message in static_assert
__attribute__((reqd_work_group_size(N,1,1))) kernel void k(void) { _Static_assert(1, "in"); _Static_assert(sizeof(char) == 2, "in2"); } // error: static assertion failed: in2
struct S2 { int a; _Static_assert(1, "in struct"); int b; };
struct S3 { int a; _Static_assert(0, "in struct"); int b; }; // error: static assertion failed: in struct
//--- -cl-std=CL1.2
struct S { c; int d; }; // error: type name requires a specifier or qualifier
struct T { static int a; }; // error: type name does not allow storage class to be specified
//--- -cl-std=CL1.2
void f(void) {
  int a = 1, // error: expected ';' at end of declaration
  return;
}
void g(void) {
  int a = 1,
      b = 2,
      c;
  float e, // error: expected ';' at end of declaration
  for (;;) {}
}
//--- -cl-std=CL1.2
// A built-in function with the same parameters returns another type; the others are overloads of them.
int abs(int a) { return a; } // error: conflicting types for 'abs'
double fmod(float x, float y) { return x; } // error: conflicting types for 'fmod'
float sin(float a) { return a; }
int max(int a, int b) { return a; }
half2 hypot2(float a) { return (half2)0; }
//--- -cl-std=CL1.2
void f(int a) { f(a, { // error: expected expression
  1 }); }
//--- -cl-std=CL1.2
struct S { int a; } // error: expected ';' after struct
//--- -cl-std=CL3.0
void twice(int a, int a); // error: redefinition of parameter 'a'
static int s = 1;
int s; // error: non-static declaration of 's' follows static declaration
static constant int t = 1; extern constant int t;
int implicit(const a) { return a; } // warning: type specifier missing, defaults to 'int'
int unnamed(int a, int) { return a; } // warning: omitting the parameter name in a function definition is a C2x extension
void spaces(__global int __global *p); // warning: duplicate '__global' declaration specifier
struct S { _Alignas(8) char c; _Alignas(int4) char d; };
_Static_assert(sizeof(struct S) == 32, "aligned by _Alignas");
void aligned(void) { int _Alignas(32) a; _Alignas(8) _Alignas(16) int b; }
noreturn void z(void); // error: unknown type name 'noreturn'
