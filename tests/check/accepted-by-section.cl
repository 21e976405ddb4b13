// SPDX-License-Identifier: MIT
// Accepts unusual but valid programs, in the order of the specification.
//--- -cl-std=CL2.0
int f(void); int f(void) { return 1; } int f(void);
//--- -cl-std=CL2.0
static int f(int); int g(void) { return f(1); } static int f(int a) { return a; }
//--- -cl-std=CL2.0
inline int f(int a) { return a; } static inline int g(int a) { return f(a); }
//--- -cl-std=CL2.0
typedef int T; T f(T T) { return T; }
//--- -cl-std=CL2.0
typedef int T; void f(void) { T T = 1; T = 2; }
//--- -cl-std=CL2.0
typedef struct S S; struct S { S *next; int a; }; void f(S *s) { s->next->next = s; }
//--- -cl-std=CL2.0
struct S { struct { int a; union { int b; float c; }; }; int d; }; void f(struct S s) { s.a = s.b; s.c = s.d; }
//--- -cl-std=CL2.0
struct S { int a; } const s = {1}; void f(void) { struct S t = s; t.a = s.a; }
//--- -cl-std=CL2.0
struct S { int a; } f(void) { return (struct S){1}; } void g(void) { int a = f().a; }
//--- -cl-std=CL2.0
struct S { int a[3]; }; struct S f(void); void g(void) { int a = f().a[1]; }
//--- -cl-std=CL2.0
union U { int a; float b; char c[4]; }; void f(void) { union U u = {.b = 1.0f}; u.a = 1; union U v = {1}; u = v; }
//--- -cl-std=CL2.0
enum E { A, B = 5, C, D = A + 2, E = sizeof(int), F = (int)1.5f, G = 'a', H = -1, I = 1 ? 2 : 3, }; int a[C]; 
//--- -cl-std=CL2.0
enum { A = 0x7fffffff, B = 0xffffffff, C = 5000000000 }; void f(void) { long c = C; uint b = B; }
//--- -cl-std=CL2.0
enum E { A }; enum E f(enum E e) { return e + 1; } void g(void) { enum E e = 0; e = A; e = 5; int a = e; switch (e) { case A: ; } }
//--- -cl-std=CL2.0
void f(void) { int a[] = {1, 2, 3}, b[2][2] = {{1}, {2, 3}}, c[2][2] = {1, 2, 3}, d[5] = {[2] = 1, 2, [0] = 3}, e[] = {[3] = 1}; char g[] = "abc", h[3] = "abc", i[] = {"abc"}, j[5] = "a"; }
//--- -cl-std=CL2.0
void f(void) { struct { int a; struct { int b, c; } d; int e[2]; } s = {1, 2, 3, 4}, t = {.d.c = 1, .e[1] = 2}, u = {1, {2}, {3}}, v = {.d = {1, 2}, 3}; }
//--- -cl-std=CL2.0
void f(void) { float4 a = {1, 2, 3, 4}, b = (float4)(1), c = (float4)(a.xy, a.zw), d = {a.xy, 1, 2}, e = 1, g[2] = {{1, 2, 3, 4}, (float4)(1)}, h[2] = {1, 2, 3, 4, 5, 6, 7, 8}; float3 i = {1, 2, 3}; i = (float3)(a.x, a.yz); } // warning: excess elements in array initializer
//--- -cl-std=CL2.0
void f(int n) { int a = n, b = -n, c = ~n, d = !n, e = +n, g = n++, h = --n, i = n ? 1 : 2, j = (n, 1), k = n && a, l = n || a, m = n == a, o = sizeof(n), p = n << 1 >> 2, q = n & 1 | 2 ^ 3, r = n % 3 / 2 * 4; n += n -= n *= 2; n = a = b; } // warning: result of '2 ^ 3' is 1; did you mean '1 << 3'? // warning: left operand of comma operator has no effect // warning: multiple unsequenced modifications to 'n'
//--- -cl-std=CL2.0
void f(float4 v, int4 w) { w = v < 1 && v > 0 || !v; w = v == v; w = w ? w : -w; v = w ? v : 0; v = fmax(v, 1.0f) + max(v, v) + clamp(v, 0.0f, 1.0f); w = convert_int4_sat_rte(v); w = as_int4(v); v.xy = v.yx; v.s3210 = v; w += 1; w <<= 2; w = w >> w; w = ~w & 3; w++; v *= v.x; v /= 2; }
//--- -cl-std=CL2.0
void f(global int *p, int n) { p[n] = *p++ + *(p + n) + n[p] + (&p[1])[-1]; p += n; p -= 2; ptrdiff_t d = p - p; if (p && p != 0 && !(p == 0) && p < p + 1) {} global void *v = p; global char *c = (global char *)p; p = v; p = (global int *)(c + 4); size_t a = (size_t)p; p = (global int *)a; p = 0; p = NULL; v = 0; } // warning: unsequenced modification and access to 'p'
//--- -cl-std=CL2.0
void f(generic int *p) { global int *g = to_global(p); local int *l = to_local(p); private int *q = to_private(p); cl_mem_fence_flags x = get_fence(p); p = g; p = l; p = q; g = (global int *)p; int *r = p; r = g ? g : p; if (g == p) {} }
//--- -cl-std=CL2.0
int g; int *f(void) { static int s = 1; s += g; return &s; } int h(void) { return *f() + (*f())++; }
//--- -cl-std=CL2.0
kernel void f(const int a, const global int *const restrict b, volatile global int *c, global const volatile float4 *d, uchar e, short16 g) {}
//--- -cl-std=CL2.0
kernel void f(void) { local int a, b[4], *c = &a; local float4 d; local struct { int x; } e; a = b[1] = *c; d.x = e.x; constant int g[] = {1, 2}; a = g[1]; { const int h = 1; a = h; } }
//--- -cl-std=CL2.0
kernel void f(global int *p) { p[get_global_id(0)] = get_local_id(1) + get_group_id(2) * get_local_size(0) + get_num_groups(0) + get_global_size(0) + get_work_dim() + get_global_offset(0) + get_enqueued_local_size(0) + get_global_linear_id() + get_local_linear_id(); }
//--- -cl-std=CL2.0
void f(int n) { for (int i = 0; i < n; i++) for (int i = 0; ; ) { if (i) break; else continue; } while (n) { do { n--; } while (n); } if (n) ; else if (n) { } else ; { } ; }
//--- -cl-std=CL2.0
void f(int n) { switch (n) { case 0: case 1: n = 1; case 2: { break; } default: switch (n) { case 1: ; } } switch (n) default: n = 1; switch (n) { } switch ((char)n) { case 'a' ... 'z': ; } switch (1L) { case 1: ; } }
//--- -cl-std=CL2.0
void f(int n) { if (n) goto a; b: n--; a: if (n) goto b; { c: ; } goto c; while (n) { goto d; d: ; } }
//--- -cl-std=CL2.0
void f(int n) { switch (n) { do { case 1: n--; case 2: n--; } while (n); } }
//--- -cl-std=CL2.0
int f(int n) { return ({ int m = n; m + 1; }) + ({ for (;;) break; 2; }); }
//--- -cl-std=CL2.0
int f(int a, int b) { return _Generic(a, int: _Generic(b, float: 1, default: 2), float: 3) + _Generic(1.0f, double: 1, float: 2) + _Generic("a", constant char *: 1, default: 2); }
//--- -cl-std=CL2.0
_Static_assert(1, "a"); _Static_assert(sizeof(float4) == 16 && sizeof(float3) == 16 && sizeof(char3) == 4, "b"); struct S { int a; _Static_assert(1, "c"); }; void f(void) { _Static_assert(1); } // warning: '_Static_assert' with no message is a C2x extension
//--- -cl-std=CL2.0
constant int a = 1 + 2 * 3 - 4 / 2 % 3 << 1 >> 1 & 7 | 8 ^ 3 && 1 || !0 == 1 != 0 < 1 > 0 <= 1 >= 0; constant float b = 1.0f + 2 * 3.5f / 2 - -1; constant int c = sizeof(int) + _Alignof(double) + 'a' + (int)1.5 + (char)300; constant int d = 1 ? 2 : 1 / 0; // warning: operator '<<' has lower precedence than '-'; '-' will be evaluated first // warning: use of logical '&&' with constant operand // warning: logical not is only applied to the left hand side of this comparison // warning: result of comparison of constant 1 with boolean expression is always true // warning: result of comparison of constant 0 with boolean expression is always true
//--- -cl-std=CL2.0
void f(void) { int a = 0x1F, b = 017, c = 0b101, d = 10u, e = 10l, g = 10UL, h = 'a', i = '\n', j = '\x41', k = '\101', l = '\\'; float m = 1.0f, n = 1.f, o = .5f, p = 1e3f, q = 1e-3f, r = 0x1p3f, s = 0x1.8p-2f; double t = 1.0, u = 1e300; long v = 0x7fffffffffffffff; ulong w = 0xffffffffffffffff, x = 18446744073709551615u; }
//--- -cl-std=CL2.0
void f(void) { constant char *a = "a" "b" "\x41" "\101" "\n\t\"\\\?\a\b\f\v\e" "\u00e9"; printf("%d %s %c %f %p %x %5.2f %-5d %+d %05d %%\n", 1, "a", 'b', 1.0f, a, 1, 1.0f, 1, 1, 1); printf("%v4f %v2d %v4hld %v8hhx\n", (float4)(1), (int2)(1), (int4)(1), (uchar8)(1)); printf("a"); } // warning: format specifies type 'double4' but the argument has type 'float4'
//--- -cl-std=CL2.0
void f(int *a, int b[], int c[3], int d[2][3], int (*e)[3], int *g[2]) { a = b; b = c; e = d; a = d[1]; a = *e; a = g[0]; g[1] = a; int n = sizeof(*e) + d[1][2]; }
//--- -cl-std=CL2.0
int *f(int *(a)), g(int), *h(void), i; int *(*j); int (*k)[3]; int *l[3];
//--- -cl-std=CL2.0
void f(int, float b, int *, int[3], int (*)[2], struct { int a; } *); void f2(int a, float, int *, int b[3], int (*)[2]) {} // warning: omitting the parameter name in a function definition is a C2x extension // warning: omitting the parameter name in a function definition is a C2x extension // warning: omitting the parameter name in a function definition is a C2x extension
//--- -cl-std=CL2.0
const int *const volatile p = 0; int const *q = 0; int volatile const r = 1; void f(int const a, int *const restrict b, const int *volatile c) {}
//--- -cl-std=CL2.0
unsigned a; unsigned int b; int unsigned c; long int d; int long unsigned e; short int g; signed char h; char signed i; unsigned short j; signed k; long unsigned int l; 
//--- -cl-std=CL2.0
size_t a; ptrdiff_t b; intptr_t c; uintptr_t d; uchar e; ushort g; uint h; ulong i; bool j = true; half *k; void *l; float m; double n; event_t f1(event_t e); 
//--- -cl-std=CL2.0
__kernel __attribute__((reqd_work_group_size(1, 2, 3), vec_type_hint(float4))) __attribute__((work_group_size_hint(1, 1, 1))) void f(__global int *a, __constant int *b, __local int *c, __private int d, __read_only image2d_t e, __write_only image2d_t g, __read_write image2d_t h) {}
//--- -cl-std=CL2.0
__attribute__((always_inline)) int f(int a) { return a; } int g(int a) __attribute__((const)); int __attribute__((noinline)) h(int a) { return a; } struct __attribute__((packed)) S { char a; int b; }; typedef struct { int a; } __attribute__((aligned(16))) T; int i __attribute__((aligned(8))); struct U { int a __attribute__((aligned(16))); } __attribute__((packed)); __attribute__((unused)) static int j; 
//--- -cl-std=CL2.0
void f(int n) { __attribute__((opencl_unroll_hint(4))) for (int i = 0; i < n; i++) ; __attribute__((opencl_unroll_hint)) while (n--) ; __attribute__((opencl_unroll_hint(1))) do { } while (n); }
//--- -cl-std=CL2.0
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
//--- -cl-std=CL2.0
#pragma OPENCL EXTENSION all : disable
//--- -cl-std=CL2.0
#pragma OPENCL FP_CONTRACT OFF
//--- -cl-std=CL2.0
kernel void f(read_only image2d_t a, write_only image2d_t b, read_write image2d_t c, sampler_t s) { const sampler_t t = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR; write_imagef(b, (int2)(1, 2), read_imagef(a, s, (float2)(1, 2)) + read_imagef(a, t, (int2)(1)) + read_imagef(c, (int2)(0))); write_imageui(b, (int2)(0), (uint4)(1)); write_imagei(c, (int2)(0), read_imagei(a, (int2)(0))); int2 d = get_image_dim(a); int w = get_image_width(b) + get_image_height(c); int x = get_image_channel_data_type(a) + CLK_UNORM_INT8; }
//--- -cl-std=CL2.0
kernel void f(image1d_t a, image1d_buffer_t b, image1d_array_t c, image2d_array_t d, image3d_t e, image2d_depth_t g, image2d_array_depth_t h, sampler_t s) { float4 v = read_imagef(a, s, 1) + read_imagef(a, s, 1.0f) + read_imagef(b, 1) + read_imagef(c, s, (int2)(1)) + read_imagef(d, s, (float4)(1)) + read_imagef(e, s, (int4)(1)); float w = read_imagef(g, s, (float2)(1)) + read_imagef(h, s, (float4)(1)); size_t n = get_image_array_size(c); int4 i = get_image_dim(e); }
//--- -cl-std=CL2.0
void g(read_only image2d_t a, sampler_t s) { read_imagef(a, s, (float2)(0)); } kernel void f(image2d_t a, sampler_t s) { g(a, s); g(a, CLK_FILTER_NEAREST); } // warning: ignoring return value of function declared with pure attribute
//--- -cl-std=CL2.0
kernel void f(global int *p, local int *l) { event_t e = async_work_group_copy(l, p, 4, 0); e = async_work_group_strided_copy(l, p, 4, 2, e); event_t a[2] = {e, e}; wait_group_events(2, a); wait_group_events(1, &e); barrier(CLK_LOCAL_MEM_FENCE); work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device); mem_fence(CLK_LOCAL_MEM_FENCE); prefetch(p, 4); }
//--- -cl-std=CL2.0
kernel void f(global int *p) { p[0] = work_group_all(1) + work_group_any(0) + work_group_broadcast(1, 0) + work_group_reduce_add(1) + work_group_scan_exclusive_max(2); p[1] = atomic_add(p, 1) + atomic_cmpxchg(p, 1, 2) + atomic_inc(p) + atom_dec(p) + atomic_min(p, 1); }
//--- -cl-std=CL2.0
kernel void f(global int *p) { int n = 3; void (^b)(void) = ^{ p[0] = n; }; b(); int (^c)(int, int) = ^int(int x, int y) { return x + y + n; }; p[1] = c(1, 2); ^{ p[2] = 1; }(); int m = ^(int z) { return z * 2; }(4); enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ p[3] = n; }); }
//--- -cl-std=CL2.0
kernel void f(read_only pipe int a, write_only pipe int b, global int *p) { int v; reserve_id_t r = reserve_read_pipe(a, 2); if (is_valid_reserve_id(r)) { read_pipe(a, r, 0, &v); commit_read_pipe(a, r); } r = work_group_reserve_write_pipe(b, 1); write_pipe(b, r, 0, &v); work_group_commit_write_pipe(b, r); read_pipe(a, &v); write_pipe(b, p); }
//--- -cl-std=CL2.0
__attribute__((overloadable)) int f(int a) { return a; } __attribute__((overloadable)) float f(float a) { return a; } int4 __attribute__((overloadable)) f(int4 a) { return a; } void g(void) { int a = f(1); float b = f(1.0f); int4 c = f((int4)(1)); }
//--- -cl-std=CL2.0
void f(int n) { int a = __builtin_popcount(n) + __builtin_clz(n) + __builtin_expect(n, 1) + __builtin_offsetof(struct { int a; int b; }, b) + __builtin_constant_p(1) + __builtin_bswap32(n) + __builtin_abs(n); float b = __builtin_fabsf(1.0f) + __builtin_inff() + __builtin_nanf(""); if (__builtin_isnan(b)) __builtin_trap(); float4 v = __builtin_shufflevector((float4)(1), (float4)(2), 0, 5, 2, 7); int4 w = __builtin_convertvector(v, int4); __builtin_assume(n); }
//--- -cl-std=CL2.0
int a = sizeof(struct { int a; }), b = sizeof(enum { A }), c = A; void f(struct S { int a; } *p) { struct T { int b; } t; t.b = ((struct { int a; } *)p)->a; enum { B } e = B; } // warning: declaration of 'struct S' will not be visible outside of this function
//--- -cl-std=CL2.0
void f(a, b, c) int a, *b; float c; { *b = a + c; } void g(void) { int x; f(1, &x, 2.0f); } // warning: a function definition without a prototype is deprecated in all versions of C and is not supported in C2x
//--- -cl-std=CL2.0
int f() { return 1; } int g(void) { return f(); } int h(); int i(void) { return h(); } int h() { return 2; }
//--- -cl-std=CL2.0
extern int f(int); extern global int g; void h(void) { extern int f(int); f(1); } 
//--- -cl-std=CL2.0
void f(void) { int f = 1; { float f = 2; f++; } f++; } struct f { int f; }; enum g { h }; void i(struct f f) { enum g h = 0; goto f; f: f.f = h; }
//--- -cl-std=CL2.0
#define A(x, y) x##y
//--- -cl-std=CL2.0
#define S(x) #x
//--- -cl-std=CL2.0
#define V(...) f(__VA_ARGS__)
//--- -cl-std=CL2.0
#define EMPTY
//--- -cl-std=CL2.0
#define R R + 1
//--- -cl-std=CL2.0
int R_ = 1; int f(int R) { return 1; }
//--- -cl-std=CL2.0
int a;
//--- -cl-std=CL2.0
#line 5 "a.cl"
