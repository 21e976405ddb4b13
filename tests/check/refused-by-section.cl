// SPDX-License-Identifier: MIT
// Rejects what OpenCL C forbids, in the order of the specification, with as many errors as clang, on the same lines.
//--- -cl-std=CL1.2
global int a; // error: program scope variable must reside in constant address space
//--- -cl-std=CL1.2
local int a; // error: program scope variable must reside in constant address space
//--- -cl-std=CL1.2
private int a; // error: program scope variable must reside in constant address space
//--- -cl-std=CL1.2
int a = 1; // error: program scope variable must reside in constant address space
//--- -cl-std=CL1.2
constant int a; // error: variable in constant address space must be initialized
//--- -cl-std=CL1.2
constant int a = f(); // error: implicit declaration of function 'f' is invalid in OpenCL
//--- -cl-std=CL1.2
static global int a; // error: program scope variable must reside in constant address space
//--- -cl-std=CL1.2
extern global int a; // error: program scope variable must reside in constant address space
//--- -cl-std=CL1.2
extern constant int a;
//--- -cl-std=CL1.2
extern constant int a = 1; // warning: 'extern' variable has an initializer
//--- -cl-std=CL1.2
void f(void) { global int a; } // error: function scope variable cannot be declared in global address space
//--- -cl-std=CL1.2
void f(void) { local int a; } // error: non-kernel function variable cannot be declared in local address space
//--- -cl-std=CL1.2
void f(void) { constant int a = 1; } // error: non-kernel function variable cannot be declared in constant address space
//--- -cl-std=CL1.2
kernel void f(void) { local int a = 1; } // error: '__local' variable cannot have an initializer
//--- -cl-std=CL1.2
kernel void f(void) { { local int a; } } // error: variables in the local address space can only be declared in the outermost scope of a kernel function
//--- -cl-std=CL1.2
kernel void f(void) { if (1) { constant int a = 1; } } // error: variables in the constant address space can only be declared in the outermost scope of a kernel function
//--- -cl-std=CL1.2
kernel void f(void) { local int a; { local int b; } constant int c = 1; } // error: variables in the local address space can only be declared in the outermost scope of a kernel function
//--- -cl-std=CL1.2
kernel void f(void) { static int a; } // error: variables in function scope cannot be declared static
//--- -cl-std=CL1.2
void f(void) { static int a; } // error: variables in function scope cannot be declared static
//--- -cl-std=CL1.2
void f(void) { extern int a; } // error: extern variable must reside in constant address space
//--- -cl-std=CL1.2
void f(void) { register int a; auto int b; } // error: OpenCL C version 1.2 does not support the 'register' storage class specifier // error: OpenCL C version 1.2 does not support the 'auto' storage class specifier
//--- -cl-std=CL1.2
register int a; // error: OpenCL C version 1.2 does not support the 'register' storage class specifier // error: program scope variable must reside in constant address space
//--- -cl-std=CL1.2
auto int a; // error: OpenCL C version 1.2 does not support the 'auto' storage class specifier // error: program scope variable must reside in constant address space
//--- -cl-std=CL1.2
void f(local int a) {} // error: parameter may not be qualified with an address space
//--- -cl-std=CL1.2
void f(global int a) {} // error: parameter may not be qualified with an address space
//--- -cl-std=CL1.2
void f(constant int a) {} // error: parameter may not be qualified with an address space
//--- -cl-std=CL1.2
void f(private int a) {}
//--- -cl-std=CL1.2
global int f(void) { return 1; } // error: return type cannot be qualified with address space
//--- -cl-std=CL1.2
constant int f(void) { return 1; } // error: return type cannot be qualified with address space
//--- -cl-std=CL1.2
int global f(void) { return 1; } // error: return type cannot be qualified with address space
//--- -cl-std=CL1.2
void f(void) { int *p; global int *q = p; } // error: initializing '__global int *' with an expression of type 'int *' changes address space of pointer
//--- -cl-std=CL1.2
void f(global int *g, local int *l) { g = l; } // error: assigning to '__global int *' from type '__local int *' changes address space of pointer
//--- -cl-std=CL1.2
void f(global int *g, constant int *c) { c = g; g = c; } // error: assigning to '__constant int *' from type '__global int *' changes address space of pointer // error: assigning to '__global int *' from type '__constant int *' changes address space of pointer
//--- -cl-std=CL1.2
void f(global int *g, int *p) { p = g; } // error: assigning to 'int *' from type '__global int *' changes address space of pointer
//--- -cl-std=CL1.2
void f(global int *g) { int *p = (int *)g; } // error: casting '__global int *' to type 'int *' changes address space of pointer
//--- -cl-std=CL1.2
void f(global int *g) { local int *p = (local int *)g; } // error: casting '__global int *' to type '__local int *' changes address space of pointer
//--- -cl-std=CL1.2
void f(global int *g, int n) { local int *p = n ? g : 0; } // error: initializing '__local int *' with an expression of type '__global int *' changes address space of pointer
//--- -cl-std=CL1.2
void f(global int *g, local int *l, int n) { n ? g : l; g == l; g - l; g < l; } // error: conditional operator with the second and third operands of type ('__global int *' and '__local int *') which are pointers to non-overlapping address spaces // error: '__global int *' and '__local int *' are pointers to non-overlapping address spaces // error: '__global int *' and '__local int *' are pointers to non-overlapping address spaces // error: '__global int *' and '__local int *' are pointers to non-overlapping address spaces
//--- -cl-std=CL1.2
void f(global int **g) {}
//--- -cl-std=CL1.2
kernel void f(global int **g) {} // error: pointer arguments to kernel functions must reside in __global, __constant or __local address space
//--- -cl-std=CL1.2
kernel void f(global int *global *g) {} // error: kernel parameter cannot be declared as a pointer to a pointer
//--- -cl-std=CL1.2
kernel void f(int *g) {} // error: pointer arguments to kernel functions must reside in __global, __constant or __local address space
//--- -cl-std=CL1.2
kernel void f(int g[3]) {} // error: pointer arguments to kernel functions must reside in __global, __constant or __local address space
//--- -cl-std=CL1.2
kernel void f(global int g[3]) {}
//--- -cl-std=CL1.2
kernel void f(private int *g) {} // error: pointer arguments to kernel functions must reside in __global, __constant or __local address space
//--- -cl-std=CL1.2
kernel void f(void *g) {} // error: pointer arguments to kernel functions must reside in __global, __constant or __local address space
//--- -cl-std=CL1.2
kernel void f(bool b) {} // error: 'bool' cannot be used as the type of a kernel parameter
//--- -cl-std=CL1.2
kernel void f(size_t s) {} // error: 'size_t' cannot be used as the type of a kernel parameter
//--- -cl-std=CL1.2
kernel void f(ptrdiff_t s, intptr_t p, uintptr_t u) {} // error: 'ptrdiff_t' cannot be used as the type of a kernel parameter // error: 'intptr_t' cannot be used as the type of a kernel parameter // error: 'uintptr_t' cannot be used as the type of a kernel parameter
//--- -cl-std=CL1.2
kernel void f(half h) {} // error: declaring parameter of type 'half' is not allowed
//--- -cl-std=CL1.2
kernel void f(global bool *b) {}
//--- -cl-std=CL1.2
kernel void f(global size_t *b) {}
//--- -cl-std=CL1.2
kernel void f(event_t e) {} // error: 'event_t' cannot be used as the type of a kernel parameter
//--- -cl-std=CL1.2
kernel void f(struct S *s) {} // warning: declaration of 'struct S' will not be visible outside of this function // error: pointer arguments to kernel functions must reside in __global, __constant or __local address space
//--- -cl-std=CL1.2
kernel void f(struct { int a; } s) {}
//--- -cl-std=CL1.2
struct S { bool b; }; kernel void f(struct S s) {} // error: 'struct S' cannot be used as the type of a kernel parameter: it holds what the host cannot pass
//--- -cl-std=CL1.2
struct S { size_t b; }; kernel void f(struct S s) {} // error: 'struct S' cannot be used as the type of a kernel parameter: it holds what the host cannot pass
//--- -cl-std=CL1.2
struct S { global int *p; }; kernel void f(struct S s) {} // error: 'struct S' cannot be used as the type of a kernel parameter: it holds what the host cannot pass
//--- -cl-std=CL1.2
struct S { int *p; }; kernel void f(global struct S *s) {}
//--- -cl-std=CL1.2
struct S { half h; }; kernel void f(struct S s) {} // error: 'struct S' cannot be used as the type of a kernel parameter: it holds what the host cannot pass
//--- -cl-std=CL1.2
union U { int a; float b; }; kernel void f(union U u) {}
//--- -cl-std=CL1.2
struct S { int a; }; kernel void f(struct S s, global struct S *t) {}
//--- -cl-std=CL1.2
struct S; kernel void f(global struct S *s) {}
//--- -cl-std=CL1.2
struct S; kernel void f(struct S s) {} // error: variable has incomplete type 'struct S'
//--- -cl-std=CL1.2
kernel int f(void) { return 1; } // error: kernel must have void return type
//--- -cl-std=CL1.2
kernel void f(int a, ...) {} // error: invalid prototype, variadic arguments are not allowed in OpenCL
//--- -cl-std=CL1.2
kernel void f(int, float) {} // warning: omitting the parameter name in a function definition is a C2x extension // warning: omitting the parameter name in a function definition is a C2x extension
//--- -cl-std=CL1.2
kernel void f() {}
//--- -cl-std=CL1.2
kernel void main(void) {} // error: kernel cannot be called 'main'
//--- -cl-std=CL1.2
kernel static void f(void) {} // error: kernel functions cannot be declared static
//--- -cl-std=CL1.2
kernel inline void f(void) {}
//--- -cl-std=CL1.2
kernel extern void f(void) {}
//--- -cl-std=CL1.2
kernel void f(void); kernel void f(void) {}
//--- -cl-std=CL1.2
void f(void); kernel void f(void) {}
//--- -cl-std=CL1.2
kernel void f(void); void f(void) {}
//--- -cl-std=CL1.2
kernel void f(void) {} void g(void) { f(); }
//--- -cl-std=CL1.2
kernel void f(void) {} kernel void g(void) { f(); }
//--- -cl-std=CL1.2
kernel void f(void) { local int a; } kernel void g(void) { f(); }
//--- -cl-std=CL1.2
kernel kernel void f(void) {}
//--- -cl-std=CL1.2
kernel struct S { int a; };
//--- -cl-std=CL1.2
kernel typedef int T; // error: 'kernel' attribute only applies to functions
//--- -cl-std=CL1.2
void f(kernel int a) {} // error: 'kernel' attribute only applies to functions
//--- -cl-std=CL1.2
struct S { kernel int a; }; // error: 'kernel' attribute only applies to functions
//--- -cl-std=CL1.2
struct S { global int a; }; // error: field may not be qualified with an address space
//--- -cl-std=CL1.2
struct S { local int a; }; // error: field may not be qualified with an address space
//--- -cl-std=CL1.2
struct S { constant int a; }; // error: field may not be qualified with an address space
//--- -cl-std=CL1.2
struct S { private int a; }; // error: field may not be qualified with an address space
//--- -cl-std=CL1.2
struct S { image2d_t i; }; // error: the '__read_only image2d_t' type cannot be used to declare a structure or union field
//--- -cl-std=CL1.2
struct S { sampler_t s; }; // error: the 'sampler_t' type cannot be used to declare a structure or union field
//--- -cl-std=CL1.2
struct S { event_t s; }; // error: the 'event_t' type cannot be used to declare a structure or union field
//--- -cl-std=CL1.2
struct S { int a : 3; }; // error: bit-fields are not supported in OpenCL
//--- -cl-std=CL1.2
struct S { int a[]; }; // error: flexible array member 'a' not allowed in otherwise empty struct
//--- -cl-std=CL1.2
struct S { int a; int b[]; };
//--- -cl-std=CL1.2
struct S { int a[0]; };
//--- -cl-std=CL1.2
struct S { int a[-1]; }; // error: array size is negative
//--- -cl-std=CL1.2
struct S { struct S s; }; // error: field 's' has incomplete type 'struct S'
//--- -cl-std=CL1.2
struct S { struct S *s; };
//--- -cl-std=CL1.2
struct S { void v; }; // error: field 'v' has incomplete type 'void'
//--- -cl-std=CL1.2
struct S { int f(void); }; // error: field 'f' has incomplete type 'int (void)'
//--- -cl-std=CL1.2
struct S { int a; int a; }; // error: duplicate member 'a'
//--- -cl-std=CL1.2
struct S { int a; } struct T { int b; }; // error: expected ';' after struct
//--- -cl-std=CL1.2
struct S { int a };  // warning: expected ';' at end of declaration list
//--- -cl-std=CL1.2
struct { int a; } s; // error: program scope variable must reside in constant address space
//--- -cl-std=CL1.2
constant struct { int a; } s = {1};
//--- -cl-std=CL1.2
struct S { int a = 1; }; // error: expected ';' at end of declaration list
//--- -cl-std=CL1.2
struct S { extern int a; }; // error: type name does not allow storage class to be specified
//--- -cl-std=CL1.2
enum E { A, B, A }; // error: redefinition of 'A'
//--- -cl-std=CL1.2
enum E { A = 1.5 }; // error: expression is not an integer constant expression
//--- -cl-std=CL1.2
enum E { A = x }; // error: use of undeclared identifier 'x'
//--- -cl-std=CL1.2
enum E { A } ; enum E { B }; // error: redefinition of 'E'
//--- -cl-std=CL1.2
enum E { A } ; struct E { int a; }; // error: use of 'E' with tag type that does not match previous declaration
//--- -cl-std=CL1.2
enum E e; // error: program scope variable must reside in constant address space
//--- -cl-std=CL1.2
enum E : int { A };
//--- -cl-std=CL1.2
enum { A = 1 << 33 };
//--- -cl-std=CL1.2
enum { }; // error: use of empty enum
//--- -cl-std=CL1.2
typedef int T; typedef float T; // error: typedef redefinition with different types ('float' vs 'int') of 'T'
//--- -cl-std=CL1.2
typedef int T; typedef int T; // warning: redefinition of typedef 'T' is a C11 feature
//--- -cl-std=CL1.2
typedef int T = 1; // error: illegal initializer (only variables can be initialized)
//--- -cl-std=CL1.2
typedef void V; V f(V) {}
//--- -cl-std=CL1.2
typedef int T[]; void f(void) { T a = {1, 2}; T b; } // error: definition of variable with array type needs an explicit size or an initializer
//--- -cl-std=CL1.2
int f(void) { return 1; } int f(void) { return 2; } // error: redefinition of 'f'
//--- -cl-std=CL1.2
int f(void); float f(void); // error: conflicting types for 'f'
//--- -cl-std=CL1.2
int f(int a); int f(float a) { return 1; } // error: conflicting types for 'f'
//--- -cl-std=CL1.2
void f(void) { f = 1; } // error: taking address of function is not allowed: 'f'
//--- -cl-std=CL1.2
void f(void) { &f; } // error: taking address of function is not allowed: 'f'
//--- -cl-std=CL1.2
int (*p)(void); // error: pointers to functions are not allowed
//--- -cl-std=CL1.2
typedef int (*P)(void); // error: pointers to functions are not allowed
//--- -cl-std=CL1.2
typedef int F(void); F f; F *g; // error: pointers to functions are not allowed
//--- -cl-std=CL1.2
void f(int a, int a) {} // error: redefinition of parameter 'a'
//--- -cl-std=CL1.2
void f(int a) { int a; } // error: redefinition of 'a'
//--- -cl-std=CL1.2
void f(int a) { { int a; } }
//--- -cl-std=CL1.2
void f(void a) {} // error: argument may not have 'void' type
//--- -cl-std=CL1.2
void f(void, int) {} // error: argument may not have 'void' type
//--- -cl-std=CL1.2
void f(void) { void a; } // error: variable has incomplete type 'void'
//--- -cl-std=CL1.2
void v; // error: program scope variable must reside in constant address space
//--- -cl-std=CL1.2
void f(void) { return 1; } // error: void function 'f' should not return a value
//--- -cl-std=CL1.2
int f(void) { return; } // error: non-void function 'f' should return a value
//--- -cl-std=CL1.2
int f(void) { return "a"; } // error: incompatible pointer to integer conversion returning '__constant char *' from a function with result type 'int'
//--- -cl-std=CL1.2
float4 f(void) { return 1; }
//--- -cl-std=CL1.2
float4 f(void) { return (float2)(1); } // error: returning 'float2' from a function with result incompatible type 'float4'
//--- -cl-std=CL1.2
int f(void) { return (int4)(1); } // error: returning 'int4' from a function with result incompatible type 'int'
//--- -cl-std=CL1.2
int f[3](void); // error: array has incomplete element type 'int (void)'
//--- -cl-std=CL1.2
int f(void)[3]; // error: function cannot return array type 'int [3]'
//--- -cl-std=CL1.2
void f(int n) { int a[n]; } // error: variable length arrays are not supported in OpenCL
//--- -cl-std=CL1.2
void f(const int n) { int a[n]; } // error: variable length arrays are not supported in OpenCL
//--- -cl-std=CL1.2
void f(void) { const int n = 3; int a[n]; }
//--- -cl-std=CL1.2
void f(void) { int a[0]; int b[-1]; int c[1.5]; int d["a"]; int e[]; int g[3.0f]; int h[(int)3.5]; } // error: array size is negative // error: size of array has non-integer type 'double' // error: size of array has non-integer type '__constant char *' // error: definition of variable with array type needs an explicit size or an initializer // error: size of array has non-integer type 'float'
//--- -cl-std=CL1.2
void f(int a[n], int n) {} // error: use of undeclared identifier 'n'
//--- -cl-std=CL1.2
void f(int n, int a[n]) {} // error: variable length arrays are not supported in OpenCL
//--- -cl-std=CL1.2
void f(int a[]) { sizeof(a); a = 0; } // warning: sizeof on array function parameter will return size of 'int *' instead of 'int []' // warning: expression result unused
//--- -cl-std=CL1.2
void f(void) { int a[2]; a = 0; a++; } // error: array type 'int [2]' is not assignable // error: cannot increment value of type 'int [2]'
//--- -cl-std=CL1.2
void f(void) { int a[2] = {1, 2, 3}; int b[2] = 1; int c[2] = {{1}, {2}, {3}}; char d[2] = "abc"; char e[] = {'a'}; int g[] = {}; int h[2] = {[3] = 1}; int i[2] = {[-1] = 1}; int j[2] = {.a = 1}; } // warning: excess elements in array initializer // error: array initializer must be an initializer list or string literal // warning: braces around scalar initializer // warning: braces around scalar initializer // warning: excess elements in array initializer // warning: initializer-string for char array is too long // error: array designator index (3) exceeds array bounds // error: array designator index (-1) exceeds array bounds // error: field designator cannot initialize a non-struct, non-union type 'int [2]'
//--- -cl-std=CL1.2
void f(void) { struct { int a; } s = {.b = 1}; struct { int a; } t = {1, 2}; struct { int a; } u = 1; int v = {1, 2}; int w = {}; int x = {{1}}; int y = "a"; float z = {1.0f}; } // error: field designator 'b' does not refer to any field in type 'struct (unnamed)' // warning: excess elements in struct initializer // error: initializing 'struct (unnamed)' with an expression of incompatible type 'int' // warning: excess elements in scalar initializer // error: scalar initializer cannot be empty // warning: too many braces around scalar initializer // error: incompatible pointer to integer conversion initializing 'int' with an expression of type '__constant char *'
//--- -cl-std=CL1.2
void f(void) { float4 a = {1, 2, 3, 4, 5}; float4 b = {1, 2}; float4 c = (float4)(1, 2); float4 d = (float4)(1, 2, 3, 4, 5); float4 e = (float4)((float2)(1), 2); float4 g = (float3)(1); float4 h = (int4)(1); float4 i = 1; float4 j = {(float2)(1), (float2)(2)}; float4 k = (float4)((int2)(1), 2, 3); } // error: excess elements in vector initializer // error: too few elements in vector initialization (expected 4 elements, have 2) // error: too few elements in vector initialization // error: too many elements in vector initialization // error: too few elements in vector initialization // error: initializing 'float4' with an expression of incompatible type 'float3' // error: initializing 'float4' with an expression of incompatible type 'int4' // error: initializing 'float4' with an expression of incompatible type 'int2'
//--- -cl-std=CL1.2
void f(float4 v) { v.q; v.xyzwx; v.s4; v.x1; v.xs0; v.s; v.sx; v.rgbx; v.lo.hi.x; v.lo.lo.lo; v.xx = (float2)(1); v.xyz.w; v.X; v.s0G; v.; } // error: expected identifier // error: illegal vector component name 'q' // error: vector component access has invalid length 5.  Supported: 1,2,3,4,8,16. // error: vector component access exceeds type 'float4' // error: illegal vector component name '1' // error: illegal vector component name 's' // error: illegal vector component name 's' // error: illegal vector component name 'x' // warning: vector component name 'r' is a feature from OpenCL version 3.0 onwards // error: illegal vector component name 'x' // error: member reference base type 'float' is not a structure or union // error: member reference base type 'float' is not a structure or union // error: vector is not assignable (contains duplicate components) // error: vector component access exceeds type 'float3' // error: illegal vector component name 'X' // error: illegal vector component name 'G'
//--- -cl-std=CL1.2
void f(float3 v) { v.w; v.s3; v.hi; v.odd; v.lo; v.hi.y; } // error: vector component access exceeds type 'float3' // error: vector component access exceeds type 'float3' // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused
//--- -cl-std=CL1.2
void f(float2 v) { v.z; v.xyz; v.hi; v.hi.x; v.hi.hi; } // error: vector component access exceeds type 'float2' // error: vector component access exceeds type 'float2' // error: member reference base type 'float' is not a structure or union // error: member reference base type 'float' is not a structure or union // warning: expression result unused
//--- -cl-std=CL1.2
void f(float v) { v.x; v.lo; v[0]; } // error: member reference base type 'float' is not a structure or union // error: member reference base type 'float' is not a structure or union // error: subscripted value is not an array, pointer, or vector
//--- -cl-std=CL1.2
void f(float4 v) { v[4]; v["a"]; v[1.0f]; &v.x; &v[0]; &v.xy; &v; } // error: array subscript is not an integer // error: array subscript is not an integer // error: address of vector element requested // error: address of vector element requested // error: address of vector element requested // warning: expression result unused // warning: expression result unused
//--- -cl-std=CL1.2
void f(int4 n) { if (n) {} while (n) {} for (; n; ) {} do {} while (n); n ? 1 : 2; !n; n && 1; switch (n) {} return n; } // error: statement requires expression of scalar type ('int4' invalid) // error: statement requires expression of scalar type ('int4' invalid) // error: statement requires expression of scalar type ('int4' invalid) // error: statement requires expression of scalar type ('int4' invalid) // error: statement requires expression of integer type ('int4' invalid) // error: void function 'f' should not return a value // warning: expression result unused // warning: expression result unused // warning: expression result unused
//--- -cl-std=CL1.2
void f(bool b, bool4 c) { bool2 d; } // error: unknown type name 'bool4' // error: unknown type name 'bool2'
//--- -cl-std=CL1.2
void f(float5 a, int1 b, double3 c, half4 d, uint16 e, long32 g) {} // error: unknown type name 'float5' // error: unknown type name 'int1' // error: unknown type name 'long32'
//--- -cl-std=CL1.2
void f(complex float a, _Complex float b, imaginary float c, long double d, long long e, unsigned char g, float float h, short float i, unsigned float j) {} // error: unknown type name 'complex' // error: '_Complex' is not supported in OpenCL C // error: unknown type name 'imaginary' // error: cannot combine with previous 'float' declaration specifier // error: 'short float' is not a type // error: 'unsigned float' is not a type
//--- -cl-std=CL1.2
void f(quad a, bool2 b, half2 h, quad4 c, double4 d, unsigned4 e) {} // error: unknown type name 'quad' // error: unknown type name 'bool2' // error: unknown type name 'quad4' // error: unknown type name 'unsigned4'
//--- -cl-std=CL1.2
void f(event_t e, event_t g) { e = g; e == g; e + 1; e = 0; event_t h = 0; event_t i = 1; event_t j; wait_group_events(1, e); wait_group_events(1, &e); !e; if (e) {} (int)e; (event_t)0; (event_t)1; e ? 1 : 2; } // error: invalid operands to binary expression ('event_t' and 'event_t') // error: invalid operands to binary expression ('event_t' and 'int') // error: assigning to 'event_t' from incompatible type 'int' // error: initializing 'event_t' with an expression of incompatible type 'int' // error: no matching function for call to 'wait_group_events' // error: invalid argument type 'event_t' to unary expression // error: statement requires expression of scalar type ('event_t' invalid) // error: operand of type 'event_t' where arithmetic or pointer type is required // error: cannot cast non-zero value '1' to 'event_t' // error: statement requires expression of scalar type ('event_t' invalid) // warning: expression result unused
//--- -cl-std=CL1.2
void f(sampler_t s, sampler_t t) { s = t; s == t; s + 1; sampler_t u; sampler_t v = 1; const sampler_t w = s; !s; if (s) {} &s; *s; sampler_t x[2]; sampler_t *y; (sampler_t)1; (int)s; sizeof(s); s ? 1 : 2; } // error: invalid operands to binary expression ('sampler_t' and 'sampler_t') // error: invalid operands to binary expression ('sampler_t' and 'sampler_t') // error: invalid operands to binary expression ('sampler_t' and 'int') // warning: sampler initializer has invalid Filter Mode bits // error: invalid argument type 'sampler_t' to unary expression // error: statement requires expression of scalar type ('sampler_t' invalid) // error: invalid argument type 'sampler_t' to unary expression // error: invalid argument type 'sampler_t' to unary expression // error: array of 'sampler_t' type is invalid in OpenCL // error: pointer to type 'sampler_t' is invalid in OpenCL // error: used type 'sampler_t' where arithmetic or pointer type is required // error: operand of type 'sampler_t' where arithmetic or pointer type is required // error: statement requires expression of scalar type ('sampler_t' invalid) // warning: expression result unused
//--- -cl-std=CL1.2
void f(image2d_t i, image2d_t j) { i = j; i == j; i + 1; image2d_t k; image2d_t l = i; &i; *i; image2d_t m[2]; image2d_t *n; (image2d_t)1; (int)i; sizeof(i); if (i) {} i ? 1 : 2; i[0]; i.x; i(); } // error: invalid operands to binary expression ('__read_only image2d_t' and '__read_only image2d_t') // error: invalid operands to binary expression ('__read_only image2d_t' and '__read_only image2d_t') // error: invalid operands to binary expression ('__read_only image2d_t' and 'int') // error: declaring variable of type '__read_only image2d_t' is not allowed: it can only be used as a function parameter // error: declaring variable of type '__read_only image2d_t' is not allowed: it can only be used as a function parameter // error: invalid argument type '__read_only image2d_t' to unary expression // error: invalid argument type '__read_only image2d_t' to unary expression // error: array of '__read_only image2d_t' type is invalid in OpenCL // error: pointer to type '__read_only image2d_t' is invalid in OpenCL // error: used type '__read_only image2d_t' where arithmetic or pointer type is required // error: operand of type '__read_only image2d_t' where arithmetic or pointer type is required // error: statement requires expression of scalar type ('__read_only image2d_t' invalid) // error: statement requires expression of scalar type ('__read_only image2d_t' invalid) // error: subscripted value is not an array, pointer, or vector // error: member reference base type '__read_only image2d_t' is not a structure or union // error: called object type '__read_only image2d_t' is not a function or function pointer // warning: expression result unused
//--- -cl-std=CL1.2
image2d_t g; image2d_t f(void); typedef image2d_t T; void h(T t) {} struct S { image2d_t i; }; global image2d_t a; void k(global image2d_t i) {} void l(image2d_t *i) {} void m(image2d_t i[2]) {} // error: program scope variable must reside in constant address space // error: declaring function return value of type '__read_only image2d_t' is not allowed // error: the '__read_only image2d_t' type cannot be used to declare a structure or union field // error: program scope variable must reside in constant address space // error: parameter may not be qualified with an address space // error: pointer to type '__read_only image2d_t' is invalid in OpenCL // error: array of '__read_only image2d_t' type is invalid in OpenCL
//--- -cl-std=CL1.2
kernel void f(read_only image2d_t a, write_only image2d_t b, read_write image2d_t c, read_only write_only image2d_t d, read_only int e, read_only read_only image2d_t g, write_only sampler_t h) {} // error: multiple access qualifiers // error: access qualifier can only be used for pipe and image type // warning: duplicate 'read_only' declaration specifier // error: access qualifier 'read_write' can not be used for 'image2d_t' prior to OpenCL C version 2.0 // error: access qualifier can only be used for pipe and image type
//--- -cl-std=CL1.2
kernel void f(read_only image2d_t a, write_only image2d_t b, sampler_t s) { read_imagef(b, s, (float2)(1)); write_imagef(a, (int2)(1), (float4)(1)); read_imagef(a, s, 1); read_imagef(a, s, (float4)(1)); read_imagef(a, (float2)(1)); write_imagef(b, (float2)(1), (float4)(1)); write_imagei(b, (int2)(1), (float4)(1)); read_imagef(a, s); read_imagef(s, a, (float2)(1)); get_image_width(b); get_image_depth(a); get_image_dim(s); read_imagef(1, s, (float2)(1)); } // error: no matching function for call to 'read_imagef' // error: no matching function for call to 'write_imagef' // error: call to 'read_imagef' is ambiguous // error: no matching function for call to 'read_imagef' // error: no matching function for call to 'read_imagef' // error: no matching function for call to 'write_imagef' // error: no matching function for call to 'write_imagei' // error: no matching function for call to 'read_imagef' // error: no matching function for call to 'read_imagef' // warning: ignoring return value of function declared with const attribute // error: no matching function for call to 'get_image_depth' // error: no matching function for call to 'get_image_dim' // error: no matching function for call to 'read_imagef'
//--- -cl-std=CL1.2
void g(read_only image2d_t a) {} void h(write_only image2d_t a) {} void i(image3d_t a) {} kernel void f(read_only image2d_t a, write_only image2d_t b) { g(a); g(b); h(a); h(b); i(a); } // error: passing '__write_only image2d_t' to parameter of incompatible type '__read_only image2d_t' // error: passing '__read_only image2d_t' to parameter of incompatible type '__write_only image2d_t' // error: passing '__read_only image2d_t' to parameter of incompatible type '__read_only image3d_t'
//--- -cl-std=CL1.2
kernel void f(image2d_msaa_t a, image2d_depth_t b, image2d_array_t c, image1d_buffer_t d, image4d_t e) {} // error: unknown type name 'image4d_t'
//--- -cl-std=CL1.2
typedef read_only image2d_t R; void f(write_only R a) {} typedef image2d_t T; void g(write_only T a, read_only T b) {} void h(read_only R a) {} // error: multiple access qualifiers // error: multiple access qualifiers // warning: duplicate 'read_only' declaration specifier // warning: duplicate 'read_only' declaration specifier
//--- -cl-std=CL1.2
read_only int a; write_only void f(void); typedef write_only image2d_t W; read_only image2d_t; void f(read_only struct S { int a; } s) {} // error: access qualifier can only be used for pipe and image type // error: program scope variable must reside in constant address space // error: access qualifier can only be used for pipe and image type // warning: declaration does not declare anything // error: access qualifier can only be used for pipe and image type // warning: declaration of 'struct S' will not be visible outside of this function // error: conflicting types for 'f'
//--- -cl-std=CL2.0
void f(int a) { if a; } // error: expected '(' after 'if'
//--- -cl-std=CL2.0
void f(int a) { if (a) else a = 1; } // error: expected expression
//--- -cl-std=CL2.0
void f(int a) { else a = 1; } // error: expected expression
//--- -cl-std=CL2.0
void f(int a) { while () {} } // error: expected expression
//--- -cl-std=CL2.0
void f(int a) { for (;) {} } // error: expected ';' in 'for' statement specifier
//--- -cl-std=CL2.0
void f(int a) { for (int i = 0; i < a; i++, ) {} } // error: expected expression
//--- -cl-std=CL2.0
void f(int a) { do a = 1; while (a) a = 2; } // error: expected ';' after do/while statement
//--- -cl-std=CL2.0
void f(int a) { switch (a) { case 1: case 1: ; } } // error: duplicate case value '1'
//--- -cl-std=CL2.0
void f(int a) { switch (a) { case a: ; } } // error: expression is not an integer constant expression
//--- -cl-std=CL2.0
void f(int a) { switch (a) { case 1.0: ; } } // error: expression is not an integer constant expression
//--- -cl-std=CL2.0
void f(int a) { switch (a) { default: default: ; } } // error: multiple default labels in one switch
//--- -cl-std=CL2.0
void f(int a) { case 1: ; } // error: 'case' statement not in switch statement
//--- -cl-std=CL2.0
void f(int a) { default: ; } // error: 'default' statement not in switch statement
//--- -cl-std=CL2.0
void f(int a) { switch (a) { int b = 1; case 1: b = 2; } }
//--- -cl-std=CL2.0
void f(float a) { switch (a) { } } // error: statement requires expression of integer type ('float' invalid)
//--- -cl-std=CL2.0
void f(int *a) { switch (a) { } } // error: statement requires expression of integer type ('__generic int *' invalid)
//--- -cl-std=CL2.0
void f(int a) { break; continue; } // error: 'break' statement not in loop or switch statement // error: 'continue' statement not in loop statement
//--- -cl-std=CL2.0
void f(int a) { switch (a) { case 1: continue; } } // error: 'continue' statement not in loop statement
//--- -cl-std=CL2.0
void f(int a) { goto l; } // error: use of undeclared label 'l'
//--- -cl-std=CL2.0
void f(int a) { l: ; l: ; } // error: redefinition of label 'l'
//--- -cl-std=CL2.0
void f(int a) { l: } // error: label at end of compound statement: expected statement
//--- -cl-std=CL2.0
void f(int a) { goto l; int b; l: ; }
//--- -cl-std=CL2.0
void f(int a) { { l: ; } goto l; }
//--- -cl-std=CL2.0
void f(int a) { l: int b; } // error: expected expression
//--- -cl-std=CL2.0
void f(int a) { if (a) int b; } // error: expected expression
//--- -cl-std=CL2.0
void f(int a) { for (int i = 0; ; ) int b; } // error: expected expression
//--- -cl-std=CL2.0
void f(int a) { switch (a) case 1: a = 1; }
//--- -cl-std=CL2.0
void f(int a) { return a; } // error: void function 'f' should not return a value
//--- -cl-std=CL2.0
int f(int a) { return; } // error: non-void function 'f' should return a value
//--- -cl-std=CL2.0
void f(int a) { throw a; } // error: unknown type name 'throw'
//--- -cl-std=CL2.0
void f(int a) { a = a ? : ; } // error: expected expression
//--- -cl-std=CL2.0
void f(int a) { a = (a; } // error: expected ')'
//--- -cl-std=CL2.0
void f(int a) { a = a); } // error: extraneous ')' before ';'
//--- -cl-std=CL2.0
void f(int a) { a = [a]; } // error: expected expression
//--- -cl-std=CL2.0
void f(int a) { a = a[0]; } // error: subscripted value is not an array, pointer, or vector
//--- -cl-std=CL2.0
void f(int a) { a = *a; } // error: indirection requires pointer operand ('int' invalid)
//--- -cl-std=CL2.0
void f(int a) { a = a->b; a.b = 1; } // error: member reference base type 'int' is not a structure or union // error: member reference base type 'int' is not a structure or union
//--- -cl-std=CL2.0
void f(int a) { a(); a(1); } // error: called object type 'int' is not a function or function pointer // error: called object type 'int' is not a function or function pointer
//--- -cl-std=CL2.0
void f(int a) { 1 = a; a + 1 = 2; (a) = 1; -a = 1; a++ = 1; ++a = 1; (a, a) = 1; (a ? a : a) = 1; &a = 0; 1++; --1; a++++; (int)a = 1; "a" = 0; f = 0; sizeof(a) = 1; } // error: expression is not assignable // error: expression is not assignable // error: expression is not assignable // error: expression is not assignable // error: expression is not assignable // error: expression is not assignable // error: expression is not assignable // error: expression is not assignable // error: expression is not assignable // error: expression is not assignable // error: expression is not assignable // error: expression is not assignable // error: array type 'char [2]' is not assignable // error: taking address of function is not allowed: 'f' // error: expression is not assignable // warning: left operand of comma operator has no effect
//--- -cl-std=CL2.0
void f(const int a, const int *p, int *const q, constant int *c) { a = 1; *p = 1; q = 0; *q = 1; p = 0; *c = 1; c = 0; a++; p[0]++; q++; c[1] = 2; a += 1; } // error: cannot assign to variable 'a' with const-qualified type 'const int' // error: read-only variable is not assignable // error: cannot assign to variable 'q' with const-qualified type '__generic int *const' // error: read-only variable is not assignable // error: cannot assign to variable 'a' with const-qualified type 'const int' // error: read-only variable is not assignable // error: cannot assign to variable 'q' with const-qualified type '__generic int *const' // error: read-only variable is not assignable // error: cannot assign to variable 'a' with const-qualified type 'const int'
//--- -cl-std=CL2.0
void f(const struct { int a; int b[2]; } s, const float4 v) { s.a = 1; s.b[0] = 1; v.x = 1; v = 0; v.xy += 1; } // error: read-only variable is not assignable // error: read-only variable is not assignable // error: read-only variable is not assignable // error: cannot assign to variable 'v' with const-qualified type 'const float4' // error: read-only variable is not assignable
//--- -cl-std=CL2.0
constant int g = 1; void f(void) { g = 2; g++; &g; int *p = &g; constant int *q = &g; } // error: cannot assign to variable 'g' with const-qualified type '__constant const int' // error: cannot assign to variable 'g' with const-qualified type '__constant const int' // error: initializing '__generic int *' with an expression of type '__constant int *' changes address space of pointer // warning: expression result unused
//--- -cl-std=CL2.0
void f(int a) { int a1 = b; int c = c; int d = d + 1; unknown(a); unknown2 x; struct U u; enum V v; union W w; typedef struct X Y; Y y; } // error: unknown type name 'unknown2' // error: use of undeclared identifier 'b' // error: implicit declaration of function 'unknown' is invalid in OpenCL // error: variable has incomplete type 'struct U' // error: variable has incomplete type 'enum V' // error: variable has incomplete type 'union W' // error: variable has incomplete type 'struct X'
//--- -cl-std=CL2.0
void f(int a) { sizeof(void); sizeof(f); sizeof(struct S); sizeof(int[]); sizeof(a++); sizeof int; sizeof(int)a; _Alignof(void); } // error: expected expression // error: expected ';' after expression // error: invalid application of 'sizeof' to type 'void' // error: taking address of function is not allowed: 'f' // error: invalid application of 'sizeof' to type 'struct S' // error: invalid application of 'sizeof' to type 'int []' // warning: expression with side effects has no effect in an unevaluated context // error: invalid application of 'alignof' to type 'void' // warning: expression result unused // warning: expression result unused // warning: expression result unused
//--- -cl-std=CL2.0
void f(void *p) { *p; p[0]; p + 1; p++; *(int *)p; p->a; p == 1; p < p; -p; !p; ~p; p * 2; p & 1; p % 2; p << 1; } // error: member reference base type 'void' is not a structure or union // warning: comparison between pointer and integer ('__generic void *' and 'int') // warning: equality comparison result unused // warning: self-comparison always evaluates to false // warning: relational comparison result unused // error: invalid argument type '__generic void *' to unary expression // error: invalid argument type '__generic void *' to unary expression // error: invalid operands to binary expression ('__generic void *' and 'int') // error: invalid operands to binary expression ('__generic void *' and 'int') // error: invalid operands to binary expression ('__generic void *' and 'int') // error: invalid operands to binary expression ('__generic void *' and 'int') // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused
//--- -cl-std=CL2.0
void f(int *p, float *q, int n) { p + q; p - q; p * 2; p + 1.0f; p & n; p == q; p = q; p = n; n = p; p = 0; p = 1; p = (int *)n; p = q - q; n = p - p; n = *p * *q; p += q; p += 1.5; p -= p; p = -p; p = p ? p : q; p = n ? p : 0; p = n ? p : 1; p = n ? p : n; p == n; p < 1; p && n; } // error: invalid operands to binary expression ('__generic int *' and '__generic float *') // error: '__generic int *' and '__generic float *' are not pointers to compatible types // error: invalid operands to binary expression ('__generic int *' and 'int') // error: invalid operands to binary expression ('__generic int *' and 'float') // error: invalid operands to binary expression ('__generic int *' and 'int') // warning: comparison of distinct pointer types ('__generic int *' and '__generic float *') // warning: equality comparison result unused // warning: incompatible pointer types assigning to '__generic int *' from type '__generic float *' // error: incompatible integer to pointer conversion assigning to '__generic int *' from type 'int' // error: incompatible pointer to integer conversion assigning to 'int' from type '__generic int *' // error: incompatible integer to pointer conversion assigning to '__generic int *' from type 'int' // warning: cast to '__generic int *' from smaller integer type 'int' // error: incompatible integer to pointer conversion assigning to '__generic int *' from type 'long' // error: invalid operands to binary expression ('__generic int *' and '__generic float *') // error: invalid operands to binary expression ('__generic int *' and 'double') // error: invalid operands to binary expression ('__generic int *' and '__generic int *') // error: invalid argument type '__generic int *' to unary expression // warning: pointer type mismatch ('__generic int *' and '__generic float *') // warning: pointer/integer type mismatch in conditional expression ('__generic int *' and 'int') // warning: pointer/integer type mismatch in conditional expression ('__generic int *' and 'int') // warning: comparison between pointer and integer ('__generic int *' and 'int') // warning: equality comparison result unused // warning: comparison between pointer and integer ('__generic int *' and 'int') // warning: relational comparison result unused // warning: expression result unused
//--- -cl-std=CL2.0
void f(global int *a, local int *b, constant int *c, private int *d, generic int *e) { e = a; e = b; e = c; e = d; a = e; b = e; c = e; d = e; a = b; a = (global int *)e; c = (constant int *)e; e = (generic int *)c; a = to_global(e); b = to_global(e); a = to_local(e); a = to_global(c); a == e; a == b; c == e; a - e; e ? a : b; e ? a : e; e ? c : e; } // error: assigning to '__generic int *' from type '__constant int *' changes address space of pointer // error: assigning to '__global int *' from type '__generic int *' changes address space of pointer // error: assigning to '__local int *' from type '__generic int *' changes address space of pointer // error: assigning to '__constant int *' from type '__generic int *' changes address space of pointer // error: assigning to 'int *' from type '__generic int *' changes address space of pointer // error: assigning to '__global int *' from type '__local int *' changes address space of pointer // error: casting '__generic int *' to type '__constant int *' changes address space of pointer // error: casting '__constant int *' to type '__generic int *' changes address space of pointer // error: assigning to '__local int *' from type '__global int *' changes address space of pointer // error: assigning to '__global int *' from type '__local int *' changes address space of pointer // error: no matching function for call to 'to_global' // warning: equality comparison result unused // error: '__global int *' and '__local int *' are pointers to non-overlapping address spaces // error: '__constant int *' and '__generic int *' are pointers to non-overlapping address spaces // error: conditional operator with the second and third operands of type ('__global int *' and '__local int *') which are pointers to non-overlapping address spaces // error: conditional operator with the second and third operands of type ('__constant int *' and '__generic int *') which are pointers to non-overlapping address spaces // warning: expression result unused // warning: expression result unused
//--- -cl-std=CL2.0
void f(global int *global *a, generic int **b, local int *global *c, int *global *d) { a = b; b = a; a = c; *a = *b; b = (int **)a; c = (local int *global *)a; d = a; a = d; } // error: assigning to '__global int *__global *' from type '__generic int *__generic *' changes address space of pointer // error: assigning to '__generic int *__generic *' from type '__global int *__global *' changes address space of nested pointer // error: assigning to '__global int *__global *' from type '__local int *__global *' changes address space of nested pointer // error: assigning to '__global int *' from type '__generic int *' changes address space of pointer // error: assigning to '__generic int *__global *' from type '__global int *__global *' changes address space of nested pointer // error: assigning to '__global int *__global *' from type '__generic int *__global *' changes address space of nested pointer
//--- -cl-std=CL2.0
int x; int *p = &x; global int *q = &x; local int *r = &x; constant int *s = &x; generic int *t = &x; int *u = (int *)1; int y = 1 + x; int z = f(); int w = sizeof(x); int v[x]; int aa[3] = {x}; int *ab = p; float ac = 1.0f / 0; int ad = 1 / 0; int ae = *p; int af = x ? 1 : 2; static int ag = 3; extern int ah = 4; const int ai; int ai2 = ai; // error: initializing '__local int *' with an expression of type '__global int *' changes address space of pointer // error: initializing '__constant int *' with an expression of type '__global int *' changes address space of pointer // error: initializer element is not a compile-time constant // error: implicit declaration of function 'f' is invalid in OpenCL // error: variable length arrays are not supported in OpenCL // error: initializer element is not a compile-time constant // error: initializer element is not a compile-time constant // warning: division by zero is undefined // error: initializer element is not a compile-time constant // error: initializer element is not a compile-time constant // error: initializer element is not a compile-time constant // warning: 'extern' variable has an initializer // error: initializer element is not a compile-time constant
//--- -cl-std=CL2.0
local int a; private int b; constant int c = 1; generic int d; global int e; int f1; static local int g; extern local int h; extern constant int i; extern global int j; typedef local int L; L k; typedef global int G; G l; const local int m; volatile private int n; // error: program scope variable must reside in global or constant address space // error: program scope variable must reside in global or constant address space // error: function scope variable cannot be declared in generic address space // error: program scope variable must reside in global or constant address space // error: program scope variable must reside in global or constant address space // error: program scope variable must reside in global or constant address space // error: program scope variable must reside in global or constant address space // error: program scope variable must reside in global or constant address space
//--- -cl-std=CL2.0
void f(void) { local int a; global int b; constant int c = 1; private int d; generic int e; static int g; static local int h; static global int i; static constant int j = 1; static private int k; extern int l; extern global int m; static generic int n; auto int o; register int p; local int q = 1; static local int r = 1; local int s[2] = {1}; } // error: OpenCL C version 2.0 does not support the 'auto' storage class specifier // error: OpenCL C version 2.0 does not support the 'register' storage class specifier // error: non-kernel function variable cannot be declared in local address space // error: function scope variable cannot be declared in global address space // error: non-kernel function variable cannot be declared in constant address space // error: function scope variable cannot be declared in generic address space // error: static local variable must reside in global or constant address space // error: static local variable must reside in global or constant address space // error: function scope variable cannot be declared in generic address space // error: non-kernel function variable cannot be declared in local address space // error: static local variable must reside in global or constant address space // error: non-kernel function variable cannot be declared in local address space
//--- -cl-std=CL2.0
kernel void f(void) { local int a; { local int b; } if (1) { local int c; } for (local int d; ;) { } local int e[3]; constant int g = 1; { constant int h = 1; } local struct S { int a; } s; local float4 v; local image2d_t i; local sampler_t t; local event_t u; local int *p; local int *local q; } // error: variables in the local address space can only be declared in the outermost scope of a kernel function // error: variables in the local address space can only be declared in the outermost scope of a kernel function // error: variables in the local address space can only be declared in the outermost scope of a kernel function // error: variables in the constant address space can only be declared in the outermost scope of a kernel function // error: declaring variable of type '__read_only image2d_t' is not allowed: it can only be used as a function parameter // error: the 'sampler_t' type cannot be used with the __local address space qualifier // error: the 'event_t' type cannot be used with the __local address space qualifier
//--- -cl-std=CL2.0
kernel void f(global atomic_int *a, atomic_int b, local atomic_int *c, constant atomic_int *d, private atomic_int *e) { atomic_int g; local atomic_int h; atomic_int i = ATOMIC_VAR_INIT(1); *a = 1; *a + 1; (*a)++; atomic_init(a, 1); atomic_store(&g, 1); atomic_load(d); a == a; int n = *a; if (*a) {} a = 0; sizeof(*a); } // error: pointer arguments to kernel functions must reside in __global, __constant or __local address space // error: atomic variable can be initialized to a variable only in global address space // error: atomic variable can be assigned to a variable only in global address space // error: invalid operands to binary expression ('_Atomic(int)' and 'int') // error: cannot increment value of type '_Atomic(int)' // error: no matching function for call to 'atomic_load' // warning: self-comparison always evaluates to true // warning: equality comparison result unused // warning: expression result unused
//--- -cl-std=CL2.0
global atomic_int ga = ATOMIC_VAR_INIT(1); atomic_int gb = 1; global atomic_int gc; void f(void) { ga = 1; gb + 1; int n = ga; ga == 1; ga++; &ga; atomic_int *p = &ga; } // error: atomic variable can be assigned to a variable only in global address space // error: invalid operands to binary expression ('_Atomic(int)' and 'int') // error: invalid operands to binary expression ('_Atomic(int)' and 'int') // error: cannot increment value of type '_Atomic(int)' // warning: expression result unused
//--- -cl-std=CL2.0
void (^g1)(void) = ^{}; void (^const g2)(void) = ^{}; int g3 = ^{ return 1; }(); void f(void (^b)(void)) {} void (^f2(void))(void) { return ^{}; } struct S { void (^b)(void); }; typedef void (^B)(void); B g4 = ^{}; extern B g5; static B g6 = ^{}; // error: initializer element is not a compile-time constant // error: declaring function parameter of type 'void (^)(void)' is not allowed // error: declaring function return value of type 'void (^)(void)' is not allowed // error: the 'void (^)(void)' type cannot be used to declare a structure or union field // error: invalid block variable declaration - must be initialized
//--- -cl-std=CL2.0
void f(int n) { void (^b)(void) = ^{ n = 1; }; int m; ^{ m = 1; int k = m; k = 2; }; ^{ n++; }; ^{ __block int q; }; __block int r; local int l; int a[2]; ^{ a[0] = 1; int z = a[0]; }; image2d_t i; ^(int n, int n) {}; ^(void) {}; ^() {}; ^int {return 1;}; ^void(int) {}; } // error: '__block' is not supported in OpenCL C // error: '__block' is not supported in OpenCL C // error: cannot assign to variable 'n' with const-qualified type 'const int' // error: cannot assign to variable 'm' with const-qualified type 'const int' // error: cannot assign to variable 'n' with const-qualified type 'const int' // error: non-kernel function variable cannot be declared in local address space // error: read-only variable is not assignable // error: declaring variable of type '__read_only image2d_t' is not allowed: it can only be used as a function parameter // error: redefinition of parameter 'n' // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused // warning: expression result unused
//--- -cl-std=CL2.0
void f(local int *l, global int *g, constant int *c) { async_work_group_copy(l, g, 1, 0); async_work_group_copy(g, l, 1, 0); async_work_group_copy(g, g, 1, 0); async_work_group_copy(l, c, 1, 0); async_work_group_copy(l, g, 1); wait_group_events(1, 0); barrier(); barrier(1, 2); barrier("a"); mem_fence(); work_group_barrier(); prefetch(l, 1); prefetch(g); atomic_add(g, 1); atomic_add(c, 1); atomic_add(1, 1); atomic_add(g); atomic_add(g, 1.5f); atomic_inc(g, 1); atomic_xchg(g, 1.0f); } // error: no matching function for call to 'async_work_group_copy' // error: no matching function for call to 'async_work_group_copy' // error: no matching function for call to 'async_work_group_copy' // error: no matching function for call to 'barrier' // error: no matching function for call to 'barrier' // error: no matching function for call to 'barrier' // error: no matching function for call to 'mem_fence' // error: no matching function for call to 'work_group_barrier' // error: no matching function for call to 'prefetch' // error: no matching function for call to 'prefetch' // error: no matching function for call to 'atomic_add' // error: no matching function for call to 'atomic_add' // error: no matching function for call to 'atomic_add' // warning: implicit conversion from 'float' to 'int' changes value from 1.5 to 1 // error: no matching function for call to 'atomic_inc'
//--- -cl-std=CL2.0
void f(void) { get_global_id(); get_global_id(0, 1); get_global_id("a"); get_global_id(1.5f); get_work_dim(0); get_global_id = 1; printf(); printf(1); printf("a", "b"); printf("%s", 1); any(1.0f); all((float4)(1)); isnan(1); isequal(1, 2); bitselect(1, 2.0f, 3); shuffle(1, 2); shuffle((int4)(1), (int4)(1)); shuffle((int4)(1), (uint5)(1)); popcount(1.0f); upsample(1, 2); mad24(1, 2); mul_hi(1.0f, 2.0f); rotate(1); } // error: no matching function for call to 'get_global_id' // error: no matching function for call to 'get_global_id' // error: no matching function for call to 'get_global_id' // warning: implicit conversion from 'float' to 'uint' changes value from 1.5 to 1 // warning: ignoring return value of function declared with const attribute // error: no matching function for call to 'get_work_dim' // error: use of undeclared identifier 'get_global_id' // error: no matching function for call to 'printf' // error: no matching function for call to 'printf' // warning: data argument not used by format string // warning: format specifies type 'char *' but the argument has type 'int' // error: call to 'any' is ambiguous // error: no matching function for call to 'all' // error: call to 'isnan' is ambiguous // error: call to 'isequal' is ambiguous // error: call to 'bitselect' is ambiguous // error: call to 'shuffle' is ambiguous // error: no matching function for call to 'shuffle' // error: implicit declaration of function 'uint5' is invalid in OpenCL // error: call to 'popcount' is ambiguous // warning: ignoring return value of function declared with const attribute // error: no matching function for call to 'mad24' // error: call to 'mul_hi' is ambiguous // error: no matching function for call to 'rotate'
//--- -cl-std=CL2.0
reserve_id_t g; void f(reserve_id_t r, reserve_id_t s) { r = s; r == s; r + 1; reserve_id_t t = 0; reserve_id_t u = 1; !r; if (r) {} &r; (int)r; is_valid_reserve_id(1); reserve_id_t v[2]; } reserve_id_t h(void); struct S { reserve_id_t r; }; kernel void k(reserve_id_t r) {} // error: the 'reserve_id_t' type cannot be used to declare a program scope variable // error: invalid operands to binary expression ('reserve_id_t' and 'reserve_id_t') // error: invalid operands to binary expression ('reserve_id_t' and 'int') // error: initializing 'reserve_id_t' with an expression of incompatible type 'int' // error: initializing 'reserve_id_t' with an expression of incompatible type 'int' // error: invalid argument type 'reserve_id_t' to unary expression // error: statement requires expression of scalar type ('reserve_id_t' invalid) // error: operand of type 'reserve_id_t' where arithmetic or pointer type is required // error: no matching function for call to 'is_valid_reserve_id' // warning: expression result unused // error: 'reserve_id_t' cannot be used as the type of a kernel parameter
//--- -cl-std=CL2.0
clk_event_t g; void f(clk_event_t e, clk_event_t h) { e = h; e == h; e + 1; clk_event_t s = 0; clk_event_t t = 1; !e; if (e) {} &e; (int)e; clk_event_t v[2]; e = 0; e == 0; release_event(e); release_event(1); retain_event(&e); set_user_event_status(e, 1); create_user_event(1); is_valid_event(1); capture_event_profiling_info(e, 1, &e); } kernel void k(clk_event_t q) {} // error: the 'clk_event_t' type cannot be used to declare a program scope variable // warning: equality comparison result unused // error: invalid operands to binary expression ('clk_event_t' and 'int') // error: initializing 'clk_event_t' with an expression of incompatible type 'int' // error: initializing 'clk_event_t' with an expression of incompatible type 'int' // error: invalid argument type 'clk_event_t' to unary expression // error: statement requires expression of scalar type ('clk_event_t' invalid) // error: operand of type 'clk_event_t' where arithmetic or pointer type is required // error: assigning to 'clk_event_t' from incompatible type 'int' // error: invalid operands to binary expression ('clk_event_t' and 'int') // error: no matching function for call to 'release_event' // error: no matching function for call to 'retain_event' // error: no matching function for call to 'create_user_event' // error: no matching function for call to 'is_valid_event' // error: no matching function for call to 'capture_event_profiling_info' // warning: expression result unused
//--- -cl-std=CL2.0
ndrange_t g; void f(ndrange_t e, ndrange_t h) { e = h; e == h; ndrange_t s = 0; ndrange_t t = ndrange_1D(1); ndrange_t u = ndrange_1D(1, 2, 3); ndrange_1D(); ndrange_1D(1, 2, 3, 4); !e; (int)e; ndrange_t v[2]; } kernel void k(ndrange_t q) {} // error: invalid operands to binary expression ('ndrange_t' and 'ndrange_t') // error: initializing 'ndrange_t' with an expression of incompatible type 'int' // error: no matching function for call to 'ndrange_1D' // error: no matching function for call to 'ndrange_1D' // error: invalid argument type 'ndrange_t' to unary expression // error: operand of type 'ndrange_t' cannot be cast to type 'int' // error: 'ndrange_t' cannot be used as the type of a kernel parameter
//--- -cl-std=CL2.0
__attribute__((reqd_work_group_size(1, 2))) kernel void f(void) {} __attribute__((reqd_work_group_size(1, 2, "a"))) kernel void g(void) {} __attribute__((reqd_work_group_size(1, 2, -1))) kernel void h(void) {} __attribute__((reqd_work_group_size(1, 2, 0))) kernel void i(void) {} __attribute__((reqd_work_group_size)) kernel void j(void) {} __attribute__((reqd_work_group_size(1, 2, x))) kernel void k(void) {} __attribute__((reqd_work_group_size(1, 2, 3))) void l(void) {} __attribute__((reqd_work_group_size(1.0f, 2, 3))) kernel void m(void) {} __attribute__((reqd_work_group_size(1, 2, 3, 4))) kernel void n(void) {} // error: 'reqd_work_group_size' attribute requires 3 argument(s) // error: expression is not an integer constant expression // error: 'reqd_work_group_size' attribute must be greater than 0 // error: 'reqd_work_group_size' attribute must be greater than 0 // error: 'reqd_work_group_size' attribute requires 3 argument(s) // error: use of undeclared identifier 'x' // error: attribute 'reqd_work_group_size' can only be applied to an OpenCL kernel function // error: expression is not an integer constant expression // error: 'reqd_work_group_size' attribute requires 3 argument(s)
//--- -cl-std=CL2.0
__attribute__((vec_type_hint(void))) kernel void f(void) {} __attribute__((vec_type_hint(struct S))) kernel void g(void) {} __attribute__((vec_type_hint(bool))) kernel void h(void) {} __attribute__((vec_type_hint(int *))) kernel void i(void) {} __attribute__((vec_type_hint())) kernel void j(void) {} __attribute__((vec_type_hint(float4, int))) kernel void k(void) {} __attribute__((vec_type_hint(float4))) void l(void) {} __attribute__((vec_type_hint(image2d_t))) kernel void m(void) {} __attribute__((vec_type_hint(x))) kernel void n(void) {} // error: invalid attribute argument - expecting a vector or vectorizable scalar type // error: invalid attribute argument - expecting a vector or vectorizable scalar type // error: invalid attribute argument - expecting a vector or vectorizable scalar type // error: invalid attribute argument - expecting a vector or vectorizable scalar type // error: 'vec_type_hint' attribute requires 1 argument(s) // error: expected ')' // error: attribute 'vec_type_hint' can only be applied to an OpenCL kernel function // error: invalid attribute argument - expecting a vector or vectorizable scalar type // error: 'vec_type_hint' attribute requires 1 argument(s)
//--- -cl-std=CL2.0
__attribute__((intel_reqd_sub_group_size(0))) kernel void f(void) {} __attribute__((intel_reqd_sub_group_size(-1))) kernel void g(void) {} __attribute__((intel_reqd_sub_group_size(x))) kernel void h(void) {} __attribute__((intel_reqd_sub_group_size())) kernel void i(void) {} __attribute__((intel_reqd_sub_group_size(8, 8))) kernel void j(void) {} __attribute__((intel_reqd_sub_group_size(8))) void k(void) {} __attribute__((intel_reqd_sub_group_size("8"))) kernel void l(void) {} // error: 'intel_reqd_sub_group_size' attribute must be greater than 0 // error: 'intel_reqd_sub_group_size' attribute must be greater than 0 // error: use of undeclared identifier 'x' // error: 'intel_reqd_sub_group_size' attribute requires 1 argument(s) // error: attribute 'intel_reqd_sub_group_size' can only be applied to an OpenCL kernel function // error: expression is not an integer constant expression
//--- -cl-std=CL2.0
__attribute__((overloadable)) int f(int a); __attribute__((overloadable)) float f(float a); int f(int4 a); __attribute__((overloadable)) int f(int a) { return a; } __attribute__((overloadable)) float f(int a); void g(void) { f(1); f(1.0f); f(1.0); f((char)1); f((int4)(1)); f(); f(1, 2); f("a"); f(1u); f(1L); } // error: conflicting types for 'f' // error: call to 'f' is ambiguous // error: no matching function for call to 'f' // error: no matching function for call to 'f' // error: no matching function for call to 'f' // error: call to 'f' is ambiguous // error: call to 'f' is ambiguous
//--- -cl-std=CL2.0
#define // error: macro name missing
//--- -cl-std=CL2.0
#define 1 // error: macro name must be an identifier
//--- -cl-std=CL2.0
#define A( // error: missing ')' in macro parameter list
//--- -cl-std=CL2.0
#define A(a, // error: missing ')' in macro parameter list
//--- -cl-std=CL2.0
#define A(a,a) a // error: duplicate macro parameter name 'a'
//--- -cl-std=CL2.0
#define A(...) __VA_ARGS__
//--- -cl-std=CL2.0
#define A(a...) a
//--- -cl-std=CL2.0
#define B __VA_ARGS__ // warning: __VA_ARGS__ can only appear in the expansion of a C99 variadic macro
//--- -cl-std=CL2.0
#define C(a) #b // error: '#' is not followed by a macro parameter
//--- -cl-std=CL2.0
#define D(a) a## // error: '##' cannot appear at end of macro expansion
//--- -cl-std=CL2.0
#define D(a) ##a // error: '##' cannot appear at start of macro expansion
//--- -cl-std=CL2.0
#define E #a
//--- -cl-std=CL2.0
#undef // error: macro name missing
//--- -cl-std=CL2.0
#undef 1 // error: macro name must be an identifier
//--- -cl-std=CL2.0
#undef A B // warning: extra tokens at end of #undef directive
//--- -cl-std=CL2.0
#ifdef // error: macro name missing // error: unterminated conditional directive
//--- -cl-std=CL2.0
#ifdef 1 // error: macro name must be an identifier // error: unterminated conditional directive
//--- -cl-std=CL2.0
#ifndef // error: macro name missing // error: unterminated conditional directive
//--- -cl-std=CL2.0
#if // error: expected value in expression // error: unterminated conditional directive
//--- -cl-std=CL2.0
#elif // error: #elif without #if
//--- -cl-std=CL2.0
#else // error: #else without #if
//--- -cl-std=CL2.0
#endif // error: #endif without #if
//--- -cl-std=CL2.0
#include // error: expected "FILENAME" or <FILENAME>
//--- -cl-std=CL2.0
#include foo // error: expected "FILENAME" or <FILENAME>
//--- -cl-std=CL2.0
#include "nosuchfile.h" // error: 'nosuchfile.h' file not found
//--- -cl-std=CL2.0
#error // error: 
//--- -cl-std=CL2.0
#error foo // error: foo
//--- -cl-std=CL2.0
#line // error: #line directive requires a positive integer argument
//--- -cl-std=CL2.0
#line foo // error: #line directive requires a positive integer argument
//--- -cl-std=CL2.0
#line 1 foo // error: invalid filename for #line directive
//--- -cl-std=CL2.0
#line -1 // error: #line directive requires a positive integer argument
//--- -cl-std=CL2.0
#pragma
//--- -cl-std=CL2.0
#foo // error: invalid preprocessing directive
//--- -cl-std=CL2.0
#
//--- -cl-std=CL2.0
#define F(a) a int x = F(; 
//--- -cl-std=CL2.0
#define F(a) a int x = F(1, 2); 
//--- -cl-std=CL2.0
#if 1 // error: unterminated conditional directive
//--- -cl-std=CL2.0
#if 0 // error: unterminated conditional directive
//--- -cl-std=CL2.0
#if 1 ==  // error: expected value in expression // error: unterminated conditional directive
//--- -cl-std=CL2.0
#if (1 // error: expected ')' in preprocessor expression // error: unterminated conditional directive
//--- -cl-std=CL2.0
#if 1 2 // error: token is not a valid binary operator in a preprocessor subexpression // error: unterminated conditional directive
//--- -cl-std=CL2.0
#if foo(1) // error: function-like macro 'foo' is not defined // error: unterminated conditional directive
//--- -cl-std=CL2.0
#if 1 ? 2 // error: expected ':' in preprocessor expression // error: unterminated conditional directive
//--- -cl-std=CL2.0
#if "a" // error: invalid token at start of a preprocessor expression // error: unterminated conditional directive
//--- -cl-std=CL2.0
#if 1.0 // error: floating point literal in preprocessor expression // error: unterminated conditional directive
//--- -cl-std=CL2.0
#if 1 / 0 // error: division by zero in preprocessor expression // error: unterminated conditional directive
//--- -cl-std=CL2.0
#if defined // error: macro name must be an identifier // error: unterminated conditional directive
//--- -cl-std=CL2.0
#if defined( // error: macro name must be an identifier // error: unterminated conditional directive
//--- -cl-std=CL2.0
#if defined(A // error: missing ')' after 'defined' // error: unterminated conditional directive
//--- -cl-std=CL2.0
#if defined 1 // error: macro name must be an identifier // error: unterminated conditional directive
//--- -cl-std=CL2.0
#if __has_include(<a>) // error: unterminated conditional directive
//--- -cl-std=CL2.0
#if __has_feature(x) // error: unterminated conditional directive
//--- -cl-std=CL2.0
#if __has_extension(x) || __has_attribute(packed) || __has_builtin(__builtin_abs) // error: unterminated conditional directive
//--- -cl-std=CL2.0
#ifdef A B // warning: extra tokens at end of #ifdef directive // error: unterminated conditional directive
//--- -cl-std=CL2.0
#elifdef A // error: #elifdef without #if
//--- -cl-std=CL2.0
#warning foo // warning: foo
