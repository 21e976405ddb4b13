// SPDX-License-Identifier: MIT
// Spheres over a plane with one light, hard shadows and two reflections.
typedef struct { float4 sphere; float4 colour; } Sphere;

bool hit(global const Sphere *spheres, int count, float3 from, float3 direction, float *distance, int *which) {
  float nearest = 1e20f;
  int found = -1;
  for (int i = 0; i < count; i++) {
    float4 s = spheres[i].sphere;
    float3 to = s.xyz - from;
    float along = dot(to, direction);
    float off = dot(to, to) - along * along;
    if (off > s.w * s.w) continue;
    float half_chord = sqrt(s.w * s.w - off);
    float t = along - half_chord;
    if (t < 1e-3f) t = along + half_chord;
    if (t > 1e-3f && t < nearest) {
      nearest = t;
      found = i;
    }
  }
  if (direction.y < -1e-4f) {
    float t = (-1.0f - from.y) / direction.y;
    if (t > 1e-3f && t < nearest) {
      nearest = t;
      found = count;
    }
  }
  *distance = nearest;
  *which = found;
  return found >= 0;
}

kernel void raytrace(global const Sphere *spheres, int count, global uchar4 *image, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  float3 from = (float3)(0, 0.5f, -4);
  float3 direction = normalize((float3)((x - 0.5f * width) / height, (0.5f * height - y) / height, 1.0f));
  float3 light = normalize((float3)(0.5f, 1.0f, -0.6f));
  float3 colour = (float3)(0), weight = (float3)(1);
  for (int depth = 0; depth < 3; depth++) {
    float t;
    int which;
    if (!hit(spheres, count, from, direction, &t, &which)) {
      colour += weight * mix((float3)(0.9f), (float3)(0.3f, 0.5f, 0.9f), fabs(direction.y));
      break;
    }
    float3 at = from + direction * t;
    float3 normal, surface;
    float mirror;
    if (which == count) {
      normal = (float3)(0, 1, 0);
      bool dark = ((int)floor(at.x) + (int)floor(at.z)) & 1;
      surface = dark ? (float3)(0.2f) : (float3)(0.8f);
      mirror = 0.1f;
    } else {
      normal = (at - spheres[which].sphere.xyz) / spheres[which].sphere.w;
      surface = spheres[which].colour.xyz;
      mirror = spheres[which].colour.w;
    }
    float shade_distance;
    int shade_by;
    float lit = max(dot(normal, light), 0.0f);
    if (lit > 0 && hit(spheres, count, at, light, &shade_distance, &shade_by)) lit = 0;
    colour += weight * surface * (0.15f + 0.85f * lit) * (1 - mirror);
    weight *= mirror;
    from = at;
    direction = direction - 2 * dot(direction, normal) * normal;
  }
  colour = clamp(colour, 0.0f, 1.0f) * 255.0f;
  image[y * width + x] = (uchar4)(convert_uchar3(colour), 255);
}
