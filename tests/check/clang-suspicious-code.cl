// SPDX-License-Identifier: MIT
// Warnings about valid code that probably means something else: clang's defaults.
//--- -cl-std=CL2.0
int *r1(int n) { struct { int a; int b[2]; } s; return &s.a; } // warning: address of stack memory associated with local variable 's' returned
int *r2(int n) { int a[2]; return a + 1; } // warning: address of stack memory associated with local variable 'a' returned
int *r3(int n) { int a[2]; return &a[1]; } // warning: address of stack memory associated with local variable 'a' returned
int *r4(int n) { int a; int *p = &a; return p; }
int *r5(int n) { return &n; } // warning: address of stack memory associated with local variable 'n' returned
int *r6(int n) { int a; return (int *)&a; } // warning: address of stack memory associated with local variable 'a' returned
int *r7(int n) { int a; return n ? &a : 0; } // warning: address of stack memory associated with local variable 'a' returned
int *r8(int n) { int a; return n ? 0 : &a; } // warning: address of stack memory associated with local variable 'a' returned
int *r9(int n) { int a; return (n, &a); } // warning: address of stack memory associated with local variable 'a' returned // warning: left operand of comma operator has no effect
int *r10(int n) { int a[2][3]; return a[1]; } // warning: address of stack memory associated with local variable 'a' returned
int *r11(int n) { return (int[]){1, 2}; }
int *r12(int n) { return &(int){1}; }
int *r13(int n) { static int a; return &a; }
int *r14(int n) { int a; return &*&a; } // warning: address of stack memory associated with local variable 'a' returned
int *r15(int n) { struct { int *p; } s; return s.p; }
int *r16(int n) { struct { int a; } s[2]; return &s[1].a; } // warning: address of stack memory associated with local variable 's' returned
int *r17(int n) { struct { int a; } *s; return &s->a; }
float *r18(int n) { float4 v; return (float *)&v; } // warning: address of stack memory associated with local variable 'v' returned
int *r19(int *p) { return p + 1; }
int *r20(int n) { int a; return &a + 1; } // warning: address of stack memory associated with local variable 'a' returned
int *r21(int n) { int a[2]; return 1 + a; } // warning: address of stack memory associated with local variable 'a' returned
int *r22(int n) { int a[2]; return a - 1; } // warning: address of stack memory associated with local variable 'a' returned
int *r23(int a[3]) { return a; }
uint *r24(void) { int a; return &a; } // warning: address of stack memory associated with local variable 'a' returned // warning: returning 'int *' from a function with result type '__generic uint *' converts between pointers to integer types with different sign
void *r25(void) { int a; return &a; } // warning: address of stack memory associated with local variable 'a' returned
const int *r26(void) { const int a = 1; return &a; } // warning: address of stack memory associated with local variable 'a' returned
int *r27(void) { int a; return ({ &a; }); }
int *r28(int n) { int a; int b; return n ? &a : &b; } // warning: address of stack memory associated with local variable 'a' returned // warning: address of stack memory associated with local variable 'b' returned
size_t r29(void) { int a; return (size_t)&a; } // warning: address of stack memory associated with local variable 'a' returned
int *r30(void) { int a[2]; return &0[a]; } // warning: address of stack memory associated with local variable 'a' returned
int *r31(void) { struct { int a[2]; } s; return s.a; } // warning: address of stack memory associated with local variable 's' returned
typedef int (^B)(void);
//--- -cl-std=CL2.0
void sz(int a[3], int b[], int *p) {
  int n = sizeof(a); n = sizeof a; n = sizeof(b); n = sizeof(p); n = sizeof(*a); n = sizeof(a[0]); n = sizeof((a)); // warning: sizeof on array function parameter will return size of '__generic int *' instead of 'int [3]' // warning: sizeof on array function parameter will return size of '__generic int *' instead of 'int [3]' // warning: sizeof on array function parameter will return size of '__generic int *' instead of 'int []' // warning: sizeof on array function parameter will return size of '__generic int *' instead of 'int [3]'
  int c[3]; n = sizeof(c + 1); n = sizeof(c - 1); n = sizeof(c); n = sizeof(1 + c); n = sizeof(c, 1); // warning: sizeof on pointer operation will return size of 'int *' instead of 'int [3]' // warning: sizeof on pointer operation will return size of 'int *' instead of 'int [3]' // warning: sizeof on pointer operation will return size of 'int *' instead of 'int [3]'
  n = sizeof(&c); n = sizeof(c) / sizeof(c[0]); n = sizeof(c) / sizeof(int *); n = sizeof(p) / sizeof(p[0]); // warning: expression does not compute the number of elements in this array; element type is 'int', not '__generic int *' // warning: 'sizeof' will return the size of the pointer, not the array itself
  n = sizeof(p) / sizeof(*p); n = sizeof(c) / sizeof(float); n = sizeof(a) / sizeof(a[0]); n = _Alignof(a); // warning: 'sizeof' will return the size of the pointer, not the array itself // warning: sizeof on array function parameter will return size of '__generic int *' instead of 'int [3]' // warning: 'sizeof' will return the size of the pointer, not the array itself // warning: '_Alignof' applied to an expression is a GNU extension
  n = sizeof(n = 1); n = sizeof(n++); n = sizeof(n == 1); // warning: expression with side effects has no effect in an unevaluated context // warning: expression with side effects has no effect in an unevaluated context
  n = sizeof(sizeof(n)); n = sizeof(p - 1);
}
//--- -cl-std=CL2.0
void fl(float f, double d, float4 v) {
  if (f == 0.1) {} if (f != 0.1) {} if (f < 0.1) {} if (f == 0.5) {} if (0.1 == f) {} if (f == 0.1f) {} // warning: floating-point comparison is always false; constant cannot be represented exactly in type 'float' // warning: floating-point comparison is always true; constant cannot be represented exactly in type 'float' // warning: floating-point comparison is always false; constant cannot be represented exactly in type 'float'
  if (d == 0.1) {} if (f == (double)0.1) {} if (f == 1e300) {} if (f > 1e300) {} if (f == 1.0/3) {} // warning: floating-point comparison is always false; constant cannot be represented exactly in type 'float'
  if ((f == 0.1)) {} // warning: floating-point comparison is always false; constant cannot be represented exactly in type 'float' // warning: equality comparison with extraneous parentheses
  f = f == 0.1; f = f == 0.3 ? 1 : 2; while (f == 0.1) {} if (f == 16777217) {} if (f == 3) {} // warning: floating-point comparison is always false; constant cannot be represented exactly in type 'float' // warning: floating-point comparison is always false; constant cannot be represented exactly in type 'float' // warning: floating-point comparison is always false; constant cannot be represented exactly in type 'float' // warning: implicit conversion from 'int' to 'float' changes value from 16777217 to 16777216
  if (d == 16777217.0f) {} if (f == M_PI) {} if (f == M_PI_F) {} // warning: floating-point comparison is always false; constant cannot be represented exactly in type 'float'
}
//--- -cl-std=CL2.0
const const int x1 = 1; volatile volatile int x2; const int const x3 = 1; static static int x4; // warning: duplicate 'const' declaration specifier // warning: duplicate 'volatile' declaration specifier // warning: duplicate 'const' declaration specifier // warning: duplicate 'static' declaration specifier
typedef const int CI; const CI x5 = 1; int const const x6 = 1; int * const const x7 = 0; // warning: duplicate 'const' declaration specifier // warning: duplicate 'const' declaration specifier
inline inline void f1(void) {} extern extern int x8; // warning: duplicate 'inline' declaration specifier // warning: duplicate 'extern' declaration specifier
kernel kernel void k1(void) {} global global int *g1; // warning: duplicate 'global' declaration specifier
int restrict *x9; void f2(global int * restrict restrict p) {} void f3(const volatile const int x) {} // error: restrict requires a pointer or reference ('int' is invalid) // warning: duplicate 'restrict' declaration specifier // warning: duplicate 'const' declaration specifier
kernel void k2(read_only read_only image2d_t i) {} kernel void k3(global global int *p) {} signed signed x10; // warning: duplicate 'read_only' declaration specifier // warning: duplicate 'global' declaration specifier // warning: duplicate 'signed' declaration specifier
__attribute__((noinline)) __attribute__((noinline)) void f4(void) {} 
long long x11; long long int x12; unsigned unsigned x13; // warning: duplicate 'unsigned' declaration specifier
struct S { const const int a; static int b; } s; // warning: duplicate 'const' declaration specifier // error: type name does not allow storage class to be specified
enum { E1, E2, E1a = E1 };
_Noreturn _Noreturn void f5(void); // warning: duplicate '_Noreturn' declaration specifier
//--- -cl-std=CL2.0
enum A { A1, A2 } ; enum B { B1, B2 };
void en(enum A a, enum B b, int n) {
  a = B1; a = b; a = 1; a = n; b = A1; n = a; enum A c = B2; a = n ? A1 : B1; a = (enum A)B1; if (a == b) {} // warning: implicit conversion from enumeration type 'enum B' to different enumeration type 'enum A' // warning: implicit conversion from enumeration type 'enum B' to different enumeration type 'enum A' // warning: implicit conversion from enumeration type 'enum A' to different enumeration type 'enum B' // warning: implicit conversion from enumeration type 'enum B' to different enumeration type 'enum A' // warning: implicit conversion from enumeration type 'enum B' to different enumeration type 'enum A' // warning: comparison of different enumeration types ('enum A' and 'enum B')
  if (a == B1) {} if (A1 == B1) {} switch (a) { case B1: break; case A2: break; } a++; a += b; a = a | A2;
  n = a + b; n = a & b; n = n ? a : b; a = 5; a = A1 | A2; a = -1;
  enum A arr[2] = {B1, A1}; // warning: implicit conversion from enumeration type 'enum B' to different enumeration type 'enum A'
}
enum A ret(enum B b) { return b; } enum A ret2(void) { return B1; } enum A ret3(void) { return 1; } // warning: implicit conversion from enumeration type 'enum B' to different enumeration type 'enum A' // warning: implicit conversion from enumeration type 'enum B' to different enumeration type 'enum A'
enum O1 { O11 = 2147483647, O12 }; enum O2 { O21 = 0xffffffff, O22 }; // warning: overflow in enumeration value // warning: overflow in enumeration value
enum O3 { O31 = 0x7fffffffffffffff, O32 }; enum O4 { O41 = 0xffffffffffffffff, O42 }; // warning: overflow in enumeration value // warning: overflow in enumeration value
enum O5 { O51 = -1, O52 = 0xffffffff }; enum O6 { O61 = 5000000000 }; enum O7 { O71 = -5000000000 };
enum O8 { O81 = 4294967296, O82 = -1 }; enum O9 { O91 = 1.5 }; enum { O101 = 0x80000000, O102 = -1 }; // error: expression is not an integer constant expression
enum O11 {}; enum O12e { OA, }; enum OB; enum OC { OC1 = 'a', OC2 = sizeof(int), OC3 = 1u }; // error: use of empty enum
//--- -cl-std=CL2.0
void br(void) {
  int a = {1}; int b = {{1}}; int c = {{{1}}}; int d[2] = {{1}, 2}; int e[2] = {{{1}}, 2}; float f = {1, 2}; // warning: too many braces around scalar initializer // warning: too many braces around scalar initializer // warning: too many braces around scalar initializer // warning: braces around scalar initializer // warning: too many braces around scalar initializer // warning: excess elements in scalar initializer
  int g = {}; int h[2] = {{1, 2}, 3}; int *p = {0}; int *q = {{0}}; float4 v = {{1, 2, 3, 4}}; // error: scalar initializer cannot be empty // warning: excess elements in scalar initializer // warning: too many braces around scalar initializer // warning: excess elements in scalar initializer // error: too few elements in vector initialization (expected 4 elements, have 1)
  float4 w = {{1}, 2, 3, 4}; struct { int a; } s = {{1}}; struct { int a; } t = {{{1}}}; int i[1] = {{{1}}}; // warning: braces around scalar initializer // warning: braces around scalar initializer // warning: too many braces around scalar initializer // warning: too many braces around scalar initializer
  int j[2] = {1, 2, 3}; int k[2][2] = {1, 2, 3, 4, 5}; int l[2][2] = {{1, 2, 3}}; struct { int a; int b; } // warning: excess elements in array initializer // warning: excess elements in array initializer // warning: excess elements in array initializer
  u = {1, 2, 3}; char m[2] = "abc"; char n[3] = "abc"; char o[] = {"abc"}; char r[2] = {"abc"}; // warning: excess elements in struct initializer // warning: initializer-string for char array is too long // warning: initializer-string for char array is too long
  char x[2] = {"a", "b"}; float4 y = {1, 2, 3, 4, 5}; float4 z = {1, 2}; // warning: excess elements in char array initializer // error: excess elements in vector initializer // error: too few elements in vector initialization (expected 4 elements, have 2)
  int aa[3] = {[0] = 1, [0] = 2}; struct { int a, b; } ab = {.a = 1, .a = 2}; int ac[3] = {1, [0] = 2}; // warning: initializer overrides prior initialization of this subobject // warning: initializer overrides prior initialization of this subobject // warning: initializer overrides prior initialization of this subobject
  struct { int a[2]; } ad = {.a = {1}, .a[0] = 2}; struct { int a[2]; } ae = {1, .a = {1, 2}}; // warning: initializer overrides prior initialization of this subobject // warning: initializer overrides prior initialization of this subobject
  int af[2] = {[5] = 1}; int ag[] = {[2] = 1, 5}; union { int a; float b; } ah = {1, 2}; union { int a; // error: array designator index (5) exceeds array bounds // warning: excess elements in union initializer
  float b; } ai = {.a = 1, .b = 2}; struct { struct { int x, y; } p; } aj = {.p = {1, 2}, .p.x = 3}; // warning: initializer overrides prior initialization of this subobject // warning: initializer overrides prior initialization of this subobject
  struct { struct { int x, y; } p; } ak = {1, 2, .p.y = 3}; // warning: initializer overrides prior initialization of this subobject
}
//--- -cl-std=CL2.0
struct V1 { int n; int a[]; }; struct V2 { struct V1 v; int b; }; struct V3 { int b; struct V1 v; }; // warning: field 'v' with variable sized type 'struct V1' not at the end of a struct or class is a GNU extension
struct V1 arr[2]; union U { struct V1 v; int a; }; struct V4 { int a[0]; int b; }; struct V5 { int a[]; }; // error: flexible array member 'a' not allowed in otherwise empty struct
struct V6 { }; struct V7 { int a[]; int b; }; struct V8 { int n; int a[0]; }; struct V9 { struct V8 v; int b; // error: an array without a size can only be the last member of a struct
};
struct { int a; }; struct T1 { struct { int a; }; int b; }; struct T2 { int; float; }; struct T3 { struct T1; // warning: declaration does not declare anything // warning: declaration does not declare anything // warning: declaration does not declare anything // warning: declaration does not declare anything
}; struct T4 { enum { Q1 }; int a; }; struct T5 { int a; int a2:3; }; struct T6 { const int a; } ; // error: bit-fields are not supported in OpenCL
struct T7 { static int x; }; struct T8 { typedef int x; }; // error: type name does not allow storage class to be specified // error: type name does not allow storage class to be specified
typedef int; typedef struct { int a; }; typedef enum { R1 }; typedef float; int; float; struct SS; // warning: typedef requires a name // warning: typedef requires a name // warning: typedef requires a name // warning: typedef requires a name // warning: declaration does not declare anything // warning: declaration does not declare anything
const struct SU { int a; }; static struct SV { int a; }; extern struct SW { int a; }; volatile int; unsigned; // warning: 'const' ignored on this declaration // warning: 'static' ignored on this declaration // warning: 'extern' ignored on this declaration // warning: declaration does not declare anything // warning: declaration does not declare anything
//--- -cl-std=CL2.0
#define EQ(a, b) (a == b)
#define P(a) (a)
#define C a == b
#define CP (a == b)
#define A0(x) x[0]
void f(int a, int b, int *p) {
if (EQ(a, b)) {}
if ((EQ(a, b))) {} // warning: equality comparison with extraneous parentheses
if (P(a == b)) {}
if ((P(a == b))) {} // warning: equality comparison with extraneous parentheses
if (((a == b))) {} // warning: equality comparison with extraneous parentheses
if ((C)) {} // warning: equality comparison with extraneous parentheses
if (CP) {}
if ((CP)) {} // warning: equality comparison with extraneous parentheses
if ((p[0] == b)) {} // warning: equality comparison with extraneous parentheses
if ((A0(p) == b)) {} // warning: equality comparison with extraneous parentheses
if ((P(a) == b)) {} // warning: equality comparison with extraneous parentheses
if ((1 == b)) {}
if ((a + 1 == b)) {}
if (((a) == b)) {} // warning: equality comparison with extraneous parentheses
if ((*p == b)) {} // warning: equality comparison with extraneous parentheses
if ((a != b)) {}
while ((a == b)) {} // warning: equality comparison with extraneous parentheses
for (;(a == b);) {} // warning: equality comparison with extraneous parentheses
do {} while ((a == b)); // warning: equality comparison with extraneous parentheses
a = (a == b) ? 1 : 2;
if ((a == b) && b) {}
if (!(a == b)) {}
}
#define STR "abc"
void g(int n, char c, constant char *s) {
s = "abc" + 1; s = "abc" + n; s = n + "abc"; s = "abc" + c; s = STR + n; s = &"abc"[n]; s = "abc" + 'a'; s = s + 'a'; s = "abc" - 1; s = "abc" + 10; s = "abc" + 4; s = "abc" + 0; s = s + c; s = 'a' + s; s = ("abc") + 1; s = "abc" + sizeof(int); // warning: adding 'int' to a string does not append to the string // warning: adding 'int' to a string does not append to the string // warning: adding 'int' to a string does not append to the string // warning: adding 'char' to a string does not append to the string // warning: adding 'int' to a string does not append to the string // warning: adding 'int' to a string does not append to the string // warning: adding 'char' to a string pointer does not append to the string // warning: adding 'char' to a string pointer does not append to the string // warning: adding 'int' to a string does not append to the string // warning: adding 'int' to a string does not append to the string // warning: adding 'int' to a string does not append to the string // warning: adding 'char' to a string pointer does not append to the string // warning: adding 'ulong' to a string does not append to the string
}
void h1(struct S *s); void h2(struct { int a; } *s); void h3(enum E e); void h4(union U *u); struct S2; void h5(struct S2 *s); void h6(struct S3 { int a; } *s); void h7(struct S *s) {} // warning: declaration of 'struct S' will not be visible outside of this function // warning: declaration of 'enum E' will not be visible outside of this function // warning: declaration of 'union U' will not be visible outside of this function // warning: declaration of 'struct S3' will not be visible outside of this function // warning: declaration of 'struct S' will not be visible outside of this function
int t[2] = {[0] 1, 2}; struct X { int a; } x = {a: 1}; // warning: use of GNU 'missing =' extension in designator // warning: use of GNU old-style field designator extension
