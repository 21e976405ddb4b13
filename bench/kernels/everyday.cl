// SPDX-License-Identifier: MIT
// Simulation, statistics and machine learning in their plain forms (bench/workloads).

typedef struct { float4 position; float4 velocity; int age; float mass; } Particle;

// An array of structures, updated in place.
kernel void particles(global Particle *all, float dt) {
  global Particle *p = all + get_global_id(0);
  float4 v = p->velocity;
  v.xyz += (float3)(0, -9.81f, 0) * dt / p->mass;
  float4 x = p->position + v * dt;
  if (x.y < 0) { x.y = -x.y; v.y = -v.y * 0.9f; }
  p->position = x; p->velocity = v; p->age += 1;
}

kernel void philox(global uint4 *restrict out, uint key0, uint key1) {
  uint id = get_global_id(0);
  uint4 c = (uint4)(id, 0, 0, 0);
  uint2 k = (uint2)(key0, key1);
  for (int i = 0; i < 10; i++) {
    uint h0 = mul_hi(0xD2511F53u, c.x), l0 = 0xD2511F53u * c.x, h1 = mul_hi(0xCD9E8D57u, c.z), l1 = 0xCD9E8D57u * c.z;
    c = (uint4)(h1 ^ c.y ^ k.x, l1, h0 ^ c.w ^ k.y, l0);
    k += (uint2)(0x9E3779B9u, 0xBB67AE85u);
  }
  out[id] = c;
}

// How many random points fall into a circle, by xorshift64*.
kernel void montecarlo(global uint *restrict hits, int n) {
  ulong s = get_global_id(0) * 0x9E3779B97F4A7C15UL + 1;
  uint count = 0;
  for (int i = 0; i < n; i++) {
    s ^= s >> 12; s ^= s << 25; s ^= s >> 27;
    uint r = (uint)((s * 0x2545F4914F6CDD1DUL) >> 32);
    float x = (r & 0xffff) / 65536.0f, y = (r >> 16) / 65536.0f;
    count += x * x + y * y < 1.0f;
  }
  hits[get_global_id(0)] = count;
}

// Softmax of a row for each group of 128.
kernel void softmax(global const float *restrict in, global float *restrict out, int columns) {
  local float shared[128];
  int l = get_local_id(0);
  global const float *row = in + get_group_id(0) * columns;
  float most = -INFINITY;
  for (int i = l; i < columns; i += 128) most = fmax(most, row[i]);
  shared[l] = most;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 64; s > 0; s >>= 1) { if (l < s) shared[l] = fmax(shared[l], shared[l + s]); barrier(CLK_LOCAL_MEM_FENCE); }
  most = shared[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int i = l; i < columns; i += 128) sum += exp(row[i] - most);
  shared[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 64; s > 0; s >>= 1) { if (l < s) shared[l] += shared[l + s]; barrier(CLK_LOCAL_MEM_FENCE); }
  sum = shared[0];
  for (int i = l; i < columns; i += 128) out[get_group_id(0) * columns + i] = exp(row[i] - most) / sum;
}

kernel void heat(global const float *restrict in, global float *restrict out, int w, int h) {
  local float tile[18 * 18];
  int lx = get_local_id(0) + 1, ly = get_local_id(1) + 1, x = get_global_id(0), y = get_global_id(1);
  int i = y * w + x;
  tile[ly * 18 + lx] = in[i];
  if (lx == 1) tile[ly * 18] = x > 0 ? in[i - 1] : 0;
  if (lx == 16) tile[ly * 18 + 17] = x < w - 1 ? in[i + 1] : 0;
  if (ly == 1) tile[lx] = y > 0 ? in[i - w] : 0;
  if (ly == 16) tile[17 * 18 + lx] = y < h - 1 ? in[i + w] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  float c = tile[ly * 18 + lx];
  out[i] = c + 0.1f * (tile[ly * 18 + lx - 1] + tile[ly * 18 + lx + 1] + tile[(ly - 1) * 18 + lx] + tile[(ly + 1) * 18 + lx] - 4 * c);
}

kernel void gather(global const float *restrict in, global const int *restrict index, global float *restrict out) {
  int i = get_global_id(0);
  out[i] = in[index[i]];
}

kernel void scatter(global const float *restrict in, global const int *restrict index, global float *restrict out) {
  int i = get_global_id(0);
  out[index[i]] = in[i];
}

// A histogram in global memory.
kernel void count(global const uint *restrict in, global volatile uint *counts, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&counts[in[i] >> 24]);
}

kernel void hash64(global const ulong *restrict in, global ulong *restrict out) {
  int i = get_global_id(0);
  ulong h = in[i];
  h ^= h >> 33; h *= 0xff51afd7ed558ccdUL; h ^= h >> 33; h *= 0xc4ceb9fe1a85ec53UL; h ^= h >> 33;
  out[i] = rotate(h, 17UL) + (h >> 5);
}

// Programs of a small stack machine, the same for all, over different data.
kernel void interpreter(global const uchar *restrict code, int length, global const float *restrict in, global float *restrict out) {
  int i = get_global_id(0);
  float a = in[i], b = 1, c = 0;
  for (int at = 0; at < length; at++)
    switch (code[at]) {
      case 0: b += a; break;
      case 1: b *= a; break;
      case 2: c = b - c; break;
      case 3: { float t = a; a = b; b = t; break; }
      case 4: c = fmax(c, b) * 0.5f; break;
      case 5: if (a > 100) a *= 0.01f; break;
      case 6: b = b < c ? b + 1 : c; break;
      default: a = a * 0.25f + c;
    }
  out[i] = a + b + c;
}

// Transitions of a lexer, each work-item over its own line.
kernel void lexer(global const uchar *restrict text, global int *restrict words, int length) {
  int id = get_global_id(0), state = 0, count = 0;
  for (int i = 0; i < length; i++) {
    uchar c = text[id * length + i];
    switch (state) {
      case 0: if (c < 16) { state = 1; count++; } else if (c < 32) state = 2; break;
      case 1: if (c >= 48) state = 0; break;
      case 2: if (c < 8) state = 3; else if (c >= 40) state = 0; break;
      default: count += c & 1; state = 0;
    }
  }
  words[id] = count * 4 + state;
}

constant int CX[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, CY[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
constant float WEIGHT[9] = {4.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};

// Lattice Boltzmann, two dimensions, nine directions.
kernel void lbm(global const float *restrict from, global float *restrict to, int w, int h, float omega) {
  int x = get_global_id(0), y = get_global_id(1), n = w * h;
  float f[9], rho = 0, ux = 0, uy = 0;
  for (int d = 0; d < 9; d++) {
    int sx = (x - CX[d] + w) % w, sy = (y - CY[d] + h) % h;
    f[d] = from[d * n + sy * w + sx];
    rho += f[d]; ux += f[d] * CX[d]; uy += f[d] * CY[d];
  }
  ux /= rho; uy /= rho;
  float u2 = 1.5f * (ux * ux + uy * uy);
  for (int d = 0; d < 9; d++) {
    float cu = 3 * (CX[d] * ux + CY[d] * uy);
    float eq = WEIGHT[d] * rho * (1 + cu + 0.5f * cu * cu - u2);
    to[d * n + y * w + x] = f[d] + omega * (eq - f[d]);
  }
}
