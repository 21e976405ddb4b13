// SPDX-License-Identifier: MIT
// printf: conversions, flags, vectors, strings.

// run: formats
// prints: 42 -7 2a 0052 4000000000
// prints: 1.500000 1.50e+00 0.1 inf -inf
// prints: [  ab] [c] [%]
// prints: 1,2,3,4 0x1,ff
// prints: 1.0,2.5
// except: rusticl: prints two signs for %%
// except: NVIDIA: its compiler makes PTX of this that its assembler refuses
kernel void formats() {
  printf("%d %i %x %04o %u\n", 42, -7, 42, 42, 4000000000u);
  printf("%f %.2e %g %f %f\n", 1.5f, 1.5f, 0.1f, INFINITY, -INFINITY);
  printf("[%4s] [%c] [%%]\n", "ab", 'c');
  printf("%v4hld 0x%v2hhx\n", (int4)(1, 2, 3, 4), (uchar2)(1, 255));
  printf("%.1v2hlf\n", (float2)(1, 2.5f));
}
