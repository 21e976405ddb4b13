// SPDX-License-Identifier: MIT
// Wrong programs, and what is said about each; clang sees an error on the same lines.
//--- -cl-std=CL1.2
void f(void) { 1 = 2; } // error: expression is not assignable
//--- -cl-std=CL1.2
void f(int a) { a + 1 = 2; } // error: expression is not assignable
//--- -cl-std=CL1.2
void f(int a) { (a ? a : a) = 2; } // error: expression is not assignable
//--- -cl-std=CL1.2
void f(void) { 1++; } // error: expression is not assignable
//--- -cl-std=CL1.2
void f(int a) { ++a++; } // error: expression is not assignable
//--- -cl-std=CL1.2
void f(int a) { &(a + 1); } // error: cannot take the address of an rvalue of type 'int'
//--- -cl-std=CL1.2
void f(int a) { &1; } // error: cannot take the address of an rvalue of type 'int'
//--- -cl-std=CL1.2
void f(int a) { *a; } // error: indirection requires pointer operand ('int' invalid)
//--- -cl-std=CL1.2
void f(float a) { ~a; } // error: invalid argument type 'float' to unary expression
//--- -cl-std=CL1.2
void f(float a) { a % 2; } // error: invalid operands to binary expression ('float' and 'int')
//--- -cl-std=CL1.2
void f(float a) { a << 1; } // error: invalid operands to binary expression ('float' and 'int')
//--- -cl-std=CL1.2
void f(float a, int b) { b |= a; } // error: invalid operands to binary expression ('int' and 'float')
//--- -cl-std=CL1.2
void f(float4 a) { a & a; } // error: invalid operands to binary expression ('float4' and 'float4')
//--- -cl-std=CL1.2
void f(float4 a) { a ^= a; } // error: invalid operands to binary expression ('float4' and 'float4')
//--- -cl-std=CL1.2
void f(float4 a) { !(a && 1) ; a % a; } // error: invalid operands to binary expression ('float4' and 'float4') // warning: expression result unused
//--- -cl-std=CL1.2
struct s { int a; };
void f(struct s a) { a + 1; } // error: invalid operands to binary expression ('struct s' and 'int')
//--- -cl-std=CL1.2
struct s { int a; };
void f(struct s a) { if (a) return; } // error: statement requires expression of scalar type ('struct s' invalid)
//--- -cl-std=CL1.2
struct s { int a; };
void f(struct s a) { a = 1; } // error: assigning to 'struct s' from incompatible type 'int'
//--- -cl-std=CL1.2
struct s { int a; };
void f(struct s a) { a.b = 1; } // error: no member named 'b' in 'struct s'
//--- -cl-std=CL1.2
struct s { int a; };
void f(struct s *a) { a.a = 1; } // error: member reference type 'struct s *' is a pointer; did you mean to use '->'?
//--- -cl-std=CL2.0
struct s { int a; };
void f(struct s *a) { a.a = 1; } // error: member reference type '__generic struct s *' is a pointer; did you mean to use '->'?
//--- -cl-std=CL1.2
struct s { int a; };
void f(struct s a) { a->a = 1; } // error: member reference type 'struct s' is not a pointer; did you mean to use '.'?
//--- -cl-std=CL1.2
struct s { int a; }; struct t { int a; };
void f(struct s a, struct t b) { a = b; } // error: assigning to 'struct s' from incompatible type 'struct t'
//--- -cl-std=CL1.2
struct s { int a; };
void f(struct s a) { (struct s)a; (struct s)1; } // error: operand of type 'int' cannot be cast to type 'struct s' // warning: expression result unused
//--- -cl-std=CL1.2
struct s { int a; };
void f(struct s a) { (int)a; } // error: operand of type 'struct s' cannot be cast to type 'int'
//--- -cl-std=CL1.2
struct s { int a; };
int f(struct s a) { return a; } // error: returning 'struct s' from a function with result incompatible type 'int'
//--- -cl-std=CL1.2
struct s { int a; };
void f(struct s a, struct s b) { a == b; } // error: invalid operands to binary expression ('struct s' and 'struct s')
//--- -cl-std=CL1.2
void f(int *a, int *b) { a + b; } // error: invalid operands to binary expression ('int *' and 'int *')
//--- -cl-std=CL2.0
void f(int *a, int *b) { a + b; } // error: invalid operands to binary expression ('__generic int *' and '__generic int *')
//--- -cl-std=CL1.2
void f(int *a) { a * 2; } // error: invalid operands to binary expression ('int *' and 'int')
//--- -cl-std=CL2.0
void f(int *a) { a * 2; } // error: invalid operands to binary expression ('__generic int *' and 'int')
//--- -cl-std=CL1.2
void f(int *a) { a + 1.0f; } // error: invalid operands to binary expression ('int *' and 'float')
//--- -cl-std=CL2.0
void f(int *a) { a + 1.0f; } // error: invalid operands to binary expression ('__generic int *' and 'float')
//--- -cl-std=CL1.2
void f(int *a, float *b) { a - b; } // error: 'int *' and 'float *' are not pointers to compatible types
//--- -cl-std=CL2.0
void f(int *a, float *b) { a - b; } // error: '__generic int *' and '__generic float *' are not pointers to compatible types
//--- -cl-std=CL1.2
void f(int *a) { -a; } // error: invalid argument type 'int *' to unary expression
//--- -cl-std=CL2.0
void f(int *a) { -a; } // error: invalid argument type '__generic int *' to unary expression
//--- -cl-std=CL1.2
void f(int *a) { ~a; } // error: invalid argument type 'int *' to unary expression
//--- -cl-std=CL2.0
void f(int *a) { ~a; } // error: invalid argument type '__generic int *' to unary expression
//--- -cl-std=CL1.2
void f(int *a) { a[1.0f]; } // error: array subscript is not an integer
//--- -cl-std=CL1.2
void f(int a) { a[1]; } // error: subscripted value is not an array, pointer, or vector
//--- -cl-std=CL1.2
void f(int a) { a(); } // error: called object type 'int' is not a function or function pointer
//--- -cl-std=CL1.2
void g(int a); 
void f(void) { g(); } // error: too few arguments to function call, expected 1, have 0
//--- -cl-std=CL1.2
void g(int a); 
void f(void) { g(1, 2); } // error: too many arguments to function call, expected 1, have 2
//--- -cl-std=CL1.2
void g(int *a); 
void f(void) { g(1.0f); } // error: passing 'float' to parameter of incompatible type 'int *'
//--- -cl-std=CL2.0
void g(int *a); 
void f(void) { g(1.0f); } // error: passing 'float' to parameter of incompatible type '__generic int *'
//--- -cl-std=CL1.2
void g(float4 a); 
void f(int4 b) { g(b); } // error: passing 'int4' to parameter of incompatible type 'float4'
//--- -cl-std=CL1.2
void g(void); 
void f(void) { int x = g(); } // error: initializing 'int' with an expression of incompatible type 'void'
//--- -cl-std=CL1.2
void g(void); 
void f(void) { g() + 1; } // error: invalid operands to binary expression ('void' and 'int')
//--- -cl-std=CL1.2
void g(void); 
int f(void) { return g(); } // error: returning 'void' from a function with result incompatible type 'int'
//--- -cl-std=CL1.2
void f(void) { h(); } // error: implicit declaration of function 'h' is invalid in OpenCL
//--- -cl-std=CL1.2
void f(float4 a, int4 b) { a + b; } // error: cannot convert between vector values of different type ('float4' and 'int4')
//--- -cl-std=CL1.2
void f(float4 a, float2 b) { a + b; } // error: vector operands do not have the same number of elements ('float4' and 'float2')
//--- -cl-std=CL1.2
void f(float4 a, float2 b) { a = b; } // error: assigning to 'float4' from incompatible type 'float2'
//--- -cl-std=CL1.2
void f(float4 a, float2 b) { float4 c = (float4)b; } // error: invalid conversion between ext-vector type 'float4' and 'float2'
//--- -cl-std=CL1.2
void f(float4 a) { int4 c = (int4)a; } // error: invalid conversion between ext-vector type 'int4' and 'float4'
//--- -cl-std=CL1.2
void f(float4 a) { float c = (float)a; } // error: invalid conversion from vector type 'float4' to scalar type 'float'
//--- -cl-std=CL1.2
void f(float4 a) { float c = a; } // error: initializing 'float' with an expression of incompatible type 'float4'
//--- -cl-std=CL1.2
void f(float2 a) { float4 c = (float4)(a, a, a); } // error: too many elements in vector initialization
//--- -cl-std=CL1.2
void f(float2 a) { float4 c = (float4)(a, 1.0f); } // error: too few elements in vector initialization
//--- -cl-std=CL1.2
void f(float4 a) { a.q = 1; } // error: illegal vector component name 'q'
//--- -cl-std=CL1.2
void f(float4 a) { a.xs1 = 1; } // error: illegal vector component name 's'
//--- -cl-std=CL1.2
void f(float2 a) { a.z = 1; } // error: vector component access exceeds type 'float2'
//--- -cl-std=CL1.2
void f(float4 a) { a.s4 = 1; } // error: vector component access exceeds type 'float4'
//--- -cl-std=CL1.2
void f(float4 a) { a.xx = (float2)(1); } // error: vector is not assignable (contains duplicate components)
//--- -cl-std=CL1.2
void f(float4 a) { a.xyz = (float2)(1); } // error: assigning to 'float3' from incompatible type 'float2'
//--- -cl-std=CL1.2
void f(float4 a) { a.xyzwx; } // error: vector component access has invalid length 5.  Supported: 1,2,3,4,8,16.
//--- -cl-std=CL1.2
void f(float4 a) { a.lo.z; } // error: vector component access exceeds type 'float2'
//--- -cl-std=CL1.2
void f(float4 a) { &a.x; &a.xy; } // error: address of vector element requested // error: address of vector element requested
//--- -cl-std=CL1.2
void f(float4 a) { float *p = &a.x; } // error: address of vector element requested
//--- -cl-std=CL1.2
void f(float a) { a.x = 1; } // error: member reference base type 'float' is not a structure or union
//--- -cl-std=CL1.2
void f(float4 a) { if (a) return; } // error: statement requires expression of scalar type ('float4' invalid)
//--- -cl-std=CL1.2
void f(float4 a) { while (a) ; } // error: statement requires expression of scalar type ('float4' invalid)
//--- -cl-std=CL1.2
void f(float4 a) { for (; a; ) ; } // error: statement requires expression of scalar type ('float4' invalid)
//--- -cl-std=CL1.2
void f(int4 a, float4 b, float4 c) { float4 d = (a < 1) ? b : c; int2 e = a ? 1 : 2; } // error: initializing 'int2' with an expression of incompatible type 'int4'
//--- -cl-std=CL1.2
void f(int4 a, float2 b, float2 c) { a ? b : c; } // error: vector condition type 'int4' and result type 'float2' do not have the same number of elements
//--- -cl-std=CL1.2
void f(float4 a, float4 b, float4 c) { a ? b : c; } // error: used type 'float4' where floating point type is not allowed
//--- -cl-std=CL1.2
void f(long4 a, float4 b, float4 c) { a ? b : c; } // error: vector condition type 'long4' and result type 'float4' do not have elements of the same size
//--- -cl-std=CL1.2
void f(char4 a) { int4 b = a; } // error: initializing 'int4' with an expression of incompatible type 'char4'
//--- -cl-std=CL1.2
void f(int4 a) { uint4 b = a; } // error: initializing 'uint4' with an expression of incompatible type 'int4'
//--- -cl-std=CL1.2
void f(int4 a, uint4 b) { a = a + b; } // error: cannot convert between vector values of different type ('int4' and 'uint4')
//--- -cl-std=CL1.2
void f(float4 a) { a++; !a; a && a; a = a < a; } // error: cannot increment value of type 'float4' // error: assigning to 'float4' from incompatible type 'int4' // warning: expression result unused // warning: expression result unused
//--- -cl-std=CL1.2
void f(float4 a) { switch (a.x) {} } // error: statement requires expression of integer type ('float' invalid)
//--- -cl-std=CL1.2
void f(int4 a) { switch (a) {} } // error: statement requires expression of integer type ('int4' invalid)
//--- -cl-std=CL1.2
void f(int a) { switch (a) { case a: ; } } // error: expression is not an integer constant expression
//--- -cl-std=CL1.2
void f(int a) { switch (a) { case 1.0f: ; } } // error: expression is not an integer constant expression
//--- -cl-std=CL1.2
void f(int a) { as_float(1.0); as_float2(a); as_int3((float4)(1)); as_int4((float3)(1)); as_short(a); } // error: no matching function for call to 'as_float' // error: no matching function for call to 'as_float2' // error: no matching function for call to 'as_short'
//--- -cl-std=CL1.2
void f(int4 a) { convert_float4(a); convert_float(a); convert_float2(a); convert_int4_rtx(a); } // warning: ignoring return value of function declared with const attribute // error: no matching function for call to 'convert_float' // error: no matching function for call to 'convert_float2' // error: implicit declaration of function 'convert_int4_rtx' is invalid in OpenCL
//--- -cl-std=CL1.2
void f(float x) { fmax(x, 1, 2); fmax(x); sin(); sin(1, 2); } // error: no matching function for call to 'fmax' // error: no matching function for call to 'fmax' // error: no matching function for call to 'sin' // error: no matching function for call to 'sin'
//--- -cl-std=CL1.2
void f(int4 x) { sin(x); } // error: no matching function for call to 'sin'
//--- -cl-std=CL1.2
void f(float4 x, float2 y) { dot(x, y); } // error: no matching function for call to 'dot'
//--- -cl-std=CL1.2
void f(float4 x) { cross((float2)(1), (float2)(1)); normalize(1, 2); length((float8)(1)); } // error: no matching function for call to 'cross' // error: no matching function for call to 'normalize' // error: no matching function for call to 'length'
//--- -cl-std=CL1.2
void f(float4 x) { vload4(0, x); vstore4(x, 0); } // error: no matching function for call to 'vload4' // error: no matching function for call to 'vstore4'
//--- -cl-std=CL1.2
void f(global float *p) { vload5(0, p); } // error: implicit declaration of function 'vload5' is invalid in OpenCL
//--- -cl-std=CL1.2
void f(global int *p) { atomic_add(p); atomic_add(*p, 1); atomic_add(p, p); } // error: no matching function for call to 'atomic_add' // error: no matching function for call to 'atomic_add' // error: no matching function for call to 'atomic_add'
//--- -cl-std=CL1.2
void f(global float *p) { atomic_add(p, 1.0f); } // error: call to 'atomic_add' is ambiguous
//--- -cl-std=CL1.2
void f(void) { get_global_id(); get_global_id(1, 2); } // error: no matching function for call to 'get_global_id' // error: no matching function for call to 'get_global_id'
//--- -cl-std=CL1.2
void f(void) { barrier(); } // error: no matching function for call to 'barrier'
//--- -cl-std=CL1.2
void f(int x) { get_global_id = 4; } // error: use of undeclared identifier 'get_global_id'
//--- -cl-std=CL1.2
void f(int x) { x = get_global_id; } // error: use of undeclared identifier 'get_global_id'
//--- -cl-std=CL1.2
void f(float4 x) { shuffle(x, x); } // error: no matching function for call to 'shuffle'
//--- -cl-std=CL1.2
void f(float4 x) { select(x, x, x); } // error: no matching function for call to 'select'
//--- -cl-std=CL1.2
void f(int x) { mul24(x, 1.5f, 2); clamp(x); } // error: no matching function for call to 'mul24' // error: no matching function for call to 'clamp'
//--- -cl-std=CL1.2
void f(void) { printf(); } // error: no matching function for call to 'printf'
//--- -cl-std=CL1.2
void f(int x) { printf(x); } // error: no matching function for call to 'printf'
//--- -cl-std=CL1.2
void f(global char *s) { printf(s); } // error: no matching function for call to 'printf'
//--- -cl-std=CL1.2
void f(void) { sizeof(void (void)) ; sizeof; } // error: expected expression // error: invalid application of 'sizeof' to type 'void (void)'
//--- -cl-std=CL1.2
void f(void) { sizeof(struct unknown); } // error: invalid application of 'sizeof' to type 'struct unknown'
//--- -cl-std=CL1.2
int f(void) { return sizeof(f2); } // error: use of undeclared identifier 'f2'
//--- -cl-std=CL1.2
void f(void) { int a[2] = 1; } // error: array initializer must be an initializer list or string literal
//--- -cl-std=CL1.2
void f(void) { int a[2], b[2]; a = b; } // error: array type 'int [2]' is not assignable
//--- -cl-std=CL1.2
void f(void) { char s[2] = "abc"; char t[] = 'a'; } // warning: initializer-string for char array is too long // error: array initializer must be an initializer list or string literal
//--- -cl-std=CL1.2
void f(void) { char *s = "abc"; } // error: initializing 'char *' with an expression of type '__constant char *' changes address space of pointer
//--- -cl-std=CL2.0
void f(void) { char *s = "abc"; } // error: initializing '__generic char *' with an expression of type '__constant char *' changes address space of pointer
//--- -cl-std=CL1.2
struct s { int a; };
void f(void) { struct s x = { .b = 1 }; } // error: field designator 'b' does not refer to any field in type 'struct s'
//--- -cl-std=CL1.2
void f(void) { int a[2] = { [3] = 1 }; } // error: array designator index (3) exceeds array bounds
//--- -cl-std=CL1.2
void f(void) { int a[2] = { [-1] = 1 }; } // error: array designator index (-1) exceeds array bounds
//--- -cl-std=CL1.2
void f(void) { int a[2] = { [1.0f] = 1 }; } // error: expression is not an integer constant expression
//--- -cl-std=CL1.2
void f(void) { int a = { .x = 1 }; } // error: designator in initializer for scalar type 'int'
//--- -cl-std=CL1.2
void f(void) { float4 a = { 1, 2, 3, 4, 5 }; } // error: excess elements in vector initializer
//--- -cl-std=CL1.2
void f(void) { float4 a = (float4){ 1, 2, 3, 4, 5 }; } // error: excess elements in vector initializer
//--- -cl-std=CL1.2
void f(void) { int *a = { 1.0f }; } // error: initializing 'int *' with an expression of incompatible type 'float'
//--- -cl-std=CL2.0
void f(void) { int *a = { 1.0f }; } // error: initializing '__generic int *' with an expression of incompatible type 'float'
//--- -cl-std=CL1.2
constant float a = sin(1.0f); // error: initializer element is not a compile-time constant
//--- -cl-std=CL1.2
constant int a[2] = { 1, f }; // error: use of undeclared identifier 'f'
//--- -cl-std=CL1.2
constant int *a = &b; // error: program scope variable must reside in constant address space
//--- -cl-std=CL2.0
constant int *a = &b; // error: use of undeclared identifier 'b'
//--- -cl-std=CL1.2
void f(int a) { a = 0x; } // error: invalid suffix 'x' on integer constant
//--- -cl-std=CL1.2
void f(int a) { a = 09; } // error: invalid digit '9' in octal constant
//--- -cl-std=CL1.2
void f(int a) { a = 1.0g; } // error: invalid suffix 'g' on floating constant
//--- -cl-std=CL1.2
void f(int a) { a = ''; } // error: empty character constant
//--- -cl-std=CL1.2
void f(int a) { a = 1 +; } // error: expected expression
//--- -cl-std=CL1.2
void f(int a) { a = (1; } // error: expected ')'
//--- -cl-std=CL1.2
void f(int a) { a = 1); } // error: extraneous ')' before ';'
//--- -cl-std=CL1.2
void f(int a) { a[1 = 2; } // error: expression is not assignable
//--- -cl-std=CL1.2
void f(int a) { a @ 1; } // error: unexpected character <U+0040> // error: expected ';' after expression // warning: expression result unused
//--- -cl-std=CL1.2
void f(int a) { a = a ? 1; } // error: expected ':'
//--- -cl-std=CL1.2
void f(int a) { a = , 1; } // error: expected expression
//--- -cl-std=CL1.2
void f(int a) { int b = a b; } // error: expected ';' at end of declaration
//--- -cl-std=CL1.2
void f(int a) { (int; } // error: expected ')' // error: expected expression
//--- -cl-std=CL1.2
void f(int a) { (float4)(1,; } // error: expected expression
//--- -cl-std=CL1.2
void f(int a) { half h = 1.0h; } // error: declaring variable of type 'half' is not allowed // error: half precision constant requires cl_khr_fp16
//--- -cl-std=CL1.2
void f(int a) { void *p = &&x; } // error: expected expression
//--- -cl-std=CL1.2
void f(int a) { throw a; } // error: unknown type name 'throw'
//--- -cl-std=CL1.2
void f(int a) { new int; } // error: use of undeclared identifier 'new' // warning: declaration does not declare anything
//--- -cl-std=CL1.2
void f(int a) { _Generic(a, float: 1); } // error: controlling expression type 'int' not compatible with any generic association type
//--- -cl-std=CL1.2
void f(int a) { a = ({ 1; }) + b; } // error: use of undeclared identifier 'b'
//--- -cl-std=CL1.2
void f(int a) { __builtin_astype(a, short); } // error: invalid reinterpretation: sizes of 'short' and 'int' must match
//--- -cl-std=CL1.2
void f(int a) { __builtin_shufflevector(a, a, 1); } // error: implicit declaration of function '__builtin_shufflevector' is invalid in OpenCL
//--- -cl-std=CL1.2
void f(int4 a) { vec_step(b); } // error: use of undeclared identifier 'b'
//--- -cl-std=CL1.2
void f(int a) { (void)a = 1; } // error: expression is not assignable
//--- -cl-std=CL1.2
void f(int a, int a4) { (int)a = 1; } // error: expression is not assignable
//--- -cl-std=CL1.2
void f(int4 a) { a[4] = 1; a[1.0f] = 2; } // error: array subscript is not an integer
