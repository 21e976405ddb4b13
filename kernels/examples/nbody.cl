// SPDX-License-Identifier: MIT
// One step of gravity between bodies: positions and masses in xyzw, velocities in xyz.
kernel void nbody(global const float4 *restrict position, global float4 *restrict velocity,
                  global float4 *restrict next, int count, float dt, float softening) {
  int i = get_global_id(0);
  float4 me = position[i];
  float3 force = (float3)(0);
  for (int j = 0; j < count; j++) {
    float4 other = position[j];
    float3 d = other.xyz - me.xyz;
    float r2 = dot(d, d) + softening;
    float inverse = rsqrt(r2);
    force += d * (other.w * inverse * inverse * inverse);
  }
  float4 v = velocity[i];
  v.xyz += force * dt;
  velocity[i] = v;
  next[i] = (float4)(me.xyz + v.xyz * dt, me.w);
}
