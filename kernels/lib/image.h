// SPDX-License-Identifier: MIT
//
// Texels: from memory to components and back. An image is the address of its descriptor (ts/base/kernel-abi.ts); what
// the descriptor says is the same for all work-items, so that the switches below do not diverge.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

typedef __global const uint *image;

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
  MIP_OFFSETS
};


static inline uint byte_at(uint address) { return *(__global const uchar *)address; }
static inline uint short_at(uint address) { return *(__global const ushort *)address; }
static inline uint word_at(uint address) { return *(__global const uint *)address; }

/** The channels of the texel at `address` as they are stored, not sign-extended; those that it does not have are 0. */
static inline uint4 load_channels(image im, uint address) {
  uint4 c = (uint4)(0);
  uint size = im[ELEMENT_SIZE];
  uint w;
  switch (im[CHANNEL_TYPE]) {
    case CLK_SNORM_INT8:
    case CLK_UNORM_INT8:
    case CLK_SIGNED_INT8:
    case CLK_UNSIGNED_INT8:
      if (size == 4) {
        w = word_at(address);
        c = (uint4)(w & 0xff, w >> 8 & 0xff, w >> 16 & 0xff, w >> 24);
      } else {
        c.x = byte_at(address);
        if (size > 1) c.y = byte_at(address + 1);
        if (size > 2) c.z = byte_at(address + 2);
      }
      break;
    case CLK_SNORM_INT16:
    case CLK_UNORM_INT16:
    case CLK_SIGNED_INT16:
    case CLK_UNSIGNED_INT16:
    case CLK_HALF_FLOAT:
      c.x = short_at(address);
      if (size > 2) c.y = short_at(address + 2);
      if (size > 4) c.z = short_at(address + 4);
      if (size > 6) c.w = short_at(address + 6);
      break;
    case CLK_UNORM_SHORT_565:
      w = short_at(address);
      c = (uint4)(w >> 11 & 31, w >> 5 & 63, w & 31, 0);
      break;
    case CLK_UNORM_SHORT_555:
      w = short_at(address);
      c = (uint4)(w >> 10 & 31, w >> 5 & 31, w & 31, 0);
      break;
    case CLK_UNORM_INT_101010:
      w = word_at(address);
      c = (uint4)(w >> 20 & 1023, w >> 10 & 1023, w & 1023, 0);
      break;
    case CLK_UNORM_INT_101010_2:
      w = word_at(address);
      c = (uint4)(w >> 22 & 1023, w >> 12 & 1023, w >> 2 & 1023, w & 3);
      break;
    default:
      c.x = word_at(address);
      if (size > 4) c.y = word_at(address + 4);
      if (size > 8) c.z = word_at(address + 8);
      if (size > 12) c.w = word_at(address + 12);
  }
  return c;
}

// A texel's third and fourth channel: where it has none, what is read is its first one.
#define CHANNEL(NAME, LOAD)                                        \
  static inline uint NAME(uint address, uint at, bool present) {   \
    uint c = LOAD(address + (present ? at : 0));                   \
    return present ? c : 0;                                        \
  }
CHANNEL(byte_or_0, byte_at)
CHANNEL(short_or_0, short_at)
CHANNEL(word_or_0, word_at)

/** Four channels of eight bits. */
static inline uint4 load_bytes(uint address) {
  uint w = word_at(address);
  return (uint4)(w & 0xff, w >> 8 & 0xff, w >> 16 & 0xff, w >> 24);
}
/** Up to four channels of 32 bits. */
static inline uint4 load_words(uint size, uint address) {
  uint4 c = (uint4)(word_at(address), 0, 0, 0);
  if (size > 4) {
    c.y = word_at(address + 4);
    c.z = word_or_0(address, 8, size > 8);
    c.w = word_or_0(address, 12, size > 12);
  }
  return c;
}
/** Those of an image of integers: a kernel may read hundreds of texels, so this has few branches. */
static inline uint4 load_integers(uint type, uint size, uint address) {
  if (type == CLK_SIGNED_INT8 || type == CLK_UNSIGNED_INT8) {
    if (size == 4) return load_bytes(address);
    uint4 c = (uint4)(byte_at(address), 0, 0, 0);
    if (size > 1) {
      c.y = byte_at(address + 1);
      c.z = byte_or_0(address, 2, size > 2);
    }
    return c;
  }
  if (type == CLK_SIGNED_INT16 || type == CLK_UNSIGNED_INT16) {
    uint4 c = (uint4)(short_at(address), 0, 0, 0);
    if (size > 2) {
      c.y = short_at(address + 2);
      c.z = short_or_0(address, 4, size > 4);
      c.w = short_or_0(address, 6, size > 6);
    }
    return c;
  }
  return load_words(size, address);
}

static inline float from_half(uint bits) { return (float)as_half((ushort)bits); }
// Eight bits want no more precision, and a short program.
static inline float srgb_to_linear(float x) {
  return x <= 0.04045f ? x / 12.92f : native_exp2(2.4f * native_log2((x + 0.055f) / 1.055f));
}
static inline float linear_to_srgb(float x) {
  x = x > 0.0f ? fmin(x, 1.0f) : 0.0f;
  return x < 0.0031308f ? 12.92f * x : 1.055f * native_exp2(native_log2(x) / 2.4f) - 0.055f;
}
static inline bool is_srgb(uint order) { return order >= CLK_sRGB && order <= CLK_sBGRA; }

