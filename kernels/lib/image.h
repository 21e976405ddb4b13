// SPDX-License-Identifier: MIT
//
// Texels: from memory to components and back. An image is the address of its descriptor (ts/base/kernel-abi.ts); what
// the descriptor says is the same for all work-items, so that the switches below do not diverge. A kernel may read hundreds
// of texels: what a read asks of the format was worked out when the image was made (ts/device/images/texel-layout.ts).
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

typedef __constant const uint *image;

// Words of the descriptor.
enum {
  DATA,
  WIDTH,
  HEIGHT,
  DEPTH,
  ROW_PITCH,
  SLICE_PITCH,
  CHANNEL_ORDER,
  CHANNEL_TYPE,
  ELEMENT_SIZE,
  ARRAY_SIZE,
  MIP_LEVELS,
  SAMPLES,
  MIP_OFFSETS,
  // A word for each of the components r, g, b, a.
  OFFSETS = MIP_OFFSETS + 16,
  SHIFTS = OFFSETS + 4,
  MASKS = SHIFTS + 4,
  SIGNS = MASKS + 4,
  BIASES = SIGNS + 4,
  SCALES = BIASES + 4,
  BORDER_ALPHA_BIAS = SCALES + 4,
  DECODING
};

// The values of DECODING: how a component becomes a float.
enum { NORMALIZED_NUMBER, SRGB_NUMBER, HALF_NUMBER, FLOAT_NUMBER };

static inline uint word_at(uint address) { return *(__global const uint *)address; }
static inline uint4 four_words(image im, uint at) { return (uint4)(im[at], im[at + 1], im[at + 2], im[at + 3]); }

/**
 * The stored components of the texel at `address`, sign-extended; outside of the image those of the border. Their words may
 * end after the texel: memory follows every image.
 */
static inline uint4 load_components(image im, uint address, bool inside) {
  uint4 at = (uint4)(inside ? address : im[DATA]) + four_words(im, OFFSETS);
  uint4 w = (uint4)(inside ? word_at(at.x) : 0);
  if (im[ELEMENT_SIZE] > 4) {
    w.y = inside ? word_at(at.y) : 0;
    w.z = inside ? word_at(at.z) : 0;
    w.w = inside ? word_at(at.w) : 0;
  }
  uint4 bias = four_words(im, BIASES);
  if (!inside) bias.w = im[BORDER_ALPHA_BIAS];
  return ((w >> four_words(im, SHIFTS) & four_words(im, MASKS)) ^ four_words(im, SIGNS)) - bias;
}

static inline float from_half(uint bits) { return (float)as_half((ushort)bits); }
// Eight bits need no more precision, and the code is short.
static inline float srgb_to_linear(float x) {
  return x <= 0.04045f ? x / 12.92f : native_exp2(2.4f * native_log2((x + 0.055f) / 1.055f));
}
static inline float linear_to_srgb(float x) {
  x = x > 0.0f ? fmin(x, 1.0f) : 0.0f;
  return x < 0.0031308f ? 12.92f * x : 1.055f * native_exp2(native_log2(x) / 2.4f) - 0.055f;
}

/** The texel at `address`, or the border colour. */
static inline float4 texel_f32(image im, uint address, bool inside) {
  uint4 c = load_components(im, address, inside);
  uint decoding = im[DECODING];
  if (decoding == FLOAT_NUMBER) return as_float4(c);
  if (decoding == HALF_NUMBER) return (float4)(from_half(c.x), from_half(c.y), from_half(c.z), from_half(c.w));
  int4 v = as_int4(c);
  float4 f = (float4)((float)v.x, (float)v.y, (float)v.z, (float)v.w) / as_float4(four_words(im, SCALES));
  if (decoding == SRGB_NUMBER) return (float4)(srgb_to_linear(f.x), srgb_to_linear(f.y), srgb_to_linear(f.z), f.w);
  // The least signed number is a little less than -1.
  return fmax(f, (float4)(-1.0f));
}
/** For an image of integers; the result for others is undefined. */
static inline int4 texel_i32(image im, uint address, bool inside) { return as_int4(load_components(im, address, inside)); }

// ---- writing

/** Converts components to channels. */
#define CHANNELS(T, v, order)                              \
  switch (order) {                                         \
    case CLK_A: return (T)(v.w);                           \
    case CLK_RA: return v.xwww;                            \
    case CLK_BGRA:                                         \
    case CLK_sBGRA: return v.zyxw;                         \
    case CLK_ARGB: return v.wxyz;                          \
    case CLK_ABGR: return v.wzyx;                          \
    default: return v;                                     \
  }
static inline float4 channels_float(float4 v, uint order) { CHANNELS(float4, v, order) }
static inline int4 channels_int(int4 v, uint order) { CHANNELS(int4, v, order) }

/** To the nearest integer in [least, most]; NaN becomes 0. */
static inline uint quantized(float x, float scale, float least) {
  float y = rint(fmin(fmax(x * scale, least), scale));
  return x != x ? 0u : (uint)(int)y;
}
static inline uint to_half(float x) { return as_ushort((half)x); }

