// SPDX-License-Identifier: MIT
// Complex FFTs of 256 points, one a work-group, in local memory: radix 2 and radix 4 (Stockham).
#define N 256

float2 multiply(float2 a, float2 b) { return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
float2 twiddle(int k, int n) {
  float angle = -6.283185307179586f * (float)k / (float)n;
  return (float2)(cos(angle), sin(angle));
}

kernel __attribute__((reqd_work_group_size(N / 2, 1, 1))) void fft2(global float2 *data) {
  local float2 buffer[2][N];
  int id = get_local_id(0);
  global float2 *mine = data + get_group_id(0) * N;
  buffer[0][id] = mine[id];
  buffer[0][id + N / 2] = mine[id + N / 2];
  barrier(CLK_LOCAL_MEM_FENCE);
  int from = 0;
  for (int span = 1; span < N; span *= 2) {
    int k = id & (span - 1);
    float2 a = buffer[from][id];
    float2 b = multiply(twiddle(k, span * 2), buffer[from][id + N / 2]);
    int at = ((id - k) << 1) + k;
    buffer[1 - from][at] = a + b;
    buffer[1 - from][at + span] = a - b;
    from = 1 - from;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  mine[id] = buffer[from][id];
  mine[id + N / 2] = buffer[from][id + N / 2];
}

kernel __attribute__((reqd_work_group_size(N / 4, 1, 1))) void fft4(global float2 *data) {
  local float2 buffer[2][N];
  int id = get_local_id(0);
  global float2 *mine = data + get_group_id(0) * N;
  for (int i = 0; i < 4; i++) buffer[0][id + i * N / 4] = mine[id + i * N / 4];
  barrier(CLK_LOCAL_MEM_FENCE);
  int from = 0;
  for (int span = 1; span < N; span *= 4) {
    int k = id & (span - 1);
    float2 a = buffer[from][id];
    float2 b = multiply(twiddle(k, span * 4), buffer[from][id + N / 4]);
    float2 c = multiply(twiddle(2 * k, span * 4), buffer[from][id + N / 2]);
    float2 d = multiply(twiddle(3 * k, span * 4), buffer[from][id + 3 * N / 4]);
    float2 s = a + c, t = a - c, u = b + d, v = (float2)(b.y - d.y, d.x - b.x);
    int at = ((id - k) << 2) + k;
    buffer[1 - from][at] = s + u;
    buffer[1 - from][at + span] = t + v;
    buffer[1 - from][at + 2 * span] = s - u;
    buffer[1 - from][at + 3 * span] = t - v;
    from = 1 - from;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int i = 0; i < 4; i++) mine[id + i * N / 4] = buffer[from][id + i * N / 4];
}
