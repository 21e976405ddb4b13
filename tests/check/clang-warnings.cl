// SPDX-License-Identifier: MIT
// Warnings of all other kinds: clang's defaults.
//--- -cl-std=CL2.0
kernel void k(global int *o, int n, uint u, float f, char c) {
  int a[4];
  a[4] = 1; // warning: array index 4 is past the end of the array (which contains 4 elements)
  a[-1] = 1; // warning: array index -1 is before the beginning of the array
  o[0] = a[10]; // warning: array index 10 is past the end of the array (which contains 4 elements)
  int *p = a; p[5] = 1;
  int m[2][3]; m[2][0] = 1; m[1][3] = 1; // warning: array index 2 is past the end of the array (which contains 2 elements) // warning: array index 3 is past the end of the array (which contains 3 elements)
  *(a + 5) = 1;
  int4 v; v[4] = 1;
  o[1] = "abc"[7]; // warning: array index 7 is past the end of the array (which contains 4 elements)
}
//--- -cl-std=CL2.0
int f1(int n) { int x; return x; }
int f2(int n) { int x; if (n) x = 1; return x; }
int f3(int n) { int x; x++; return x; }
int f4(int n) { int x = x; return x; }
int f5(int n) { int x; int *p = &x; return *p; }
int f6(int n) { int x; for (int i = 0; i < n; i++) x = i; return x; }
int f7(int n) { int a[3]; return a[n]; }
int f8(int n) { int x; switch (n) { case 1: x = 2; break; default: x = 3; } return x; }
int f9(int n) { if (n) return 1; } // warning: non-void function does not return a value in all control paths
int f10(int n) { while (1) {} }
int f11(int n) { switch (n) { case 1: return 1; default: return 2; } }
int f12(int n) { switch (n) { case 1: return 1; } } // warning: non-void function does not return a value in all control paths
int f13(int n) { for (;;) { if (n) break; } } // warning: non-void function does not return a value
int f14(int n) { if (n) return 1; else return 2; }
int f15(int n) { do { return 1; } while (n); }
int f16(int n) { do { if (n) continue; return 1; } while (n); } // warning: non-void function does not return a value in all control paths
int f17(int n) { goto end; end: return 1; }
int f18(int n) { l: if (n) goto l; } // warning: non-void function does not return a value
int f19(int n) { } // warning: non-void function does not return a value
//--- -cl-std=CL2.0
enum E { A, B, C };
void f(enum E e, int n, uint u, bool b) {
  switch (e) { case A: break; } // warning: enumeration values 'B' and 'C' not handled in switch
  switch (e) { case A: break; default: break; }
  switch (e) { case A: case B: case C: break; }
  switch (e) { case 7: break; case A: case B: case C: ; } // warning: case value not in enumerated type
  switch (n) { case 1: n = 1; case 2: n = 2; }
  switch (b) { case true: break; } // warning: switch condition has boolean value
  switch (b) { case 2: break; } // warning: switch condition has boolean value // warning: overflow converting case value to switch condition type (2 to 0)
  switch ((uchar)n) { case 300: break; } // warning: overflow converting case value to switch condition type (300 to 44)
  switch (n) { case 5000000000: break; } // warning: overflow converting case value to switch condition type (5000000000 to 705032704)
  switch (u) { case -1: break; }
  switch (1) { case 1: break; }
  switch (n) { int x = 1; case 1: break; }
  switch (n > 1) { case 1: break; } // warning: switch condition has boolean value
  switch (n) { }
  switch (n) { default: } // error: label at end of compound statement: expected statement
}
//--- -cl-std=CL2.0
kernel void k(global int *o, int n, uint u, float f) {
  n == 1; // warning: equality comparison result unused
  n + 1; // warning: expression result unused
  n; // warning: expression result unused
  -n; // warning: expression result unused
  !n; // warning: expression result unused
  (void)n;
  n == 1 ? 2 : 3; // warning: expression result unused
  n, u; // warning: left operand of comma operator has no effect // warning: expression result unused
  o[0]; // warning: expression result unused
  *o; // warning: expression result unused
  f * 2; // warning: expression result unused
  (float4)(1); // warning: expression result unused
  sin(f); // warning: ignoring return value of function declared with const attribute
  get_global_id(0); // warning: ignoring return value of function declared with const attribute
  n++, u++;
  n && (u = 1);
  n && u; // warning: expression result unused
  (n); // warning: expression result unused
  sizeof(n); // warning: expression result unused
  1; // warning: expression result unused
  "abc"; // warning: expression result unused
  max(n, 1); // warning: ignoring return value of function declared with const attribute
  native_sin(f); // warning: ignoring return value of function declared with const attribute
  (int)f; // warning: expression result unused
  f < 1.0f; // warning: relational comparison result unused
  n << 1; // warning: expression result unused
  &n; // warning: expression result unused
}
//--- -cl-std=CL2.0
void f(int n, uint u, int m) {
  if (n = 1) {} // warning: using the result of an assignment as a condition without parentheses
  if ((n = 1)) {}
  while (n = 1) {} // warning: using the result of an assignment as a condition without parentheses
  if (n == 1) {}
  if ((n == 1)) {} // warning: equality comparison with extraneous parentheses
  if (n & 1 == 0) {} // warning: & has lower precedence than ==; == will be evaluated first
  if (n == 1 & u) {} // warning: & has lower precedence than ==; == will be evaluated first
  n = n && m || u;
  n = n || m && u;
  n = n & m | u;
  n = n << 1 + 2; // warning: operator '<<' has lower precedence than '+'; '+' will be evaluated first
  n = n + 1 << 2; // warning: operator '<<' has lower precedence than '+'; '+' will be evaluated first
  n = n < m < u;
  n = n == m == u;
  n = !n == m; // warning: logical not is only applied to the left hand side of this comparison
  n = !n < m; // warning: logical not is only applied to the left hand side of this comparison
  n = !n & m; // warning: logical not is only applied to the left hand side of this bitwise operator
  n = n ? 1 : 2 + 3;
  n = n + m ? 1 : 2;
  n = n | m ? 1 : 2;
  if (n) if (m) n = 1; else n = 2; // warning: add explicit braces to avoid dangling else
  for (;n = 1;) {} // warning: using the result of an assignment as a condition without parentheses
  do {} while (n = 1); // warning: using the result of an assignment as a condition without parentheses
}
//--- -cl-std=CL2.0
void f(int n, uint u, long l, char c) {
  n = n << 32;
  n = n << -1;
  n = n << 31;
  n = 1 << 31;
  n = 1 << 32;
  n = 2 << 31;
  u = 1u << 32;
  l = 1 << 40;
  l = 1L << 64;
  n = n >> 33;
  n = c << 9;
  n <<= 40;
  n = n / 0; // warning: division by zero is undefined
  n = n % 0; // warning: remainder by zero is undefined
  n /= 0; // warning: division by zero is undefined
  float f = 1.0f / 0;
  f = 1 / 0.0f;
  n = 1 / 0; // warning: division by zero is undefined
  n = n / (1 - 1); // warning: division by zero is undefined
  int4 v = (int4)(1) << 40;
  v = v / 0;
  n = -1 << 3;
  n = -1 >> 3;
}
//--- -cl-std=CL2.0
void f(int n, uint u, long l, char c, uchar uc, float f, double d, short s, half h) { // error: declaring parameter of type 'half' is not allowed
  c = 300; uc = 300; uc = -1; c = 128; uc = 255; c = -129; // warning: implicit conversion from 'int' to 'char' changes value from 300 to 44 // warning: implicit conversion from 'int' to 'uchar' changes value from 300 to 44 // warning: implicit conversion from 'int' to 'char' changes value from 128 to -128 // warning: implicit conversion from 'int' to 'char' changes value from -129 to 127
  s = 70000; n = 5000000000; u = -1; u = 5000000000; l = 1e30; // warning: implicit conversion of out of range value from 'double' to 'long' is undefined // warning: implicit conversion from 'int' to 'short' changes value from 70000 to 4464 // warning: implicit conversion from 'long' to 'int' changes value from 5000000000 to 705032704 // warning: implicit conversion from 'long' to 'uint' changes value from 5000000000 to 705032704
  n = 3.5f; n = 3.0f; f = 1; f = 16777217; f = 1e50; f = 0.1; d = 0.1f; // warning: implicit conversion from 'float' to 'int' changes value from 3.5 to 3 // warning: implicit conversion from 'int' to 'float' changes value from 16777217 to 16777216
  n = f; n = l; c = n; f = n; f = d; u = n; n = u;
  bool b = 5; b = 0.5f; b = n; // warning: implicit conversion from 'float' to 'bool' changes value from 0.5 to true
  uchar4 v = (uchar4)(300, 1, 2, 3); char2 w = {200, 1}; // warning: implicit conversion from 'int' to 'uchar' changes value from 300 to 44
  c += 300; uc = uc + 1; uc = 1000 & 0xff; c = 'a'; c = '\xff'; uc = '\xff';
  n = 0xffffffff; n = 4294967295; u = 0xffffffff; n = -2147483648; n = 2147483648; // warning: implicit conversion from 'long' to 'int' changes value from 4294967295 to -1 // warning: implicit conversion from 'long' to 'int' changes value from 2147483648 to -2147483648
  float g = 3.4e39f; g = 1e-50f; g = 1e39; d = 1e400; // warning: magnitude of floating-point constant too large for type 'float'; maximum is 3.40282347E+38 // warning: magnitude of floating-point constant too small for type 'float'; minimum is 1.40129846E-45 // warning: magnitude of floating-point constant too large for type 'double'; maximum is 1.7976931348623157E+308
  uc = ~0; uc = ~0u; c = ~0; u = ~0; s = 1 << 15; s = 1 << 16; uc = 1 << 8; // warning: implicit conversion from 'uint' to 'uchar' changes value from 4294967295 to 255 // warning: implicit conversion from 'int' to 'short' changes value from 32768 to -32768 // warning: implicit conversion from 'int' to 'short' changes value from 65536 to 0 // warning: implicit conversion from 'int' to 'uchar' changes value from 256 to 0
  n = INFINITY; n = NAN; n = 1e10f; uc = 256.0f; // warning: implicit conversion of out of range value from 'float' to 'int' is undefined // warning: implicit conversion of out of range value from 'float' to 'uchar' is undefined
  int4 vi = 3.5f; int4 vj = (int4)(3.5f); float4 vf = 1; uchar4 x = 300; // warning: implicit conversion from 'float' to 'int4' changes value from 3.5 to 3 // warning: implicit conversion from 'int' to 'uchar4' changes value from 300 to 44
  n = true; b = 2; n = 1.0; n = 2147483647 + 1; n = 1 - 2u; u = 1 - 2; // warning: overflow in expression; result is -2147483648 with type 'int'
  l = 2147483647 + 1; l = 1 << 31; l = 65536 * 65536; // warning: overflow in expression; result is -2147483648 with type 'int' // warning: overflow in expression; result is 0 with type 'int'
}
//--- -cl-std=CL2.0
void f(int n, uint u, uchar c, global int *p) {
  if (u < 0) {} if (u >= 0) {} if (0 > u) {} if (n < 0) {}
  if (c > 255) {} if (c > 300) {} if (c == 256) {} if (c < 0) {} // warning: result of comparison of constant 300 with expression of type 'uchar' is always false // warning: result of comparison of constant 256 with expression of type 'uchar' is always false
  if (n == n) {} if (n != n) {} if (n < n) {} float f = 1; if (f == f) {} if (f != f) {} // warning: self-comparison always evaluates to true // warning: self-comparison always evaluates to false // warning: self-comparison always evaluates to false
  if (p) {} if (!p) {} int a[3]; if (a) {} if (a == 0) {} if (&n) {} if (&n == 0) {} if (a != 0) {} // warning: comparison of array 'a' equal to a null pointer is always false // warning: comparison of address of 'n' equal to a null pointer is always false // warning: comparison of array 'a' not equal to a null pointer is always true
  if (p == p) {} if (p[0] == p[0]) {} // warning: self-comparison always evaluates to true // warning: self-comparison always evaluates to true
  if (n == 5000000000) {} if (u == -1) {} if (c == -1) {} // warning: result of comparison of constant 5000000000 with expression of type 'int' is always false // warning: result of comparison of constant -1 with expression of type 'uchar' is always false
  if (1) {} if (0) {} while (1) { break; } if ("abc") {}
  if (n == 1.5f) {} if (n > u) {} if ((n & 1) == 2) {} if ((n | 1) == 0) {}
  if ((bool)n == 2) {} if (!n > 1) {} if ((n > 1) > 1) {} // warning: logical not is only applied to the left hand side of this comparison // warning: result of comparison of constant 2 with expression of type 'bool' is always false // warning: result of comparison of constant 1 with boolean expression is always false // warning: result of comparison of constant 1 with boolean expression is always false
  if (n > 1 || n > 1) {} if (n > 1 && n < 1) {}
  const uint cu = 0; if (u < cu) {}
  enum E { A, B } e = A; if (e < 0) {} if (e == 5) {}
}
//--- -cl-std=CL2.0
void g(int n) {
  if (n); n = 1; // warning: if statement has empty body
  while (n); 
  for (int i = 0; i < n; i++);
  for (;;); 
}
void h(int n) {
  if (n) ; else n = 2;
  if (n) n = 1; else ;
  while (n) ; { n = 2; } // warning: while loop has empty body
  for (int i = 0; i < n; i++) ; { n = 3; } // warning: for loop has empty body
  switch (n); // warning: switch statement has empty body
  do ; while (n);
  if (n) {} 
  while (n) {}
  ;
  int; // warning: declaration does not declare anything
  struct { int a; }; // warning: declaration does not declare anything
  const; // warning: declaration does not declare anything
}
//--- -cl-std=CL2.0
void f(int n, uint u, long l, float f, double d, char c, float4 v, global int *p, constant char *s) {
  printf("%d %u %x", n, u, u); printf("%d", l); printf("%ld", l); printf("%ld", n); printf("%f", f); printf("%f", d); printf("%lf", d); // warning: format specifies type 'int' but the argument has type 'long' // warning: format specifies type 'long' but the argument has type 'int' // warning: length modifier 'l' results in undefined behavior or no effect with 'f' conversion specifier
  printf("%d", f); printf("%f", n); printf("%s", "abc"); printf("%s", n); printf("%c", c); printf("%p", p); printf("%d", p); // warning: format specifies type 'int' but the argument has type 'float' // warning: format specifies type 'double' but the argument has type 'int' // warning: format specifies type 'char *' but the argument has type 'int' // warning: format specifies type 'int' but the argument has type '__global int *'
  printf("%v4f", v); printf("%v4hlf", v); printf("%v2f", v); printf("%v4d", v); printf("%f", v); printf("%d", c); printf("%hhd", c); // warning: format specifies type 'double4' but the argument has type 'float4' // warning: format specifies type 'double2' but the argument has type 'float4' // warning: format specifies type 'int4' but the argument has type 'float4' // warning: format specifies type 'double' but the argument has type 'float4'
  printf("%y", n); printf("%d"); printf("%d %d", n); printf("%d", n, n); printf("%"); printf("%%"); printf("%*d", n, n); printf("%.*f", f, f); // warning: invalid conversion specifier 'y' // warning: more '%' conversions than data arguments // warning: more '%' conversions than data arguments // warning: data argument not used by format string // warning: incomplete format specifier // warning: field precision should have type 'int', but argument has type 'double'
  printf("abc\0def %d", n); printf(""); printf("%n", p); printf("%hd", n); printf("%lld", l); printf("%zu", u); printf("%i", u); printf("%u", n); printf("%x", n); printf("%lu", l); // warning: format string contains '\0' within the string body // warning: invalid conversion specifier 'n' // warning: format specifies type 'short' but the argument has type 'int' // warning: format specifies type 'long long' but the argument has type 'long' // warning: format specifies type 'size_t' but the argument has type 'uint'
  printf(s, n); printf("%5.3d", n); printf("%-05d", n); printf("%+u", u); printf("%#d", n); printf("% s", "a"); printf("%.3c", c); printf("%e %g %a", f, f, f); // warning: flag '0' is ignored when flag '-' is present // warning: flag '+' results in undefined behavior with 'u' conversion specifier // warning: flag '#' results in undefined behavior with 'd' conversion specifier // warning: flag ' ' results in undefined behavior with 's' conversion specifier // warning: precision used with 'c' conversion specifier, resulting in undefined behavior
}
//--- -cl-std=CL2.0
int g1(int a) { int a1; int unused; return a; }
static int unused_fn(int a) { return a; }
int g2(int a, int b) { return a; return b; }
void g3(void) { return; int x = 1; }
int g4(int a) { a = a; return a; }
int g5(int a) { label: return a; }
int g6(int a) { int x = 1; { int x = 2; a = x; } return a + x; }
void g7(const int *p) { int *q = (int *)p; *q = 1; }
int g8(int *p) { return *(char *)p; }
void g9(int *p, uint *q, float *f, void *v, const int *c, volatile int *vo) { p = q; p = f; p = v; v = p; p = c; p = vo; p = (int *)f; c = p; if (p == q) {} if (p == v) {} p = 1; int n = p; n = (int)p; p = (int *)n; char ch = (char)p; p = 0; p = NULL; } // warning: assigning to '__generic int *' from type '__generic uint *' converts between pointers to integer types with different sign // warning: incompatible pointer types assigning to '__generic int *' from type '__generic float *' // warning: assigning to '__generic int *' from type '__generic const int *' discards qualifiers // warning: assigning to '__generic int *' from type '__generic volatile int *' discards qualifiers // warning: comparison of distinct pointer types ('__generic int *' and '__generic uint *') // error: incompatible integer to pointer conversion assigning to '__generic int *' from type 'int' // error: incompatible pointer to integer conversion initializing 'int' with an expression of type '__generic int *' // warning: cast to smaller integer type 'int' from '__generic int *' // warning: cast to '__generic int *' from smaller integer type 'int' // warning: cast to smaller integer type 'char' from '__generic int *'
void g10(int n) { n = g9; } // error: taking address of function is not allowed: 'g9'
int *g11(void) { int x; return &x; } // warning: address of stack memory associated with local variable 'x' returned
int *g12(void) { int a[3]; return a; } // warning: address of stack memory associated with local variable 'a' returned
void g13(int n) { float f = n > 0 ? 1 : 2.0; uint u = n > 0 ? -1 : 1; n = n ? 1u : -1; }
void g14(int n) { n = sizeof(n++); int a[3]; n = sizeof(a) / sizeof(float); n = sizeof(a + 1); n = sizeof(int *) ; } // warning: expression with side effects has no effect in an unevaluated context // warning: sizeof on pointer operation will return size of 'int *' instead of 'int [3]'
void g15(int a[3]) { int n = sizeof(a); } // warning: sizeof on array function parameter will return size of '__generic int *' instead of 'int [3]'
void g16(int n) { n = 1,000; n =+ 1; n =- 1; n += +1; n = n++; n = n++ + n; n = ++n; int i = 0; int a[2] = {i++, i++}; a[i] = i++; } // warning: use of unary operator that may be intended as compound assignment (+=) // warning: use of unary operator that may be intended as compound assignment (-=) // warning: multiple unsequenced modifications to 'n' // warning: unsequenced modification and access to 'n' // warning: multiple unsequenced modifications to 'n' // warning: multiple unsequenced modifications to 'i' // warning: unsequenced modification and access to 'i'
void g17(void) { int x = 010; float y = 1.0f; y = 1.0; y = 0.1; if (y == 0.1) {} } // warning: floating-point comparison is always false; constant cannot be represented exactly in type 'float'
void g18(void) { void *p = 0; p++; p + 1; sizeof(void); } // error: invalid application of 'sizeof' to type 'void' // warning: expression result unused
void g19(void) { for (int i = 0; i < 10; i--) {} for (uint i = 10; i >= 0; i--) {} for (float f = 0; f < 1; f += 0.1f) {} int n; for (n = 0; n < 3; ) {} }
//--- -cl-std=CL2.0
void f(char c, uchar uc, short s, ushort us, int n, long l) {
  c = 128; // warning: implicit conversion from 'int' to 'char' changes value from 128 to -128
  c = 0x80;
  c = 0xff;
  c = 255; // warning: implicit conversion from 'int' to 'char' changes value from 255 to -1
  c = 200L; // warning: implicit conversion from 'long' to 'char' changes value from 200 to -56
  c = 0xc8L;
  s = 40000; // warning: implicit conversion from 'int' to 'short' changes value from 40000 to -25536
  s = 0x9c40;
  s = 0xD54EL;
  n = 3000000000; // warning: implicit conversion from 'long' to 'int' changes value from 3000000000 to -1294967296
  n = 0xB2D05E00L;
  c = 64 + 64; // warning: implicit conversion from 'int' to 'char' changes value from 128 to -128
  c = 'a' + 100; // warning: implicit conversion from 'int' to 'char' changes value from 197 to -59
  c = -128 - 0;
  s = 32768u;
  struct { char c; short s; } t = {200, 0xff00};
  struct { char c; short s; } t2 = {0xc8, 40000}; // warning: implicit conversion from 'int' to 'short' changes value from 40000 to -25536
  char arr[2] = {128, 0x80};
  return;
}
//--- -cl-std=CL1.1
double d(void) { return DBL_MAX; } // warning: magnitude of floating-point constant too large for type 'float'; maximum is 3.40282347E+38 // warning: double precision constant requires cl_khr_fp64, casting to single precision
float f(void) { return FLT_MAX; }
//--- -cl-std=CL1.2
double d(void) { return DBL_MAX; }
float f(void) { return FLT_MAX + 1.0; }
//--- -cl-std=CL2.0
void f(int n, int m) {
  n = n | m == 1 ? 1 : 2; // warning: | has lower precedence than ==; == will be evaluated first // warning: operator '?:' has lower precedence than '|'; '|' will be evaluated first
  n = n & (m == 1) ? 1 : 2; // warning: operator '?:' has lower precedence than '&'; '&' will be evaluated first
  n = n + (m > 1) ? 1 : 2; // warning: operator '?:' has lower precedence than '+'; '+' will be evaluated first
  n = n * !m ? 1 : 2; // warning: operator '?:' has lower precedence than '*'; '*' will be evaluated first
  n = n | (m && n) ? 1 : 2; // warning: operator '?:' has lower precedence than '|'; '|' will be evaluated first
  n = (n | (m == 1)) ? 1 : 2;
  n = n | m ? 1 : 2;
}
//--- -cl-std=CL1.2
typedef struct { int n; int a[1]; } T;
typedef struct { int a[2]; int n; int z[0]; } T2;
#define IDX 5
#define EQ(a,b) ((a) == (b))
#define NOP
#define CHECK(c) if (c) ;
kernel void k(global T *t, global T2 *t2, local int *l, int n, uint u, uchar c, float4 v) {
  t->a[3] = 1; t2->z[3] = 2; t2->a[2] = 1; int *p = &n; // warning: array index 2 is past the end of the array (which contains 2 elements)
  int a[5]; a[IDX] = 1; int *e = &a[5]; e = a + 5; e = &a[6]; l[-1] = 1; // warning: array index 5 is past the end of the array (which contains 5 elements) // warning: array index 6 is past the end of the array (which contains 5 elements)
  int b[2][2]; b[0][2] = 1; (&b[1])[0][0] = 2; e = b[2]; e = &b[1][2]; // warning: array index 2 is past the end of the array (which contains 2 elements) // warning: array index 2 is past the end of the array (which contains 2 elements)
  if (EQ(n, 1)) n = 2; if ((EQ(n, 1))) n = 2; if (((n == 1))) n = 2; if ((a[0] == n)) n = 1; if ((1 == n)) n = 1; // warning: equality comparison with extraneous parentheses // warning: equality comparison with extraneous parentheses // warning: equality comparison with extraneous parentheses
  if (n == 1) NOP; CHECK(n) n = 3; while (n--) NOP; for (;n--;) ; n = 2; // warning: if statement has empty body
  if (n) while (n) if (u) n = 1; else n = 2; // warning: add explicit braces to avoid dangling else
  if (n) { if (u) n = 1; else n = 2; } else n = 3; if (n) if (u) n = 1; else n = 2; else n = 3;
  if (c == c) n = 1; if (v.x == v.x) n = 1; if (a[n] == a[n]) n = 1; if (n + 1 == n + 1) n = 1; if (a[n+1] == a[n+1]) n = 1; if (get_global_id(0) == get_global_id(0)) n = 1; // warning: self-comparison always evaluates to true // warning: self-comparison always evaluates to true
  if (n != n) n = 1; if (t->n == t->n) n = 1; if (t->n == t2->n) n = 1; int4 vi = (int4)(n); vi = vi == vi; vi = vi < vi; // warning: self-comparison always evaluates to false // warning: self-comparison always evaluates to true // warning: self-comparison always evaluates to true // warning: self-comparison always evaluates to false
  if (c < 256) n = 1; if (c >= 0) n = 1; if (c <= 255) n = 1; if (c != 256) n = 1; if (-1 < c) n = 1; if (c > -1) n = 1; if (u > 0xffffffffu) n = 1; if (u >= 0) n = 1; if ((char)c == 200) n = 1; if ((short)n == 0x8000) n = 1; if (n == 0xffffffff) n = 1; if (n > 0xffffffffL) n = 1; if (u == 0x100000000L) n = 1; // warning: result of comparison of constant 256 with expression of type 'uchar' is always true // warning: result of comparison of constant 256 with expression of type 'uchar' is always true // warning: result of comparison of constant -1 with expression of type 'uchar' is always true // warning: result of comparison of constant -1 with expression of type 'uchar' is always true // warning: result of comparison of constant 200 with expression of type 'char' is always false // warning: result of comparison of constant 32768 with expression of type 'short' is always false // warning: result of comparison of constant 4294967295 with expression of type 'int' is always false // warning: result of comparison of constant 4294967296 with expression of type 'uint' is always false
  n = !!n == u; n = !(n == 1) == u; n = (!n) == u; n = !n != u; n = !n > 0; n = !n & 1; n = !n == !u; n = !n == (u > 1); n = !n ^ u; n = !n | u; n = !n && u; // warning: logical not is only applied to the left hand side of this comparison // warning: logical not is only applied to the left hand side of this comparison // warning: logical not is only applied to the left hand side of this bitwise operator
  n = n & u == 1; n = (n & u) == 1; n = n == 1 | u == 2; n = n == 1 ^ u; n = n & u | 1 == u; n = n << 2 + u; n = n << (2 + u); n = n - 1 >> 2; n = n * 2 << 1; n = 1 << n - 1; // warning: & has lower precedence than ==; == will be evaluated first // warning: ^ has lower precedence than ==; == will be evaluated first // warning: operator '<<' has lower precedence than '+'; '+' will be evaluated first // warning: operator '>>' has lower precedence than '-'; '-' will be evaluated first // warning: operator '<<' has lower precedence than '-'; '-' will be evaluated first
}
int r1(int n) { for (;;) { if (n) return 1; } }
int r2(int n) { while (n) { return 1; } } // warning: non-void function does not return a value in all control paths
int r3(int n) { if (n) { return 1; } else if (n > 2) { return 2; } } // warning: non-void function does not return a value in all control paths
int r4(int n) { switch (n) { case 0: return 1; case 1: break; default: return 2; } } // warning: non-void function does not return a value in all control paths
int r5(int n) { switch (n) { case 0: case 1: n = 2; default: return 2; } }
int r6(int n) { __builtin_unreachable(); }
int r7(int n) { do { n++; } while (1); }
int r8(int n) { do { if (n) break; n++; } while (1); } // warning: non-void function does not return a value
int r9(int n) { if (1) return 2; }
int r10(int n) { if (0) return 2; } // warning: non-void function does not return a value
int r11(int n) { { { return 1; } } }
int r12(int n) { for (int i = 0; i < 3; i++) return i; } // warning: non-void function does not return a value in all control paths
int r13(int n) { while (n) { switch (n) { case 1: break; default: return 2; } } return 3; }
int r14(int n) { again: if (n--) goto again; return n; }
int r15(int n) { goto skip; return 1; skip: ; } // warning: non-void function does not return a value
void r16(int n) { return; }
float4 r17(int n) { } // warning: non-void function does not return a value
kernel void r18(int n) { }
//--- -cl-std=CL2.0
typedef enum { RED, GREEN, BLUE, BLACK, WHITE } Color;
int f(Color c, int n, char ch, uchar uc, long l, bool b) {
  switch (c) { case RED: return 1; case GREEN: case BLUE: case BLACK: case WHITE: return 2; }
  switch (c) { case RED: n = 1; } // warning: 4 enumeration values not handled in switch: 'GREEN', 'BLUE', 'BLACK'...
  switch (c) { case RED: case GREEN: n = 1; break; case 9: n = 2; break; default: ; } // warning: case value not in enumerated type
  switch ((int)c) { case RED: n = 1; }
  switch (c) { default: n = 2; }
  switch (ch) { case 'a': n = 1; break; case 200: n = 2; break; case -200: n = 3; break; } // warning: overflow converting case value to switch condition type (200 to -56) // warning: overflow converting case value to switch condition type (-200 to 56)
  switch (uc) { case 255: n = 1; break; case 256: n = 2; break; case -1: n = 3; break; } // warning: overflow converting case value to switch condition type (256 to 0) // warning: overflow converting case value to switch condition type (-1 to 255)
  switch (l) { case 0x100000000: n = 1; break; case 5: n = 2; break; }
  switch (n) { case 0x80000000: n = 1; break; case 0xffffffff: n = 2; break; }
  switch ((uint)n) { case 0x80000000: n = 1; break; case -2: n = 2; break; case 0xffffffff: n = 3; break; }
  switch (!n) { case 0: n = 1; break; case 1: n = 2; } // warning: switch condition has boolean value
  switch (n && b) { case 0: n = 1; } // warning: switch condition has boolean value
  switch (n == 1 ? 2 : 3) { case 2: n = 1; }
  switch (c) { case RED ... BLUE: n = 1; break; case BLACK: case WHITE: ; }
  switch (c) { case RED ... 100000: n = 1; } // warning: case value not in enumerated type
  return n;
}
int g(Color c) { switch (c) { case RED: return 1; case GREEN: case BLUE: case BLACK: case WHITE: return 2; } }
int *h1(int *p) { int a[2]; return p; }
int *h2(void) { static int s; return &s; }
constant int *h3(void) { return (constant int *)0; }
int *h4(int n) { return &n; } // warning: address of stack memory associated with local variable 'n' returned
int h5(int n) { int a[2] = {1, 2}; return *a; }
int *h6(int n) { struct { int a; int b[2]; } s; return &s.a; } // warning: address of stack memory associated with local variable 's' returned
int *h7(int n) { int a[2]; return a + 1; } // warning: address of stack memory associated with local variable 'a' returned
int *h8(int n) { int a[2]; return &a[1]; } // warning: address of stack memory associated with local variable 'a' returned
//--- -cl-std=CL1.2
int use(int);
kernel void unsequenced(global int *o, int n) {
  int x = n;
  x = x++ + x++; // warning: multiple unsequenced modifications to 'x'
  x = x++; // warning: multiple unsequenced modifications to 'x'
  o[x] = x++; // warning: unsequenced modification and access to 'x'
  o[x++] = x; // warning: unsequenced modification and access to 'x'
  x += x++; // warning: multiple unsequenced modifications to 'x'
  x = use(x++ + x); // warning: unsequenced modification and access to 'x'
  int y = x++ * x; // warning: unsequenced modification and access to 'x'
  if (x == x--) return; // warning: unsequenced modification and access to 'x'
  for (int i = 0; i < n; i = i++) o[i] = y; // warning: multiple unsequenced modifications to 'i'
  x = x + 1;
  x = use(x++);
  x = n ? x + 1 : x;
  o[x++] = y++;
  x++, x++;
  x++ && x++;
  y = (x++, x);
  o[x] = o[x + 1] = y;
}
kernel void operators(global int *o, int n) {
  o[0] = 2 ^ 10; // warning: result of '2 ^ 10' is 8; did you mean '1 << 10'?
  o[1] = 10 ^ 3; // warning: result of '10 ^ 3' is 9; did you mean '1e3'?
  o[2] = 2 ^ 0x10;
  o[3] = 3 ^ 2;
  o[4] = 2 ^ n;
  o[5] = n && 4; // warning: use of logical '&&' with constant operand
  o[6] = n || 0; // warning: use of logical '||' with constant operand
  o[7] = n && n > 1;
  n = 1, 2; // warning: expression result unused
  (n = 1, 0);
}
