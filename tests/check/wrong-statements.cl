// SPDX-License-Identifier: MIT
// Wrong programs, and what is said about each; clang sees an error on the same lines.
//--- -cl-std=CL1.2
void f(void) { if 1 return; } // error: expected '(' after 'if'
//--- -cl-std=CL1.2
void f(void) { if (1) else; } // error: expected expression
//--- -cl-std=CL1.2
void f(void) { else return; } // error: expected expression
//--- -cl-std=CL1.2
void f(void) { while () ; } // error: expected expression
//--- -cl-std=CL1.2
void f(void) { do ; while (1) } // error: expected ';' after do/while statement
//--- -cl-std=CL1.2
void f(void) { do ; } // error: expected 'while' in do/while loop
//--- -cl-std=CL1.2
void f(void) { for (;;;) ; } // error: expected expression // error: unexpected ';' before ')'
//--- -cl-std=CL1.2
void f(void) { for (int i = 0; i < 3) ; } // error: expected ';' in 'for' statement specifier
//--- -cl-std=CL1.2
void f(void) { for (int i = 0, float j = 1; ;) ; } // error: expected identifier or '(' // error: expected ';' in 'for' statement specifier
//--- -cl-std=CL1.2
void f(void) { for (static int i = 0; ;) ; } // error: declaration of non-local variable in 'for' loop // error: variables in function scope cannot be declared static
//--- -cl-std=CL2.0
void f(void) { for (static int i = 0; ;) ; } // error: declaration of non-local variable in 'for' loop
//--- -cl-std=CL1.2
void f(void) { break; } // error: 'break' statement not in loop or switch statement
//--- -cl-std=CL1.2
void f(int a) { switch (a) { continue; } } // error: 'continue' statement not in loop statement
//--- -cl-std=CL1.2
void f(int a) { case 1: ; } // error: 'case' statement not in switch statement
//--- -cl-std=CL1.2
void f(int a) { default: ; } // error: 'default' statement not in switch statement
//--- -cl-std=CL1.2
void f(int a) { switch (a) { case 1: case 1: ; } } // error: duplicate case value '1'
//--- -cl-std=CL1.2
void f(int a) { switch (a) { default: default: ; } } // error: multiple default labels in one switch
//--- -cl-std=CL1.2
void f(int a) { switch (a) { case 1 } } // error: expected ':' after 'case' // error: label at end of compound statement: expected statement
//--- -cl-std=CL1.2
void f(int a) { goto l; } // error: use of undeclared label 'l'
//--- -cl-std=CL1.2
void f(int a) { l: ; l: ; } // error: redefinition of label 'l'
//--- -cl-std=CL1.2
void f(int a) { l: } // error: label at end of compound statement: expected statement
//--- -cl-std=CL1.2
void f(int a) { goto 1; } // error: expected identifier
//--- -cl-std=CL1.2
void f(int a) { goto *a; } // error: expected identifier
//--- -cl-std=CL1.2
void f(int a) { return a; } // error: void function 'f' should not return a value
//--- -cl-std=CL1.2
int f(int a) { return; } // error: non-void function 'f' should return a value
//--- -cl-std=CL1.2
float4 f(float2 a) { return a; } // error: returning 'float2' from a function with result incompatible type 'float4'
//--- -cl-std=CL1.2
int f(int *a) { return a; } // error: incompatible pointer to integer conversion returning 'int *' from a function with result type 'int'
//--- -cl-std=CL2.0
int f(int *a) { return a; } // error: incompatible pointer to integer conversion returning '__generic int *' from a function with result type 'int'
//--- -cl-std=CL1.2
void f(int a) { int x = 1 int y = 2; } // error: expected ';' at end of declaration
//--- -cl-std=CL1.2
void f(int a) { a = 1 // error: expected ';' after expression
}
//--- -cl-std=CL1.2
void f(int a) { // error: expected '}'
//--- -cl-std=CL1.2
void f(int a) { { } // error: expected '}'
//--- -cl-std=CL1.2
void f(int a { } // error: expected ')'
//--- -cl-std=CL1.2
void f(int a,) { } // error: expected parameter declarator
//--- -cl-std=CL1.2
void f(,) { } // error: expected parameter declarator
//--- -cl-std=CL1.2
void f(int a) } // error: expected function body after function declarator
//--- -cl-std=CL1.2
void f(int a) { int g(int b) { return b; } } // error: function definition is not allowed here
//--- -cl-std=CL1.2
void f(int a) { a = 1; } } // error: extraneous closing brace ('}')
//--- -cl-std=CL1.2
void f(int a) { asm("nop"); } // error: implicit declaration of function 'asm' is invalid in OpenCL
//--- -cl-std=CL1.2
void f(int a) { try { } catch (int) { } } // error: expected expression // error: use of undeclared identifier 'try'
//--- -cl-std=CL1.2
class X { }; // error: unknown type name 'class' // error: expected ';' after top level declarator
//--- -cl-std=CL1.2
template <typename T> T f(T a) { return a; } // warning: type specifier missing, defaults to 'int' // error: expected ';' after top level declarator // error: program scope variable must reside in constant address space
//--- -cl-std=CL2.0
template <typename T> T f(T a) { return a; } // warning: type specifier missing, defaults to 'int' // error: expected ';' after top level declarator
//--- -cl-std=CL1.2
namespace x { } // error: unknown type name 'namespace' // error: expected ';' after top level declarator
//--- -cl-std=CL1.2
using namespace std; // error: unknown type name 'using' // error: expected ';' after top level declarator
//--- -cl-std=CL1.2
void f(int &a) { } // error: expected ')'
//--- -cl-std=CL1.2
void f(int a) { int &b = a; } // error: expected identifier or '('
//--- -cl-std=CL1.2
void f(int a) { int *b = nullptr; } // error: use of undeclared identifier 'nullptr'
//--- -cl-std=CL1.2
void f(int a) { f(a)->x; } // error: member reference base type 'void' is not a structure or union // error: recursion is not allowed in OpenCL: 'f' calls itself
//--- -cl-std=CL1.2
int f(int a) { if (a) int b; } // error: expected expression
//--- -cl-std=CL1.2
void f(int a) { switch (a) { case 1: int b; } } // error: expected expression
//--- -cl-std=CL1.2
void f(int a) { __attribute__((opencl_unroll_hint(0))) for (;;) ; } // error: 'opencl_unroll_hint' attribute requires a positive integral compile time constant expression
//--- -cl-std=CL1.2
void f(int a) { __attribute__((opencl_unroll_hint(-1))) for (;;) ; } // error: 'opencl_unroll_hint' attribute requires a positive integral compile time constant expression
//--- -cl-std=CL1.2
void f(int a) { __attribute__((opencl_unroll_hint(a))) for (;;) ; } // error: expression is not an integer constant expression
//--- -cl-std=CL1.2
void f(int a) { __attribute__((opencl_unroll_hint(2))) if (a) ; } // error: 'opencl_unroll_hint' attribute only applies to 'for', 'while', and 'do' statements // warning: if statement has empty body
//--- -cl-std=CL1.2
void f(int a) { __attribute__((opencl_unroll_hint(1,2))) for (;;) ; } // error: 'opencl_unroll_hint' attribute takes no more than 1 argument
//--- -cl-std=CL1.2
void f(int a) { int (^b)(int) = ^(int x) { return 1.0f; }; float (^c)(int) = b; } // error: blocks support disabled - compile with OpenCL C 2.0 or a device that enqueues kernels // error: blocks support disabled - compile with OpenCL C 2.0 or a device that enqueues kernels
//--- -cl-std=CL2.0
void f(int a) { int (^b)(int) = ^(int x) { return 1.0f; }; float (^c)(int) = b; } // error: initializing 'int (^)(int)' with an expression of incompatible type 'float (^)(int)' // error: initializing 'float (^)(int)' with an expression of incompatible type 'int (^)(int)'
//--- -cl-std=CL1.2
void f(int a) { int (^b)(int); } // error: blocks support disabled - compile with OpenCL C 2.0 or a device that enqueues kernels
//--- -cl-std=CL2.0
void f(int a) { int (^b)(int); } // error: invalid block variable declaration - must be initialized
//--- -cl-std=CL1.2
void f(int a) { int (^b)(int) = ^(int x) { return x; }; b = ^(int x) { return x + 1; }; } // error: blocks support disabled - compile with OpenCL C 2.0 or a device that enqueues kernels // error: blocks support disabled - compile with OpenCL C 2.0 or a device that enqueues kernels
//--- -cl-std=CL2.0
void f(int a) { int (^b)(int) = ^(int x) { return x; }; b = ^(int x) { return x + 1; }; } // error: invalid operands to binary expression ('int (^)(int)' and 'int (^)(int)')
//--- -cl-std=CL1.2
void f(int a) { void (^b)(void) = ^{ a = 1; }; } // error: blocks support disabled - compile with OpenCL C 2.0 or a device that enqueues kernels
//--- -cl-std=CL2.0
void f(int a) { void (^b)(void) = ^{ a = 1; }; } // error: cannot assign to variable 'a' with const-qualified type 'const int'
//--- -cl-std=CL1.2
void f(int a) { int (^const b[2])(int) = { 0 }; } // error: blocks support disabled - compile with OpenCL C 2.0 or a device that enqueues kernels
//--- -cl-std=CL2.0
void f(int a) { int (^const b[2])(int) = { 0 }; } // error: array of 'int (^)(int)' type is invalid in OpenCL
//--- -cl-std=CL1.2
void f(int a) { int (^const b)(int, ...) = ^(int x, ...) { return x; }; } // error: blocks support disabled - compile with OpenCL C 2.0 or a device that enqueues kernels
//--- -cl-std=CL2.0
void f(int a) { int (^const b)(int, ...) = ^(int x, ...) { return x; }; } // error: invalid prototype, variadic arguments are not allowed in OpenCL
//--- -cl-std=CL1.2
int f(int a) { int (^const b)(int) = ^(int x) { return x; }; return b(1, 2); } // error: blocks support disabled - compile with OpenCL C 2.0 or a device that enqueues kernels
//--- -cl-std=CL2.0
int f(int a) { int (^const b)(int) = ^(int x) { return x; }; return b(1, 2); } // error: too many arguments to block call, expected 1, have 2
//--- -cl-std=CL1.2
int f(int a) { int (^const b)(int) = ^(int x) { return x; }; return b + 1; } // error: blocks support disabled - compile with OpenCL C 2.0 or a device that enqueues kernels
//--- -cl-std=CL2.0
int f(int a) { int (^const b)(int) = ^(int x) { return x; }; return b + 1; } // error: invalid operands to binary expression ('int (^)(int)' and 'int')
//--- -cl-std=CL1.2
int f(int a) { int (^const b)(int) = ^(int x) { return x; }; return *b; } // error: blocks support disabled - compile with OpenCL C 2.0 or a device that enqueues kernels
//--- -cl-std=CL2.0
int f(int a) { int (^const b)(int) = ^(int x) { return x; }; return *b; } // error: invalid argument type 'int (^)(int)' to unary expression
//--- -cl-std=CL1.2
int f(int a) { int (^const b)(int) = ^(int x) { return x; }; int c = &b; } // error: blocks support disabled - compile with OpenCL C 2.0 or a device that enqueues kernels
//--- -cl-std=CL2.0
int f(int a) { int (^const b)(int) = ^(int x) { return x; }; int c = &b; } // error: invalid argument type 'int (^)(int)' to unary expression
//--- -cl-std=CL1.2
int f(int a) { int (^const b)(int) = ^(int x) { return x; }; return a ? b : b; } // error: blocks support disabled - compile with OpenCL C 2.0 or a device that enqueues kernels
//--- -cl-std=CL2.0
int f(int a) { int (^const b)(int) = ^(int x) { return x; }; return a ? b : b; } // error: second and third operands of ?: cannot be of type 'int (^)(int)'
//--- -cl-std=CL1.2
kernel void k(int (^b)(int)) { } // error: blocks support disabled - compile with OpenCL C 2.0 or a device that enqueues kernels
//--- -cl-std=CL2.0
kernel void k(int (^b)(int)) { } // error: declaring function parameter of type 'int (^)(int)' is not allowed
//--- -cl-std=CL1.2
void g(int (^b)(int)) { } // error: blocks support disabled - compile with OpenCL C 2.0 or a device that enqueues kernels
//--- -cl-std=CL2.0
void g(int (^b)(int)) { } // error: declaring function parameter of type 'int (^)(int)' is not allowed
//--- -cl-std=CL1.2
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
void f(half h) { h = 1.0h + x; } // error: use of undeclared identifier 'x'
//--- -cl-std=CL1.2
#pragma OPENCL FP_CONTRACT MAYBE // warning: expected 'ON' or 'OFF' or 'DEFAULT' in pragma
void f(half h) { } // error: declaring parameter of type 'half' is not allowed
//--- -cl-std=CL1.2
#if // error: expected value in expression
#endif
//--- -cl-std=CL1.2
#if 1 // error: unterminated conditional directive
//--- -cl-std=CL1.2
#endif // error: #endif without #if
//--- -cl-std=CL1.2
#else // error: #else without #if
//--- -cl-std=CL1.2
#elif 1 // error: #elif without #if
//--- -cl-std=CL1.2
#error stop here // error: stop here
//--- -cl-std=CL1.2
#include "not-there.h" // error: 'not-there.h' file not found
//--- -cl-std=CL1.2
#include // error: expected "FILENAME" or <FILENAME>
//--- -cl-std=CL1.2
#define // error: macro name missing
//--- -cl-std=CL1.2
#define 1 // error: macro name must be an identifier
//--- -cl-std=CL1.2
#define F(a // error: missing ')' in macro parameter list
//--- -cl-std=CL1.2
#define F(a,a) a // error: duplicate macro parameter name 'a'
//--- -cl-std=CL1.2
#define F(a) #b // error: '#' is not followed by a macro parameter
//--- -cl-std=CL1.2
#define F(a) a
int x = F(1, 2); // error: too many arguments provided to function-like macro invocation // error: program scope variable must reside in constant address space
//--- -cl-std=CL2.0
#define F(a) a
int x = F(1, 2); // error: too many arguments provided to function-like macro invocation
//--- -cl-std=CL1.2
#define F(a, b) a
constant int x = F(1); // error: too few arguments provided to function-like macro invocation
//--- -cl-std=CL1.2
#define F(a) a
constant int x = F(1; // error: unterminated function-like macro invocation // error: expected expression // error: expected ';' after top level declarator
//--- -cl-std=CL1.2
#define A ## b // error: '##' cannot appear at start of macro expansion
//--- -cl-std=CL1.2
#define A a ## // error: '##' cannot appear at end of macro expansion
//--- -cl-std=CL1.2
#define A(x) ## x // error: '##' cannot appear at start of macro expansion
//--- -cl-std=CL1.2
#undef // error: macro name missing
//--- -cl-std=CL1.2
#if 1 / 0 // error: division by zero in preprocessor expression
#endif
//--- -cl-std=CL1.2
#if 1 + // error: expected value in expression
#endif
//--- -cl-std=CL1.2
#if (1 // error: expected ')' in preprocessor expression
#endif
//--- -cl-std=CL1.2
#if 1 2 // error: token is not a valid binary operator in a preprocessor subexpression
#endif
//--- -cl-std=CL1.2
#if "a" // error: invalid token at start of a preprocessor expression
#endif
//--- -cl-std=CL1.2
#if 1.0 // error: floating point literal in preprocessor expression
#endif
//--- -cl-std=CL1.2
#if defined // error: macro name must be an identifier
#endif
//--- -cl-std=CL1.2
#if defined( // error: macro name must be an identifier
#endif
//--- -cl-std=CL1.2
#line x // error: #line directive requires a positive integer argument
//--- -cl-std=CL1.2
#line 0x10 // error: #line directive requires a positive integer argument
//--- -cl-std=CL1.2
#unknown // error: invalid preprocessing directive
//--- -cl-std=CL1.2
#define defined 1 // error: 'defined' cannot be used as a macro name
//--- -cl-std=CL1.2
#if 1
#else
#else // error: #else after #else
#endif
//--- -cl-std=CL1.2
#if 1
#else
#elif 1 // error: #elif after #else
#endif
//--- -cl-std=CL1.2
/* never closed // error: unterminated /* comment
//--- -cl-std=CL1.2
#define X Y
X f(void); // error: unknown type name 'Y'
//--- -cl-std=CL1.2
#define CAT(a, b) a ## b
int CAT(+, -); // error: pasting formed '+-', an invalid preprocessing token // error: expected identifier or '('
//--- -cl-std=CL1.2
void f(void) { int x = __VA_ARGS__; } // error: use of undeclared identifier '__VA_ARGS__'
//--- -cl-std=CL1.2
#define __LINE__ 3 // warning: redefining builtin macro
int x = ; // error: expected expression // error: program scope variable must reside in constant address space
//--- -cl-std=CL2.0
#define __LINE__ 3 // warning: redefining builtin macro
int x = ; // error: expected expression
//--- -cl-std=CL1.2
void f(void) { \x; } // error: unexpected character <U+005C> // error: use of undeclared identifier 'x'
//--- -cl-std=CL1.2
void f(void) { int `a; } // error: unexpected character <U+0060>
//--- -cl-std=CL1.2
void f(void) { int a = 1;; int b = 08.5e; } // error: exponent has no digits
//--- -cl-std=CL1.2
#pragma unroll // error: expected identifier or '('
void f(int n) {
#pragma unroll
  n++; // error: expected a for, while, or do-while loop to follow '#pragma unroll'
#pragma nounroll
  int x = 3; // error: expected a for, while, or do-while loop to follow '#pragma nounroll'
#pragma clang loop unroll(enable)
  { x++; } // error: expected a for, while, or do-while loop to follow '#pragma clang loop'
#pragma unroll -3 // error: invalid value '-3'; must be positive
  for (int i = 0; i < n; i++) x++;
#pragma unroll
#pragma ivdep
  for (int i = 0; i < n; i++) x++;
#pragma unroll 4
  __attribute__((opencl_unroll_hint)) while (n--) x++;
  if (x)
#pragma unroll(2)
    do x--; while (x);
#pragma unroll
} // error: expected statement
