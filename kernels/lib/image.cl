// SPDX-License-Identifier: MIT
//
// read_image, write_image: addressing and filtering (OpenCL SPIR-V environment, "Image Addressing and Filtering").
//
// Every image is a stack of layers of rows: missing dimensions have size 1 and coordinate 0; a layer of an array is its third
// dimension. `axes` is the number of dimensions that are filtered; it is constant in each entry point. Coordinates out of range
// never reach memory: such reads give the border colour, such writes are dropped.
#include "image.h"

// The sampler word (SAMPLER_BITS and SAMPLER_LOD in ts/base/kernel-abi.ts).
enum { ADDRESSING = 7, NORMALIZED = 8, LINEAR = 0x10, MIP_LINEAR = 0x20 };
enum { LEAST_LOD_SHIFT = 8, MOST_LOD_SHIFT = 20, LOD_MASK = 0xfff, LAST_LEVEL = 15 };
enum { NONE, TO_EDGE, CLAMP, REPEAT, MIRROR };

/** A mip level: its sizes and its address. Level 0, the constant of most calls, has the descriptor's own pitches, the others are packed. */
#define LEVEL(im, level)                                                              \
  int width = (int)im[WIDTH];                                                         \
  int height = (int)im[HEIGHT];                                                       \
  int depth = (int)im[DEPTH];                                                         \
  uint row = im[ROW_PITCH];                                                           \
  uint slice = im[SLICE_PITCH];                                                       \
  uint base = im[DATA];                                                               \
  if (level != 0 && im[MIP_LEVELS] > 1) {                                             \
    uint at = (uint)clamp(level, 0, (int)im[MIP_LEVELS] - 1);                         \
    base += im[MIP_OFFSETS + at];                                                     \
    width = max(width >> at, 1);                                                      \
    height = max(height >> at, 1);                                                    \
    depth = max(depth >> at, 1);                                                      \
    row = at == 0 ? row : (uint)width * im[ELEMENT_SIZE];                             \
    slice = at == 0 ? slice : row * (uint)height;                                     \
  }

/** The index of an unnormalized coordinate for NONE, TO_EDGE and CLAMP; an index out of range is the border. */
static inline int bounded(uint mode, int i, int size) { return mode == TO_EDGE ? clamp(i, 0, size - 1) : i; }

/** A coordinate in texels, from one that may be normalized. */
static inline float scaled(uint sampler, float s, int size) {
  uint mode = sampler & ADDRESSING;
  float n = (float)size;
  if (mode == REPEAT) return (s - floor(s)) * n;
  if (mode == MIRROR) return fabs(s - 2.0f * rint(0.5f * s)) * n;
  return (sampler & NORMALIZED) ? s * n : s;
}

/** The index of the texel nearest to `u`, a coordinate in texels. */
static inline int nearest(uint mode, float u, int size) {
  int i = (int)floor(u);
  if (mode == REPEAT) return i > size - 1 ? i - size : i;
  if (mode == MIRROR) return min(i, size - 1);
  return bounded(mode, i, size);
}

/** The indices of the two texels around `u`. */
static inline int lower(uint mode, float u, int size) {
  int i = (int)floor(u - 0.5f);
  if (mode == REPEAT) return i < 0 ? i + size : i;
  if (mode == MIRROR) return max(i, 0);
  return bounded(mode, i, size);
}
static inline int upper(uint mode, float u, int size) {
  int i = (int)floor(u - 0.5f) + 1;
  if (mode == REPEAT) return i > size - 1 ? i - size : i;
  if (mode == MIRROR) return min(i, size - 1);
  return bounded(mode, i, size);
}
static inline float fraction(float u) {
  float v = u - 0.5f;
  return v - floor(v);
}

/** The array layer of a coordinate. */
static inline int layer_of(image im, float coordinate) {
  return clamp((int)rint(coordinate), 0, (int)im[ARRAY_SIZE] - 1);
}

/**
 * Whether an index along one of `axes` is in the image, not in the border. Has no branches, because a kernel may read hundreds
 * of texels.
 */
static inline bool within(uint mode, int i, int size) { return (mode == TO_EDGE) | ((uint)i < (uint)size); }

/** The texel at indices: `z` is that of a third axis, or of a layer, which is in range. */
#define TEXEL(T, x, y, z)                                                                             \
  texel_##T(im, base + (uint)(z) * slice + (uint)(y) * row + (uint)(x) * im[ELEMENT_SIZE],            \
            within(mode, x, width) & (axes < 2 || within(mode, y, height)) & (axes < 3 || within(mode, z, depth)))

/** The texel at integer coordinates. */
#define FETCH(NAME, VECTOR, T)                                                                        \
  static inline VECTOR NAME(image im, uint mode, int x, int y, int z, int axes, bool arrayed, int level) { \
    LEVEL(im, level)                                                                                  \
    depth = arrayed ? (int)im[ARRAY_SIZE] : depth;                                                    \
    int i = bounded(mode, x, width);                                                                  \
    int j = axes > 1 ? bounded(mode, y, height) : 0;                                                  \
    int k = arrayed ? clamp(z, 0, depth - 1) : axes > 2 ? bounded(mode, z, depth) : 0;                \
    return TEXEL(T, i, j, k);                                                                         \
  }
