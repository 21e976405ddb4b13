// SPDX-License-Identifier: MIT
import { bufferContents } from './buffer-contents';
import type { TypedArray } from './typed-arrays';

const typeOf = (view: ArrayBufferView) =>
  bufferContents(view as TypedArray, undefined, 'clCreateBuffer').type;

test('the class of the elements', () => {
  expect(typeOf(new Float32Array(2))).toBe(Float32Array);
  expect(typeOf(new BigInt64Array(2))).toBe(BigInt64Array);
  expect(typeOf(Buffer.from('ab'))).toBe(Uint8Array);
  expect(typeOf(new DataView(new ArrayBuffer(4)))).toBe(Uint8Array);
});

test("a DataView is bytes where its class has an element's size, as Bun's", () => {
  const like = Object.defineProperty(DataView, 'BYTES_PER_ELEMENT', { value: 1, configurable: true });
  try {
    expect(typeOf(new DataView(new ArrayBuffer(4)))).toBe(Uint8Array);
  } finally {
    Reflect.deleteProperty(like, 'BYTES_PER_ELEMENT');
  }
});
