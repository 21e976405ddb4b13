// SPDX-License-Identifier: MIT
// options: -cl-std=CL1.2
void operators(int4 a, uint4 b, float4 f, char4 c, long l, double d) {
  a = a + b; // error: cannot convert between vector values of different type ('int4' and 'uint4')
  a = a << b;
  f = f * 2;
  f = f * d; // error: scalar operand type has greater rank than the type of the vector element. ('float4' and 'double')
  c = c + 1; // error: scalar operand type has greater rank than the type of the vector element. ('char4' and 'int')
  a = a + l; // error: scalar operand type has greater rank than the type of the vector element. ('int4' and 'long')
  a = f < f;
  a = f < a; // error: cannot convert between vector values of different type ('float4' and 'int4')
  f = a ? f : -f;
  f = f ? f : f; // error: used type 'float4' where floating point type is not allowed
  if (a) a = !a; // error: statement requires expression of scalar type ('int4' invalid)
  f++; // error: cannot increment value of type 'float4'
  a = (int4)f; // error: invalid conversion between ext-vector type 'int4' and 'float4'
  int s = (int)f; // error: invalid conversion from vector type 'float4' to scalar type 'int'
}

// Two scalars become vectors without being promoted.
char2 both_char(char2 c, char a, char b) { return c ? a : b; }
short2 char_and_short(short2 c, char a, short b) { return c ? a : b; }
int2 both_bool(int2 c, bool a, bool b) { return c ? a : b; }
char2 char_and_int(char2 c, char a) { return c ? a : 1; } // error: vector condition type 'char2' and result type 'int2' do not have elements of the same size
