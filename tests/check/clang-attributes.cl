// SPDX-License-Identifier: MIT
// Attributes: where each is accepted, and the warnings that they cause, as in clang.
//--- -cl-std=CL2.0
__attribute__((visibility("hidden"))) void v1(void) {} __attribute__((visibility("foo"))) void v2(void) {} // warning: 'visibility' attribute argument not supported: foo
typedef int vt __attribute__((visibility("hidden"))); // warning: 'visibility' attribute ignored
__attribute__((visibility)) void v5(void) {} // error: 'visibility' attribute requires 1 argument(s)
__attribute__((visibility(1))) void v8(void) {} // error: 'visibility' attribute requires a string
constant int a1 __attribute__((noinline)) = 1; void a3(int x __attribute__((always_inline))) {} // warning: 'noinline' attribute only applies to functions and statements // warning: 'always_inline' attribute only applies to functions and statements
__attribute__((packed)) constant int a4 = 1; __attribute__((packed)) void a5(void) {} // warning: 'packed' attribute ignored // warning: 'packed' attribute ignored
typedef int a6 __attribute__((packed)); struct __attribute__((hot)) S { int a __attribute__((cold)); }; // warning: 'packed' attribute ignored // warning: 'hot' attribute only applies to functions // warning: 'cold' attribute only applies to functions
__attribute__((noreturn)) constant int a9 = 1; __attribute__((warn_unused_result)) void a12(void); // warning: 'noreturn' attribute only applies to function types // warning: attribute 'warn_unused_result' cannot be applied to functions without return value
__attribute__((unused("x"))) constant int a10 = 1; // error: 'unused' attribute takes no arguments
__attribute__((deprecated)) constant int a21 = 1; __attribute__((deprecated("use another"))) void a22(void);
void uses_old(void) { int n = a21; a22(); } // warning: 'a21' is deprecated // warning: 'a22' is deprecated: use another
__attribute__((foo)) constant int b1 = 1; typedef int b4 __attribute__((foo)); struct __attribute__((foo)) B3 { int a __attribute__((foo)); }; // warning: unknown attribute 'foo' ignored // warning: unknown attribute 'foo' ignored // warning: unknown attribute 'foo' ignored // warning: unknown attribute 'foo' ignored
__attribute__((overloadable)) constant int b7 = 1; __attribute__((flatten)) constant int b8 = 1; // error: 'overloadable' attribute only applies to functions // error: 'flatten' attribute only applies to functions
__attribute__((nosvm)) global int *b11; // warning: 'nosvm' attribute is deprecated and ignored in OpenCL C version 2.0
__attribute__((vec_type_hint(float4), vec_type_hint(int4))) kernel void b13(void) {} // warning: attribute 'vec_type_hint' is already applied with different arguments
__attribute__((reqd_work_group_size(1, 1, 1), reqd_work_group_size(2, 1, 1))) kernel void b14(void) {} // warning: attribute 'reqd_work_group_size' is already applied with different arguments
__attribute__((intel_reqd_sub_group_size(8))) __attribute__((intel_reqd_sub_group_size(16))) kernel void b17(void) {} // warning: attribute 'intel_reqd_sub_group_size' is already applied with different arguments
typedef int b18 __attribute__((reqd_work_group_size(1, 1, 1))); // error: 'reqd_work_group_size' attribute only applies to functions
__attribute__((kernel)) void b23(void) {} __attribute__((no_such_attribute)) void b24(void) {} // warning: 'kernel' attribute ignored // warning: unknown attribute 'no_such_attribute' ignored
//--- -cl-std=CL2.0
__attribute__((noreturn)) void n1(void) {} // warning: function declared 'noreturn' should not return
__attribute__((noreturn)) void n2(void) { return; } // warning: function declared 'noreturn' should not return
__attribute__((noreturn)) void n3(void) { while (1) ; }
_Noreturn void n4(int n) { if (n) n3(); } // warning: function declared 'noreturn' should not return
int n5(int n) { if (n) return 1; n3(); }
void old(a, b) int a; float b; { } // warning: a function definition without a prototype is deprecated in all versions of C and is not supported in C2x
void calls_old(void) { old(1, 2.0f); old(1); old(1, 2, 3); } // warning: too few arguments in call to 'old' // warning: too many arguments in call to 'old'