FETCH(fetch_f32, float4, f32)
FETCH(fetch_i32, int4, i32)

static inline int4 sample_nearest_i32(image im, uint sampler, float4 c, int axes, bool arrayed, int level) {
  LEVEL(im, level)
  uint mode = sampler & ADDRESSING;
  depth = arrayed ? (int)im[ARRAY_SIZE] : depth;
  int i = nearest(mode, scaled(sampler, c.x, width), width);
  int j = axes > 1 ? nearest(mode, scaled(sampler, c.y, height), height) : 0;
  int k = arrayed ? layer_of(im, axes > 1 ? c.z : c.y)
                  : axes > 2 ? nearest(mode, scaled(sampler, c.z, depth), depth) : 0;
  return TEXEL(i32, i, j, k);
}

/** The two indices along an axis and the weight of the second; both are the nearest texel for nearest filtering. */
#define AXIS(s, size, first, second, weight)                          \
  float first##_u = scaled(sampler, s, size);                         \
  int first = linear ? lower(mode, first##_u, size) : nearest(mode, first##_u, size); \
  int second = linear ? upper(mode, first##_u, size) : first;         \
  float weight = linear ? fraction(first##_u) : 0.0f;

/**
 * The weighted sum of the texels around a point. It is a loop, because the code for a texel is long and would be repeated eight
 * times.
 */
static inline float4 sample_level(image im, uint sampler, float4 c, int axes, bool arrayed, int level) {
  LEVEL(im, level)
  uint mode = sampler & ADDRESSING;
  bool linear = (sampler & LINEAR) != 0;
  depth = arrayed ? (int)im[ARRAY_SIZE] : depth;
  AXIS(c.x, width, i0, i1, a)
  AXIS(axes > 1 ? c.y : 0.5f, axes > 1 ? height : 1, j0, j1, b)
  AXIS(axes > 2 ? c.z : 0.5f, axes > 2 ? depth : 1, k0, k1, d)
  int layer = arrayed ? layer_of(im, axes > 1 ? c.z : c.y) : 0;
  float4 sum = (float4)(0.0f);
  int taps = linear ? 1 << axes : 1;
  for (int tap = 0; tap < taps; tap++) {
    int i = (tap & 1) ? i1 : i0;
    int j = axes > 1 ? ((tap & 2) ? j1 : j0) : 0;
    int k = axes > 2 ? ((tap & 4) ? k1 : k0) : layer;
    float weight = (tap & 1) ? a : 1.0f - a;
    if (axes > 1) weight *= (tap & 2) ? b : 1.0f - b;
    if (axes > 2) weight *= (tap & 4) ? d : 1.0f - d;
    float4 texel = TEXEL(f32, i, j, k);
    sum = linear ? sum + weight * texel : texel;
  }
  return sum;
}
/** Of two equally near levels it is the larger image, as in OpenGL. */
static inline float nearest_level(float lod) { return ceil(lod + 0.5f) - 1.0f; }
static inline float4 sample_f32(image im, uint sampler, float4 c, int axes, bool arrayed, float lod) {
  if (lod <= 0.0f) return sample_level(im, sampler, c, axes, arrayed, 0);
  float most = (float)im[MIP_LEVELS] - 1.0f;
  float level = fmin(fmax(lod, 0.0f), most);
  bool between = (sampler & MIP_LINEAR) != 0 && most > 0.0f;
  float below = between ? floor(level) : nearest_level(level);
  float weight = level - below;
  float4 sum = (float4)(0.0f);
  int levels = between ? 2 : 1;
  for (int l = 0; l < levels; l++) {
    float4 colour = sample_level(im, sampler, c, axes, arrayed, (int)below + l);
    sum = between ? sum + (l == 0 ? 1.0f - weight : weight) * colour : colour;
  }
  return sum;
}

static inline int rounded_level(float lod) { return (int)nearest_level(fmin(fmax(lod, 0.0f), (float)LAST_LEVEL)); }

/** A level of detail, clamped to the limits of a sampler. */
float __anycl_image_lod(uint sampler, float lod) {
  float least = (float)(sampler >> LEAST_LOD_SHIFT & LOD_MASK) / 256.0f;
  float most = (float)LAST_LEVEL - (float)(sampler >> MOST_LOD_SHIFT & LOD_MASK) / 256.0f;
  return fmin(fmax(lod, least), most);
}

/** The level of detail of gradients: the longer gradient is one texel of the level, as in OpenGL. */
static inline float gradient_lod(image im, float4 dx, float4 dy, int axes) {
  float4 size = (float4)((float)im[WIDTH], axes > 1 ? (float)im[HEIGHT] : 0.0f, axes > 2 ? (float)im[DEPTH] : 0.0f, 0.0f);
  float4 x = dx * size;
  float4 y = dy * size;
  return 0.5f * log2(fmax(dot(x, x), dot(y, y)));
}
float __anycl_image_gradient_lod_1d(image im, float4 dx, float4 dy) { return gradient_lod(im, dx, dy, 1); }
float __anycl_image_gradient_lod_2d(image im, float4 dx, float4 dy) { return gradient_lod(im, dx, dy, 2); }
float __anycl_image_gradient_lod_3d(image im, float4 dx, float4 dy) { return gradient_lod(im, dx, dy, 3); }

#define SAMPLE(DIM, AXES, ARRAYED)                                                                    \
  float4 __anycl_image_sample_##DIM##_f32_f(image im, uint sampler, float4 c, float lod) {            \
    return sample_f32(im, sampler, c, AXES, ARRAYED, lod);                                            \
  }                                                                                                   \
  int4 __anycl_image_sample_##DIM##_i32_f(image im, uint sampler, float4 c, float lod) {              \
    return sample_nearest_i32(im, sampler, c, AXES, ARRAYED, rounded_level(lod));                     \
  }                                                                                                   \
  float4 __anycl_image_sample_##DIM##_f32_i(image im, uint sampler, int4 c, float lod) {              \
    int z = ARRAYED && AXES == 1 ? c.y : c.z;                                                         \
    return fetch_f32(im, sampler & ADDRESSING, c.x, c.y, z, AXES, ARRAYED, rounded_level(lod));       \
  }                                                                                                   \
  int4 __anycl_image_sample_##DIM##_i32_i(image im, uint sampler, int4 c, float lod) {                \
    int z = ARRAYED && AXES == 1 ? c.y : c.z;                                                         \
    return fetch_i32(im, sampler & ADDRESSING, c.x, c.y, z, AXES, ARRAYED, rounded_level(lod));       \
  }