/** Channels as components r, g, b, a. `one` is what a missing alpha is. */
#define ORDERED(T, c, order, zero, one)                                                   \
  switch (order) {                                                                        \
    case CLK_A: return (T)(zero, zero, zero, c.x);                                        \
    case CLK_RA: return (T)(c.x, zero, zero, c.y);                                        \
    case CLK_BGRA:                                                                        \
    case CLK_sBGRA: return (T)(c.z, c.y, c.x, c.w);                                       \
    case CLK_ARGB: return (T)(c.y, c.z, c.w, c.x);                                        \
    case CLK_ABGR: return (T)(c.w, c.z, c.y, c.x);                                        \
    case CLK_INTENSITY: return (T)(c.x, c.x, c.x, c.x);                                   \
    case CLK_LUMINANCE: return (T)(c.x, c.x, c.x, one);                                   \
    case CLK_RGBA:                                                                        \
    case CLK_sRGBA: return c;                                                             \
    case CLK_RG:                                                                          \
    case CLK_RGx: return (T)(c.x, c.y, zero, one);                                        \
    case CLK_RGB:                                                                         \
    case CLK_RGBx:                                                                        \
    case CLK_sRGB:                                                                        \
    case CLK_sRGBx: return (T)(c.x, c.y, c.z, one);                                       \
    default: return (T)(c.x, zero, zero, one);                                            \
  }

static inline float4 ordered_float(float4 c, uint order, float one) { ORDERED(float4, c, order, 0.0f, one) }
/** The same with few branches: what it compares is compared once for all reads of a kernel. */
static inline int4 ordered_int(int4 c, uint order, int one) {
  if (order == CLK_RGBA) return c;
  bool a = order == CLK_A, ra = order == CLK_RA, argb = order == CLK_ARGB, abgr = order == CLK_ABGR;
  bool bgra = order == CLK_BGRA || order == CLK_sBGRA, rgba = order == CLK_sRGBA;
  bool intensity = order == CLK_INTENSITY, grey = intensity || order == CLK_LUMINANCE;
  bool rgb = order == CLK_RGB || order == CLK_RGBx || order == CLK_sRGB || order == CLK_sRGBx;
  bool rg = order == CLK_RG || order == CLK_RGx;
  return (int4)(bgra ? c.z : argb ? c.y : abgr ? c.w : a ? 0 : c.x,
                bgra || rgba || rgb || rg ? c.y : argb || abgr ? c.z : grey ? c.x : 0,
                bgra || grey ? c.x : argb ? c.w : abgr ? c.y : rgba || rgb ? c.z : 0,
                a || argb || abgr || intensity ? c.x : ra ? c.y : bgra || rgba ? c.w : one);
}

static inline float4 sign_extended(uint4 c, int bits) {
  int4 s = as_int4(c << (uint4)(32 - bits)) >> (int4)(32 - bits);
  return (float4)((float)s.x, (float)s.y, (float)s.z, (float)s.w);
}
static inline float4 plain_float(uint4 c) { return (float4)((float)c.x, (float)c.y, (float)c.z, (float)c.w); }

static inline float4 decode_channels(uint type, uint4 c) {
  switch (type) {
    case CLK_UNORM_INT8: return plain_float(c) / 255.0f;
    case CLK_UNORM_INT16: return plain_float(c) / 65535.0f;
    case CLK_SNORM_INT8: return fmax(sign_extended(c, 8) / 127.0f, (float4)(-1.0f));
    case CLK_SNORM_INT16: return fmax(sign_extended(c, 16) / 32767.0f, (float4)(-1.0f));
    case CLK_UNORM_SHORT_565: return plain_float(c) / (float4)(31.0f, 63.0f, 31.0f, 1.0f);
    case CLK_UNORM_SHORT_555: return plain_float(c) / 31.0f;
    case CLK_UNORM_INT_101010: return plain_float(c) / 1023.0f;
    case CLK_UNORM_INT_101010_2: return plain_float(c) / (float4)(1023.0f, 1023.0f, 1023.0f, 3.0f);
    case CLK_HALF_FLOAT: return (float4)(from_half(c.x), from_half(c.y), from_half(c.z), from_half(c.w));
    default: return as_float4(c);
  }
}

/** What a missing alpha is: 1; but 0 outside of images of the orders with an x. */
static inline int missing_alpha(uint order, bool inside) {
  bool padded = order == CLK_Rx || order == CLK_RGx || order == CLK_RGBx || order == CLK_sRGBx;
  return padded && !inside ? 0 : 1;
}

/** The texel at `address`, or the border colour. */
static inline float4 texel_f32(image im, uint address, bool inside) {
  uint order = im[CHANNEL_ORDER];
  uint4 c = load_channels(im, inside ? address : im[DATA]);
  c = inside ? c : (uint4)(0);
  float4 f = decode_channels(im[CHANNEL_TYPE], c);
  if (is_srgb(order)) f = (float4)(srgb_to_linear(f.x), srgb_to_linear(f.y), srgb_to_linear(f.z), f.w);
  return ordered_float(f, order, (float)missing_alpha(order, inside));
}
/** Of an image of integers: what others give is undefined. */
static inline int4 texel_i32(image im, uint address, bool inside) {
  uint order = im[CHANNEL_ORDER];
  uint type = im[CHANNEL_TYPE];
  uint4 c = load_integers(type, im[ELEMENT_SIZE], inside ? address : im[DATA]);
  int4 v = inside ? as_int4(c) : (int4)(0);
  int unused = type == CLK_SIGNED_INT8 ? 24 : type == CLK_SIGNED_INT16 ? 16 : 0;
  return ordered_int(v << (int4)(unused) >> (int4)(unused), order, missing_alpha(order, inside));
}

// ---- writing

/** Components as channels. */
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
