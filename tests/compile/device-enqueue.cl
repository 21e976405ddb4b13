// SPDX-License-Identifier: MIT
// options: -cl-std=CL2.0
kernel void parent(global int *out, int n) {
  int captured = n * 2;
  clk_event_t done;
  queue_t queue = get_default_queue();
  enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(n), ^{ out[get_global_id(0)] = captured; });
  enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(n), 0, NULL, &done, ^{ out[1] = n; });
  release_event(done);
  int (^add)(int, int) = ^(int x, int y) { return x + y + captured; };
  out[2] = add(1, 2);
}
