// SPDX-License-Identifier: MIT
// Pragmas, and the warnings about them, as in clang.
//--- -cl-std=CL1.2
#pragma OPENCL EXTENSION cl_khr_fp64 : enable x // warning: extra tokens at end of '#pragma OPENCL EXTENSION' - ignored
#pragma OPENCL FP_CONTRACT FOO // warning: expected 'ON' or 'OFF' or 'DEFAULT' in pragma
#pragma OPENCL FP_CONTRACT // warning: expected 'ON' or 'OFF' or 'DEFAULT' in pragma
#pragma OPENCL FP_CONTRACT OFF
#pragma STDC FP_CONTRACT DEFAULT
#pragma STDC FP_CONTRACT FOO // warning: expected 'ON' or 'OFF' or 'DEFAULT' in pragma
#pragma STDC FENV_ACCESS ON // warning: '#pragma FENV_ACCESS' is not supported on this target - ignored
#pragma STDC FENV_ACCESS OFF // warning: '#pragma FENV_ACCESS' is not supported on this target - ignored
#pragma OPENCL SELECT_ROUNDING_MODE rte
#pragma OPENCL SELECT_ROUNDING_MODE rtz // error: rounding mode 'rtz' cannot be selected: only conversions have rounding modes, as in 'convert_float_rtz'
#pragma OPENCL EXTENSION cl_khr_select_fprounding_mode : enable // warning: unsupported OpenCL extension 'cl_khr_select_fprounding_mode' - ignoring
#pragma STDC FOO // warning: unknown pragma in STDC namespace
#pragma STDC // warning: unknown pragma in STDC namespace
#pragma STDC CX_LIMITED_RANGE FOO // warning: expected 'ON' or 'OFF' or 'DEFAULT' in pragma
#pragma GCC diagnostic // warning: pragma diagnostic expected 'error', 'warning', 'ignored', 'fatal', 'push', or 'pop'
#pragma GCC diagnostic foo "-Wall" // warning: pragma diagnostic expected 'error', 'warning', 'ignored', 'fatal', 'push', or 'pop'
#pragma GCC diagnostic ignored // error: expected string literal in pragma diagnostic
#pragma GCC diagnostic ignored "unused" // warning: pragma diagnostic expected option name (e.g. "-Wundef")
#pragma GCC diagnostic pop // warning: pragma diagnostic pop could not pop, no matching push
#pragma clang diagnostic pop // warning: pragma diagnostic pop could not pop, no matching push
#pragma message "hello" // warning: hello
#pragma message("hello") // warning: hello
#pragma message hello // error: pragma message requires parenthesized string
#pragma GCC warning "w" // warning: w
#pragma clang foo
#pragma GCC foo
#pragma pack(3)
#pragma pack(pop)
#pragma pack(foo) // warning: malformed '#pragma pack' - ignored
#pragma pack // warning: malformed '#pragma pack' - ignored
#pragma pack(2 // warning: malformed '#pragma pack' - ignored
#pragma pack(2) x // warning: extra tokens at end of '#pragma pack' - ignored
#pragma pack()
#pragma weak foo
#pragma ident "x"
#pragma comment(lib, "x")
#pragma region x
#pragma endregion
#pragma mark x
#pragma push_macro("A")
#pragma pop_macro("A")
#pragma pop_macro("B") // warning: pragma pop_macro could not pop 'B', no matching push_macro
#pragma redefine_extname a b
#pragma options align=packed
#pragma omp parallel
#pragma omp
#pragma HLS pipeline
#pragma ivdep
#pragma simd
#pragma clang attribute push
#pragma clang fp contract(fast)
#pragma clang optimize off
#pragma clang optimize on
#pragma clang section text="x"
#pragma clang assume_nonnull begin
#pragma clang assume_nonnull end
#pragma OPENCL
#pragma OPENCL FOO
#pragma opencl EXTENSION cl_khr_fp64 : enable
#pragma OPENCL extension cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : ENABLE // warning: expected 'name : enable' or 'disable' - ignoring
#pragma OPENCL EXTENSION : enable // warning: expected 'name : enable' or 'disable' - ignoring
#pragma OPENCL EXTENSION cl_khr_fp64 : // warning: expected 'name : enable' or 'disable' - ignoring
#pragma OPENCL EXTENSION cl_khr_fp64 : begin
#pragma OPENCL EXTENSION cl_khr_fp64 : end
#pragma OPENCL EXTENSION foo : begin
int f(void);
//--- -cl-std=CL2.0
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-value"
void g1(int n) { n; n == 1; }
#pragma clang diagnostic pop
void g2(int n) { n; } // warning: expression result unused
#pragma GCC diagnostic ignored "-Wunused"
void g3(int n) { n; n == 1; }
#pragma GCC diagnostic error "-Wdivision-by-zero"
#define DIV(n) n / 0
void g4(int n) { n = DIV(n); } // error: division by zero is undefined
#pragma GCC diagnostic ignored "-Wdivision-by-zero"
void g5(int n) { n = DIV(n);
#pragma GCC diagnostic warning "-Wdivision-by-zero"
 n = n / 0; } // warning: division by zero is undefined
#pragma GCC diagnostic ignored "-Wformat"
void g6(int n) { printf("%d", 1.0f); printf("%d"); printf("%y", 1); }
#define X 1
#pragma push_macro("X")
#undef X
#define X 2
int a2[X == 2 ? 1 : -1];
#pragma pop_macro("X")
int a1[X == 1 ? 1 : -1];
#pragma GCC error "stop" // error: stop
_Pragma("clang diagnostic ignored \"-Wreturn-type\"") int g7(void) {}
//--- -Wno-format -Wno-unused
void g6(int n) { printf("%d", 1.0f); printf("%d"); printf("%y", 1); n; n == 1; n & 1 == 0; } // warning: & has lower precedence than ==; == will be evaluated first
//--- -Wno-parentheses -Wno-conversion -Werror=unused-value
void g6(char n) { n; n & 1 == 0; n = 300; if (n) if (n) n = 1; else n = 2; } // error: expression result unused // error: expression result unused
//--- -cl-std=CL1.2
void h1(float a) {
#pragma clang diagnostic ignored "-Wunused"
#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL FP_CONTRACT ON
  a = a * a + 1;
  {
#pragma STDC FP_CONTRACT OFF
    a = a * a + 1;
#pragma OPENCL FP_CONTRACT ON // error: '#pragma fp_contract' can only appear at file scope or at the start of a compound statement
#pragma STDC CX_LIMITED_RANGE OFF
  }
  if (a > 1)
#pragma OPENCL FP_CONTRACT OFF // error: '#pragma fp_contract' can only appear at file scope or at the start of a compound statement
    a = 2;
}
