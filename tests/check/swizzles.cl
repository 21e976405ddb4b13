// SPDX-License-Identifier: MIT
// options: -cl-std=CL1.2
void swizzles(float4 v, float2 w, float3 t) {
  v.xy = w.yx;
  v.lo.hi = t.s2;
  v.xx = w; // error: vector is not assignable (contains duplicate components)
  v.xyz = w; // error: assigning to 'float3' from incompatible type 'float2'
  w.z = 1; // error: vector component access exceeds type 'float2'
  v.q = 1; // error: illegal vector component name 'q'
  v.xg = w; // warning: vector component name 'g' is a feature from OpenCL version 3.0 onwards // error: illegal vector component name 'g'
  t = v.xyzwx; // error: vector component access has invalid length 5.  Supported: 1,2,3,4,8,16.
  float *p = &v.x; // error: address of vector element requested
}
