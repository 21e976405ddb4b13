// SPDX-License-Identifier: MIT
//
// Bytes as a string with a character for each, from U+0000 to U+00FF: what a kernel prints is bytes, of which not all are UTF-8.

/** More arguments of a call may overflow the stack. */
const AT_ONCE = 4096;

export function byteString(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += AT_ONCE)
    text += String.fromCharCode(...bytes.subarray(at, at + AT_ONCE));
  return text;
}

export function bytesOfString(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
