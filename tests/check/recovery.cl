// SPDX-License-Identifier: MIT
// options: -cl-std=CL1.2
int one(int a) {
  int b = ; // error: expected expression
  int c = 1 // error: expected ';' at end of declaration
  b = a +* c;
  b = a +* c; // error: indirection requires pointer operand ('int' invalid)
  for (int i = 0; i < 3, i++) { b++; } // error: expected ';' in 'for' statement specifier // warning: relational comparison result unused
  if (a { b = 1; } // error: expected ')'
  return b;
}
int two(int a, int b { // error: expected ')'
  return a;
}
int three(unknown x) { return x; } // error: unknown type name 'unknown'
struct Broken { int a int b; }; // error: expected ';' at end of declaration list
struct Missing { int a; } // error: expected ';' after struct
int four(void) {
  unknown y; // error: unknown type name 'unknown'
  return y + 1;
}
} // error: extraneous closing brace ('}')
int five(int a) { return a; }
