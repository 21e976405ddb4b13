// SPDX-License-Identifier: MIT

/** Whether all bytes are ASCII's printable characters and white space: sources are often given in place of modules. */
export const isText = (bytes: Uint8Array): boolean =>
  bytes.every((byte) => (byte >= 0x20 && byte < 0x7f) || (byte >= 0x09 && byte <= 0x0d));
