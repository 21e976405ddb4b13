// SPDX-License-Identifier: MIT
//
// SipHash-2-4 with results of 128 bits (Aumasson and Bernstein, 2012): a hash that cannot be computed without the key. It runs once or
// twice in most processes, on some kilobytes, so what counts is the first run: node:crypto and a module of WebAssembly each take longer
// to load than this takes to run.

/** 128 bits in hexadecimal digits. `key`: 16 bytes. */
export function siphash(key: Uint8Array, message: Uint8Array): string {
  // The last of the message's words ends with its length.
  const words = (message.length >> 3) + 1;
  const bytes = new Uint8Array(words * 8);
  bytes.set(message);
  bytes[bytes.length - 1] = message.length;
  // As all engines of WebAssembly, little-endian.
  const input = new Int32Array(bytes.buffer);
  const secret = new DataView(key.buffer, key.byteOffset, 16);
  const result = new Uint32Array(4);
  // The state: four words of 64 bits, each in a low and a high half.
  let l0 = secret.getInt32(0, true) ^ 0x70736575;
  let h0 = secret.getInt32(4, true) ^ 0x736f6d65;
  let l1 = secret.getInt32(8, true) ^ 0x6e646f6d ^ 0xee;
  let h1 = secret.getInt32(12, true) ^ 0x646f7261;
  let l2 = secret.getInt32(0, true) ^ 0x6e657261;
  let h2 = secret.getInt32(4, true) ^ 0x6c796765;
  let l3 = secret.getInt32(8, true) ^ 0x79746573;
  let h3 = secret.getInt32(12, true) ^ 0x74656462;
  // A step takes a word; the last two steps end the halves of the result.
  for (let step = 0; step < words + 2; step++) {
    const isWord = step < words;
    const low = isWord ? input[2 * step]! : 0;
    const high = isWord ? input[2 * step + 1]! : 0;
    if (step === words) l2 ^= 0xee;
    if (step === words + 1) l1 ^= 0xdd;
    l3 ^= low;
    h3 ^= high;
    for (let round = isWord ? 2 : 4; round > 0; round--) {
      // v0 += v1; v1 = rotate(v1, 13) ^ v0; v0 = rotate(v0, 32)
      let sum = (l0 >>> 0) + (l1 >>> 0);
      let top = (h0 + h1 + (sum > 0xffffffff ? 1 : 0)) | 0;
      let kept = l1;
      l1 = ((l1 << 13) | (h1 >>> 19)) ^ sum;
      h1 = ((h1 << 13) | (kept >>> 19)) ^ top;
      l0 = top;
      h0 = sum | 0;
      // v2 += v3; v3 = rotate(v3, 16) ^ v2
      sum = (l2 >>> 0) + (l3 >>> 0);
      h2 = (h2 + h3 + (sum > 0xffffffff ? 1 : 0)) | 0;
      l2 = sum | 0;
      kept = l3;
      l3 = ((l3 << 16) | (h3 >>> 16)) ^ l2;
      h3 = ((h3 << 16) | (kept >>> 16)) ^ h2;
      // v0 += v3; v3 = rotate(v3, 21) ^ v0
      sum = (l0 >>> 0) + (l3 >>> 0);
      h0 = (h0 + h3 + (sum > 0xffffffff ? 1 : 0)) | 0;
      l0 = sum | 0;
      kept = l3;
      l3 = ((l3 << 21) | (h3 >>> 11)) ^ l0;
      h3 = ((h3 << 21) | (kept >>> 11)) ^ h0;
      // v2 += v1; v1 = rotate(v1, 17) ^ v2; v2 = rotate(v2, 32)
      sum = (l2 >>> 0) + (l1 >>> 0);
      top = (h2 + h1 + (sum > 0xffffffff ? 1 : 0)) | 0;
      kept = l1;
      l1 = ((l1 << 17) | (h1 >>> 15)) ^ sum;
      h1 = ((h1 << 17) | (kept >>> 15)) ^ top;
      l2 = top;
      h2 = sum | 0;
    }
    l0 ^= low;
    h0 ^= high;
    if (!isWord) {
      const half = 2 * (step - words);
      result[half] = l0 ^ l1 ^ l2 ^ l3;
      result[half + 1] = h0 ^ h1 ^ h2 ^ h3;
    }
  }
  const digits = new Uint8Array(16);
  const out = new DataView(digits.buffer);
  result.forEach((word, i) => {
    out.setUint32(4 * i, word, true);
  });
  return Array.from(digits, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
