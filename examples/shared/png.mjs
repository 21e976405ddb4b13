// SPDX-License-Identifier: MIT
//
// PNG files of 8-bit RGBA, so that the examples need nothing but anycl. Programs take pngjs, sharp or the like.
import { deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const RGB = 2;
const RGBA = 6;

const crcTable = Int32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

function crc32(bytes) {
  let crc = -1;
  for (const byte of bytes) crc = crcTable[(crc ^ byte) & 0xff] ^ (crc >>> 8);
  return ~crc >>> 0;
}

function chunk(type, data) {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, 'latin1');
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}

/** @param pixels red, green, blue and alpha of each, row after row */
export function encodePng(width, height, pixels) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, RGBA], 8);
  // Each row begins with its filter, which stores the difference of each byte to the pixel on the left.
  const rows = Buffer.alloc((width * 4 + 1) * height);
  for (let y = 0; y < height; y++) {
    const row = rows.subarray(y * (width * 4 + 1));
    row[0] = 1;
    for (let i = 0; i < width * 4; i++) {
      const at = y * width * 4 + i;
      row[i + 1] = pixels[at] - (i >= 4 ? pixels[at - 4] : 0);
    }
  }
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', []),
  ]);
}

/** The pixels, as RGBA, of a file of 8-bit RGB or RGBA without interlacing; throws for others. */
export function decodePng(file) {
  const data = [];
  let [width, height, channels] = [0, 0, 4];
  for (let at = SIGNATURE.length; at < file.length; ) {
    const length = file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    const body = file.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') {
      [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
      if (body[8] !== 8 || (body[9] !== RGB && body[9] !== RGBA) || body[12] !== 0)
        throw new Error('only PNG files of 8-bit RGB or RGBA without interlacing can be read here');
      channels = body[9] === RGB ? 3 : 4;
    } else if (type === 'IDAT') data.push(body);
    at += length + 12;
  }
  const pixels = unfilter(inflateSync(Buffer.concat(data)), width * channels, height, channels);
  return { width, height, data: channels === 4 ? pixels : withAlpha(pixels, width * height) };
}

function withAlpha(rgb, count) {
  const pixels = new Uint8Array(count * 4).fill(255);
  for (let i = 0; i < count; i++) pixels.set(rgb.subarray(i * 3, i * 3 + 3), i * 4);
  return pixels;
}

function unfilter(rows, stride, height, channels) {
  const pixels = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = rows[y * (stride + 1)];
    for (let i = 0; i < stride; i++) {
      const at = y * stride + i;
      const left = i >= channels ? pixels[at - channels] : 0;
      const above = y > 0 ? pixels[at - stride] : 0;
      const corner = i >= channels && y > 0 ? pixels[at - stride - channels] : 0;
      pixels[at] = rows[y * (stride + 1) + 1 + i] + prediction(filter, left, above, corner);
    }
  }
  return pixels;
}

function prediction(filter, left, above, corner) {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  const [a, b, c] = [left, above, corner].map((value) => Math.abs(left + above - corner - value));
  if (a <= b && a <= c) return left;
  return b <= c ? above : corner;
}
