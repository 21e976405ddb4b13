// SPDX-License-Identifier: MIT
// Warnings about unused values and unreachable code: clang's defaults.
//--- -cl-std=CL2.0
kernel void k(global int *o, int n, uint u, float f, char c) {
  const int ci = 3; *(&ci) ; // unused // warning: expression result unused
  n = n, 1; // warning: expression result unused
  o[0] + 1; // warning: expression result unused
  (void)(n + 1);
  n ? u : 1; // warning: expression result unused
  n ? o[0] = 1 : 2;
  if (n) { n == 1; } // warning: equality comparison result unused
  for (n; n < 3; n + 1) {} // warning: expression result unused // warning: expression result unused
  for (n == 1; n; n == 2) {} // warning: equality comparison result unused // warning: equality comparison result unused
  float4 v = 0; v.x; v; v.xy; v[0]; // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused
  v == v; v < v; v + v; -v; !v; v && v; // warning: equality comparison result unused // warning: relational comparison result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused
  (float2)(1, 2); // warning: expression result unused
  (float2){1, 2}; // warning: expression result unused
  struct S { int a; } s; s; s.a; (&s)->a; // warning: expression result unused // warning: expression result unused // warning: expression result unused
  int a[3]; a; a[0]; *a; &a; &a[0]; // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused
  ({ n; 1; }); // warning: expression result unused // warning: expression result unused
  ({ n; }); // warning: expression result unused
  ^{ return 1; }; // warning: expression result unused
  n++; --n; n += 1;
  sizeof(int); _Alignof(int); __builtin_offsetof(struct S, a); // warning: expression result unused // warning: expression result unused // warning: expression result unused
  as_float(n); convert_float(n); // warning: ignoring return value of function declared with const attribute
  (n++, u); (u, n++); // warning: expression result unused // warning: left operand of comma operator has no effect
  vload4(0, o); abs(n); // warning: ignoring return value of function declared with pure attribute // warning: ignoring return value of function declared with const attribute
  n || u; n || (u++); // warning: expression result unused
  'a'; 1.0f; (1); ((n)); // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused
  atomic_add(o, 1);
  select(1, 2, 3); // warning: ignoring return value of function declared with const attribute
  get_global_id(0); dot(v, v); mad(f, f, f); isnan(f); any(a[0]); popcount(n); clz(n); mul24(n, n); upsample(c, (uchar)1); // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute
  (float)1; (global int*)0; *(volatile int *)a; // warning: expression result unused // warning: expression result unused
  __func__; // warning: expression result unused
  enum E { A, B }; A; // warning: expression result unused
  _Generic(n, int: n, default: u); // warning: expression result unused
  __builtin_expect(n, 1); __builtin_clz(u); __builtin_constant_p(n); __builtin_abs(n); __builtin_fabsf(f); // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute
  _Static_assert(1, "a");
  n == 1, u == 2; // warning: equality comparison result unused // warning: expression result unused
  switch (n) { case 1: n; break; default: u == 1; } // warning: equality comparison result unused // warning: expression result unused
  while (n--) n; // warning: expression result unused
  do n; while (n--); // warning: expression result unused
  if (n) n; else u; // warning: expression result unused // warning: expression result unused
  x: n; // warning: expression result unused
}
int g(int) __attribute__((const)); int h(int) __attribute__((pure)); int w(int) __attribute__((warn_unused_result));
kernel void k2(int n) { g(n); h(n); w(n); (void)g(n); g(n), h(n); n ? g(n) : h(n); } // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with pure attribute // warning: ignoring return value of function declared with 'warn_unused_result' attribute // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with pure attribute // warning: ignoring return value of function declared with pure attribute
//--- -cl-std=CL2.0
int g(int);
void a1(int n, uchar c, float f) {
  return; n; c = 300; f = 16777217;
}
void a2(int n) { if (0) { n; n / 0; int a[2]; a[3] = 1; } if (1) return; n; }
void a3(int n) { int x = 1 ? n : n / 0; x = 0 ? n / 0 : n; x = 0 && n / 0; x = 1 || n / 0; x = sizeof(n / 0); }
void a4(int n) { while (1) { break; n; } n; for (;;) {} n; } // warning: expression result unused
void a5(int n) { goto e; n; e: n; } // warning: expression result unused
void a6(int n) { switch (n) { n; case 1: n; break; n; default: return; } n; } // warning: expression result unused // warning: expression result unused
void a7(int n) { if (sizeof(int) == 4) return; n; }
void a8(int n) { if (sizeof(int) == 8) { n / 0; } }
void a9(int n) { enum { X = 0 }; if (X) n / 0; if (!X) n / 0; if (X && n) n / 0; if (n && X) n / 0; if (X || n) n / 0; } // warning: use of logical '&&' with constant operand // warning: division by zero is undefined // warning: expression result unused // warning: division by zero is undefined // warning: expression result unused
void a10(int n) { do { n; continue; n; } while (0); n; } // warning: expression result unused // warning: expression result unused
void a11(int n) { const int z = 0; if (z) n / 0; }
void a12(int n) { ({ return; }); n; }
void a13(int n) { ({ n; return; n; }); } // warning: expression result unused // warning: expression result unused
void a14(int n) { int y = ({ n; 1; }); ({ n == 1; }); ({ g(n); }); } // warning: expression result unused // warning: expression result unused
void a15(int n) { if (1) {} else n / 0; if (n) return; else return; n; }
void a16(int n) { __builtin_unreachable(); n; }
void a17(int n) { switch (1) { case 1: n; break; case 2: n; } } // warning: expression result unused // warning: expression result unused
void a18(int n) { while (0) n; for (;0;) n; do n; while (0); } // warning: expression result unused
void a19(int n) { void (^b)(void) = ^{ n; return; n; }; } // warning: expression result unused
//--- -cl-std=CL2.0
void b1(int n, int m, float f, global int *p, bool b, long l, uint u) {
  (n == 1); ((n == 1)); (n == 1) ; n != m; n < m; n >= m; // warning: inequality comparison result unused // warning: relational comparison result unused // warning: relational comparison result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused
  (n == 1, m); m, n == 1; f, n; n, f, m; // warning: equality comparison result unused // warning: expression result unused // warning: left operand of comma operator has no effect // warning: expression result unused // warning: left operand of comma operator has no effect // warning: expression result unused // warning: left operand of comma operator has no effect // warning: left operand of comma operator has no effect // warning: expression result unused
  (void *)p; (void *)&n; (const void *)&n; (global void *)p; // warning: expression result unused; should this cast be to 'void'? // warning: expression result unused; should this cast be to 'void'? // warning: expression result unused // warning: expression result unused
  volatile int v; v; (v); v + 1; *(volatile int *)&n; v == 1; -v; (int)v; &v; v ? n : m; v, n; // warning: equality comparison result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused
  volatile struct { int a; int b[2]; } vs; vs.a; vs.b[0]; vs.b; vs; // warning: expression result unused
  n ?: m; n ?: (m = 1); n ? n : (m = 2); // warning: expression result unused
  b; !b; ~n; +n; *p; *p++; p[n]; p[n++]; (*p)++; // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused
  sin(f); (sin(f)); sin(f), cos(f); n && sin(f); n ? sin(f) : cos(f); (int)sin(f); sin(f) + 1; -sin(f); // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused
  ({ sin(f); }); ({ sin(f); 1; }); int x = ({ n; m; sin(f); }); // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute // warning: expression result unused // warning: expression result unused // warning: expression result unused
  ^{ return 1; }; // warning: expression result unused
  (int4)(1); (int4)(1).x; (int[]){1}; (struct {int a;}){1}; (int){1}; // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused
  as_float(n); as_int(f); __builtin_astype(n, float); sizeof n; _Alignof(int); vec_step(int4); // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused
  convert_int(f); convert_int_sat(f); (uchar)n; (bool)n; // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute // warning: expression result unused // warning: expression result unused
  get_global_id(0); get_local_id(0); get_work_dim(); get_global_linear_id(); get_enqueued_local_size(0); get_sub_group_size(); // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute // warning: ignoring return value of function declared with const attribute
  vload4(0, p); atomic_add((volatile global int *)p, 1); mem_fence(1); barrier(1); as_int4((float4)(1)); // warning: ignoring return value of function declared with pure attribute
  n += 1; n = m; n++; --n; n = m = 1; 
  "abc"; L"abc"; __FILE__; 1; 1.0; 'a'; true; NULL; 0; (void)0; (0); (1); // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused
  __builtin_popcount(n); __builtin_trap; // warning: ignoring return value of function declared with const attribute // error: use of undeclared identifier '__builtin_trap'
}
//--- -cl-std=CL2.0
#define M(x) x
#define N(x) (x) + 1
#define C(x) ((x) == 1)
#define S(x) ({ x; x; })
#define V (void)0
#define F(f) sin(f)
#define K n
#define Z 0
void c1(int n, float f) {
  M(n); N(n); C(n); M(n == 1); S(n); V; F(f); M(sin(f)); K; M(K); Z; (Z); K == 1; K + 1; n + K; n == K; M(n) + 1; (K); (M(n)); // warning: equality comparison result unused // warning: ignoring return value of function declared with const attribute // warning: equality comparison result unused // warning: equality comparison result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused
  M((n)); M(n + 1); K, 1; n, K; F(f), n; n && K; K && n; (int)K; K ? K : n; // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: left operand of comma operator has no effect // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused
}