static inline void store_channels(image im, uint address, uint4 c) {
  uint size = im[ELEMENT_SIZE];
  switch (im[CHANNEL_TYPE]) {
    case CLK_SNORM_INT8:
    case CLK_UNORM_INT8:
    case CLK_SIGNED_INT8:
    case CLK_UNSIGNED_INT8:
      if (size == 4) {
        *(__global uint *)address = (c.x & 0xff) | (c.y & 0xff) << 8 | (c.z & 0xff) << 16 | c.w << 24;
      } else {
        *(__global uchar *)address = (uchar)c.x;
        if (size > 1) *(__global uchar *)(address + 1) = (uchar)c.y;
        if (size > 2) *(__global uchar *)(address + 2) = (uchar)c.z;
      }
      break;
    case CLK_SNORM_INT16:
    case CLK_UNORM_INT16:
    case CLK_SIGNED_INT16:
    case CLK_UNSIGNED_INT16:
    case CLK_HALF_FLOAT:
      *(__global ushort *)address = (ushort)c.x;
      if (size > 2) *(__global ushort *)(address + 2) = (ushort)c.y;
      if (size > 4) *(__global ushort *)(address + 4) = (ushort)c.z;
      if (size > 6) *(__global ushort *)(address + 6) = (ushort)c.w;
      break;
    case CLK_UNORM_SHORT_565: *(__global ushort *)address = (ushort)(c.x << 11 | c.y << 5 | c.z); break;
    case CLK_UNORM_SHORT_555: *(__global ushort *)address = (ushort)(c.x << 10 | c.y << 5 | c.z); break;
    case CLK_UNORM_INT_101010: *(__global uint *)address = c.x << 20 | c.y << 10 | c.z; break;
    case CLK_UNORM_INT_101010_2: *(__global uint *)address = c.x << 22 | c.y << 12 | c.z << 2 | c.w; break;
    default:
      *(__global uint *)address = c.x;
      if (size > 4) *(__global uint *)(address + 4) = c.y;
      if (size > 8) *(__global uint *)(address + 8) = c.z;
      if (size > 12) *(__global uint *)(address + 12) = c.w;
  }
}

#define EACH(v, s, l) (uint4)(quantized(v.x, s, l), quantized(v.y, s, l), quantized(v.z, s, l), quantized(v.w, s, l))

static inline uint4 encode_float(uint type, float4 v) {
  switch (type) {
    case CLK_UNORM_INT8: return EACH(v, 255.0f, 0.0f);
    case CLK_UNORM_INT16: return EACH(v, 65535.0f, 0.0f);
    case CLK_SNORM_INT8: return EACH(v, 127.0f, -128.0f);
    case CLK_SNORM_INT16: return EACH(v, 32767.0f, -32768.0f);
    case CLK_UNORM_SHORT_565:
      return (uint4)(quantized(v.x, 31.0f, 0.0f), quantized(v.y, 63.0f, 0.0f), quantized(v.z, 31.0f, 0.0f), 0);
    case CLK_UNORM_SHORT_555: return EACH(v, 31.0f, 0.0f);
    case CLK_UNORM_INT_101010: return EACH(v, 1023.0f, 0.0f);
    case CLK_UNORM_INT_101010_2:
      return (uint4)(quantized(v.x, 1023.0f, 0.0f), quantized(v.y, 1023.0f, 0.0f), quantized(v.z, 1023.0f, 0.0f), quantized(v.w, 3.0f, 0.0f));
    case CLK_HALF_FLOAT: return (uint4)(to_half(v.x), to_half(v.y), to_half(v.z), to_half(v.w));
    default: return as_uint4(v);
  }
}

static inline bool is_srgb(uint order) { return order >= CLK_sRGB && order <= CLK_sBGRA; }

static inline void write_f32(image im, uint address, float4 v) {
  uint order = im[CHANNEL_ORDER];
  if (is_srgb(order)) v = (float4)(linear_to_srgb(v.x), linear_to_srgb(v.y), linear_to_srgb(v.z), v.w);
  store_channels(im, address, encode_float(im[CHANNEL_TYPE], channels_float(v, order)));
}
static inline void write_i32(image im, uint address, int4 v) {
  int4 c = channels_int(v, im[CHANNEL_ORDER]);
  uint4 u = as_uint4(c);
  switch (im[CHANNEL_TYPE]) {
    case CLK_SIGNED_INT8: u = as_uint4(clamp(c, (int4)(-128), (int4)(127))); break;
    case CLK_SIGNED_INT16: u = as_uint4(clamp(c, (int4)(-32768), (int4)(32767))); break;
    case CLK_UNSIGNED_INT8: u = min(u, (uint4)(255)); break;
    case CLK_UNSIGNED_INT16: u = min(u, (uint4)(65535)); break;
    default: break;
  }
  store_channels(im, address, u);
}
