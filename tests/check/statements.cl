// SPDX-License-Identifier: MIT
// options: -cl-std=CL1.2
int jumps(int a) {
  break; // error: 'break' statement not in loop or switch statement
  continue; // error: 'continue' statement not in loop statement
  case 1: a = 1; // error: 'case' statement not in switch statement
  goto nowhere; // error: use of undeclared label 'nowhere'
  switch (a) {
    case 1: a = 2; break;
    case 1: a = 3; // error: duplicate case value '1'
    case 3 ... 5: a = 4;
    default: a = 5; // error: multiple default labels in one switch
    default: a = 6;
  }
  switch (1.0f) { case 1: ; } // error: statement requires expression of integer type ('float' invalid)
  return; // error: non-void function 'jumps' should return a value
}
void nothing(int a) {
  a + 1; // warning: expression result unused
  a == 1; // warning: equality comparison result unused
  return a; // error: void function 'nothing' should not return a value
}
int no_value(int a) {
  if (a) return 1;
}
void shifts(int a) {
  a = a << 33;
  a = a / 0; // warning: division by zero is undefined
  char c = 300; // warning: implicit conversion from 'int' to 'char' changes value from 300 to 44
  if (a = 1) a = 2; // warning: using the result of an assignment as a condition without parentheses
}
void loops(int n) {
  #pragma unroll 4
  for (int i = 0; i < n; i++) {
    while (n--) continue;
    do { break; } while (1);
  }
  __attribute__((opencl_unroll_hint(2))) n++; // error: 'opencl_unroll_hint' attribute only applies to 'for', 'while', and 'do' statements
}