#define READ(DIM, AXES, ARRAYED)                                                                      \
  float4 __anycl_image_read_##DIM##_f32(image im, int4 c, int lod) {                                  \
    int z = ARRAYED && AXES == 1 ? c.y : c.z;                                                         \
    return fetch_f32(im, CLAMP, c.x, c.y, z, AXES, ARRAYED, lod);                                     \
  }                                                                                                   \
  int4 __anycl_image_read_##DIM##_i32(image im, int4 c, int lod) {                                    \
    int z = ARRAYED && AXES == 1 ? c.y : c.z;                                                         \
    return fetch_i32(im, CLAMP, c.x, c.y, z, AXES, ARRAYED, lod);                                     \
  }

#define WRITE_ONE(DIM, AXES, ARRAYED, VECTOR, T)                                                      \
  void __anycl_image_write_##DIM##_##T(image im, int4 c, int lod, VECTOR texel) {                     \
    LEVEL(im, lod)                                                                                    \
    depth = ARRAYED ? (int)im[ARRAY_SIZE] : depth;                                                    \
    int y = AXES > 1 ? c.y : 0;                                                                       \
    int z = ARRAYED ? (AXES == 1 ? c.y : c.z) : AXES > 2 ? c.z : 0;                                   \
    if ((uint)c.x < (uint)width && (uint)y < (uint)height && (uint)z < (uint)depth) {                 \
      write_##T(im, base + (uint)z * slice + (uint)y * row + (uint)c.x * im[ELEMENT_SIZE], texel);    \
    }                                                                                                 \
  }
#define WRITE(DIM, AXES, ARRAYED)               \
  WRITE_ONE(DIM, AXES, ARRAYED, float4, f32)    \
  WRITE_ONE(DIM, AXES, ARRAYED, int4, i32)

#define IMAGE(DIM, AXES, ARRAYED) SAMPLE(DIM, AXES, ARRAYED) READ(DIM, AXES, ARRAYED) WRITE(DIM, AXES, ARRAYED)

IMAGE(1d, 1, false)
IMAGE(2d, 2, false)
IMAGE(3d, 3, false)
IMAGE(1d_array, 1, true)
IMAGE(2d_array, 2, true)
READ(1d_buffer, 1, false)
WRITE(1d_buffer, 1, false)

/** Multisampled images: the samples of a texel are consecutive. */
#define READ_SAMPLE(DIM, ARRAYED, VECTOR, T)                                                          \
  VECTOR __anycl_image_read_##DIM##_##T(image im, int4 c, int sample) {                               \
    int width = (int)im[WIDTH];                                                                       \
    int height = (int)im[HEIGHT];                                                                     \
    int depth = ARRAYED ? (int)im[ARRAY_SIZE] : 1;                                                    \
    int z = ARRAYED ? clamp(c.z, 0, depth - 1) : 0;                                                   \
    uint size = im[ELEMENT_SIZE];                                                                     \
    uint at = (uint)c.x * im[SAMPLES] + (uint)clamp(sample, 0, (int)im[SAMPLES] - 1);                 \
    uint address = im[DATA] + (uint)z * im[SLICE_PITCH] + (uint)c.y * im[ROW_PITCH] + at * size;      \
    return texel_##T(im, address, (uint)c.x < (uint)width & (uint)c.y < (uint)height);                \
  }
READ_SAMPLE(2d_msaa, false, float4, f32)
READ_SAMPLE(2d_msaa, false, int4, i32)
READ_SAMPLE(2d_array_msaa, true, float4, f32)
READ_SAMPLE(2d_array_msaa, true, int4, i32)
