// SPDX-License-Identifier: MIT
// options: -cl-std=CL2.0
kernel void enqueue(global int *p, int n) {
  void (^task)(void) = ^{ p[0] = n; };
  int (^add)(int, int) = ^(int a, int b) { return a + b + n; };
  p[1] = add(1, 2);
  p[2] = add(1); // error: too few arguments to block call, expected 2, have 1
  ndrange_t range = ndrange_1D(64);
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, range, task);
  task = ^{}; // error: invalid operands to binary expression ('void (^)(void)' and 'void (^)(void)')
}
