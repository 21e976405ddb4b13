// SPDX-License-Identifier: MIT
// Loops, switches over cases in nested statements, goto, short circuits and conditional expressions.
kernel void loops(global int *out, int n) {
  int sum = 0;
  for (int i = 0, j = n; i < j; i += 2, --j) {
    if (i == 4) continue;
    if (sum > 50) break;
    sum += i * j;
  }
  while (n > 0) n = n & 1 ? n - 1 : n / 2;
  do { ++sum; } while (sum < n && out[sum] != 0);
  out[0] = sum;
}
kernel void hinted(global float *out, int n) {
  float sum = 0;
  #pragma unroll 4
  for (int i = 0; i < n; ++i) sum += out[i];
  #pragma nounroll
  while (sum > 1) sum *= 0.5f;
  out[0] = sum;
}
kernel void jumps(global int *out, long wide, int n) {
  int t = 0, i = 0;
again:
  t += i;
  if (++i < n) goto again;
  switch (n & 3) {
    case 0: do { t++;
    case 1: t += 2;
    case 2: t += 3; } while (t < 20);
  }
  switch (wide) {
    case 1L << 40: t = 1; break;
    case -3: t = 2;
    default: t += 3;
  }
  out[0] = t;
}
