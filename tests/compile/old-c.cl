// SPDX-License-Identifier: MIT
// options: -cl-std=CL2.0
// What C has from its earliest days, and GNU's address spaces by number.
int scale(value, by) int value; float by; { return (int)(value * by); }
typedef struct { int count; float values[]; } Series;
global int tentative[];
kernel void old(global Series *series, __attribute__((address_space(1))) int *out) {
  out[0] = scale(series->count, 2.0f) + tentative[0];
  series->values[2] = 3.5f;
}
constant int wide[] = L"ab\u20ac";
enum Small : char { LAST = 'z' };
kernel void later(global enum Small *out, int n) {
  {
    __label__ end;
    if (n > 3) goto end;
    out[0] = LAST;
  end:;
  }
  {
    __label__ end;
    if (n > 5) goto end;
    out[1] = wide[n];
  end:;
  }
}
