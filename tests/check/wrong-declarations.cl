// SPDX-License-Identifier: MIT
// Wrong programs, and what is said about each; clang sees an error on the same lines.
//--- -cl-std=CL1.2
int a; float a; // error: program scope variable must reside in constant address space // error: program scope variable must reside in constant address space
//--- -cl-std=CL2.0
int a; float a; // error: redefinition of 'a' with a different type: 'float' vs 'int'
//--- -cl-std=CL1.2
constant int a = 1;
constant float a = 1; // error: redefinition of 'a' with a different type: 'float' vs 'int'
//--- -cl-std=CL1.2
void f(int a, int a) {} // error: redefinition of parameter 'a'
//--- -cl-std=CL1.2
void f(int a) { int a; } // error: redefinition of 'a'
//--- -cl-std=CL1.2
void f(void) { int b; { int b; } int b; } // error: redefinition of 'b'
//--- -cl-std=CL1.2
int f(int);
float f(int); // error: conflicting types for 'f'
//--- -cl-std=CL1.2
void f(int a) {}
void f(int a) {} // error: redefinition of 'f'
//--- -cl-std=CL1.2
struct s { int a; int a; }; // error: duplicate member 'a'
//--- -cl-std=CL1.2
struct s { int a; };
struct s { int b; }; // error: redefinition of 's'
//--- -cl-std=CL1.2
struct s { struct s inner; }; // error: field 'inner' has incomplete type 'struct s'
//--- -cl-std=CL1.2
void f(void) { struct unknown x; } // error: variable has incomplete type 'struct unknown'
//--- -cl-std=CL1.2
union u;
void f(void) { union u x; } // error: variable has incomplete type 'union u'
//--- -cl-std=CL1.2
enum e { A, B, A }; // error: redefinition of 'A'
//--- -cl-std=CL1.2
enum e { A = 1.5f }; // error: expression is not an integer constant expression
//--- -cl-std=CL1.2
void f(int n) { enum e { A = n }; } // error: expression is not an integer constant expression
//--- -cl-std=CL1.2
typedef int t;
typedef float t; // error: typedef redefinition with different types ('float' vs 'int') of 't'
//--- -cl-std=CL1.2
typedef int t;
void f(void) { t = 3; } // error: expected identifier or '('
//--- -cl-std=CL1.2
void f(void) { int a[-1]; } // error: array size is negative
//--- -cl-std=CL1.2
void f(int n) { int a[n]; } // error: variable length arrays are not supported in OpenCL
//--- -cl-std=CL1.2
void f(void) { int a[]; } // error: definition of variable with array type needs an explicit size or an initializer
//--- -cl-std=CL1.2
void f(void) { int a[2.0f]; } // error: size of array has non-integer type 'float'
//--- -cl-std=CL1.2
void a[3]; // error: array has incomplete element type 'void'
//--- -cl-std=CL1.2
void f(void) { void v; } // error: variable has incomplete type 'void'
//--- -cl-std=CL1.2
void f(void v) {} // error: argument may not have 'void' type
//--- -cl-std=CL1.2
int f(void)[3]; // error: function cannot return array type 'int [3]'
//--- -cl-std=CL1.2
int f(void)(void); // error: function cannot return function type 'int (void)'
//--- -cl-std=CL1.2
int (*f)(int); // error: pointers to functions are not allowed
//--- -cl-std=CL1.2
void g(void) {}
void f(void) { void (*p)(void) = g; } // error: pointers to functions are not allowed
//--- -cl-std=CL1.2
void f(int x, ...) {} // error: invalid prototype, variadic arguments are not allowed in OpenCL
//--- -cl-std=CL1.2
struct s { int a : 3; }; // error: bit-fields are not supported in OpenCL
//--- -cl-std=CL1.2
struct s { int a[]; }; // error: flexible array member 'a' not allowed in otherwise empty struct
//--- -cl-std=CL1.2
void f(void) { auto int x; } // error: OpenCL C version 1.2 does not support the 'auto' storage class specifier
//--- -cl-std=CL2.0
void f(void) { auto int x; } // error: OpenCL C version 2.0 does not support the 'auto' storage class specifier
//--- -cl-std=CL3.0
void f(void) { auto int x; } // error: OpenCL C version 3.0 does not support the 'auto' storage class specifier
//--- -cl-std=CL1.2
void f(void) { register int x = 1; int *p = &x; } // error: OpenCL C version 1.2 does not support the 'register' storage class specifier
//--- -cl-std=CL2.0
void f(void) { register int x = 1; int *p = &x; } // error: OpenCL C version 2.0 does not support the 'register' storage class specifier
//--- -cl-std=CL3.0
void f(void) { register int x = 1; int *p = &x; } // error: OpenCL C version 3.0 does not support the 'register' storage class specifier
//--- -cl-std=CL1.2
void f(void) { extern int x = 4; } // error: extern variable must reside in constant address space
//--- -cl-std=CL2.0
void f(void) { extern int x = 4; } // error: declaration of block scope identifier 'x' with linkage cannot have an initializer
//--- -cl-std=CL1.2
void f(void) { static int x = 4; } // error: variables in function scope cannot be declared static
//--- -cl-std=CL1.2
static extern int f(void); // error: cannot combine with previous 'static' declaration specifier
//--- -cl-std=CL1.2
short long z(void); // error: cannot combine with previous 'short' declaration specifier
//--- -cl-std=CL1.2
unsigned float f(void); // error: 'unsigned float' is not a type
//--- -cl-std=CL1.2
signed unsigned int f(void); // error: cannot combine with previous 'signed' declaration specifier
//--- -cl-std=CL1.2
int int f(void); // error: cannot combine with previous 'int' declaration specifier
//--- -cl-std=CL1.2
float int f(void); // error: cannot combine with previous 'float' declaration specifier
//--- -cl-std=CL1.2
void f(void) { const x = 1; foo y; } // warning: type specifier missing, defaults to 'int' // error: unknown type name 'foo'
//--- -cl-std=CL1.2
bool2 f(void); // error: unknown type name 'bool2'
//--- -cl-std=CL1.2
void f(void) { bool4 b; } // error: unknown type name 'bool4'
//--- -cl-std=CL1.2
void f(void) { float5 b; } // error: unknown type name 'float5'
//--- -cl-std=CL1.2
void f(void) { float4 *4 b; } // error: expected identifier or '('
//--- -cl-std=CL1.2
void f() { return 1; } // error: void function 'f' should not return a value
//--- -cl-std=CL1.2
inline int x; // error: program scope variable must reside in constant address space
//--- -cl-std=CL2.0
inline int x; // error: 'inline' can only appear on functions
//--- -cl-std=CL1.2
void f(inline int x) {} // error: 'inline' can only appear on functions
//--- -cl-std=CL1.2
int main(void) { return undeclared; } // error: function cannot be called 'main' // error: use of undeclared identifier 'undeclared'
//--- -cl-std=CL1.2
void f(void) { int x = x2 + 1; } // error: use of undeclared identifier 'x2'
//--- -cl-std=CL1.2
struct s { void v; }; // error: field 'v' has incomplete type 'void'
//--- -cl-std=CL1.2
struct s { int f(void); }; // error: field 'f' has incomplete type 'int (void)'
//--- -cl-std=CL1.2
void f(void) { int if; } // error: expected identifier or '('
//--- -cl-std=CL1.2
void f(void) { int 3a; } // error: expected identifier or '('
//--- -cl-std=CL1.2
int *restrict *restrict p(int restrict x); // error: restrict requires a pointer or reference ('int' is invalid)
//--- -cl-std=CL1.2
const int f(void) { const int x = 1; x = 2; return x; } // error: cannot assign to variable 'x' with const-qualified type 'const int'
//--- -cl-std=CL1.2
void f(const int *p) { *p = 1; } // error: read-only variable is not assignable
//--- -cl-std=CL1.2
struct s { const int a; };
void f(struct s *p) { p->a = 1; } // error: read-only variable is not assignable
//--- -cl-std=CL1.2
void f(int *const p) { p = 0; } // error: cannot assign to variable 'p' with const-qualified type 'int *const'
//--- -cl-std=CL2.0
void f(int *const p) { p = 0; } // error: cannot assign to variable 'p' with const-qualified type '__generic int *const'
//--- -cl-std=CL1.2
_Static_assert(sizeof(int) == 8, "wrong"); // error: static assertion failed: wrong
//--- -cl-std=CL1.2
_Alignas(3) int x; // error: program scope variable must reside in constant address space
//--- -cl-std=CL1.2
struct s { int a; } x // error: expected ';' after top level declarator // error: program scope variable must reside in constant address space
void f(void) {}
//--- -cl-std=CL2.0
struct s { int a; } x // error: expected ';' after top level declarator
void f(void) {}
//--- -cl-std=CL1.2
void f(void) { int a = 1, a = 2; } // error: redefinition of 'a'
//--- -cl-std=CL1.2
void f(void) { undeclared_type *p; } // error: use of undeclared identifier 'undeclared_type' // error: use of undeclared identifier 'p'
//--- -cl-std=CL1.2
goto x; // error: expected a type
//--- -cl-std=CL1.2
;;;
} // error: extraneous closing brace ('}')
//--- -cl-std=CL1.2
void f(void) { typedef int a; typedef float a; } // error: typedef redefinition with different types ('float' vs 'int') of 'a'
