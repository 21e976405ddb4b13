// SPDX-License-Identifier: MIT
import '../..';
import { type StructArray, type StructView, struct } from './struct';

interface Inner extends StructView {
  x: number;
}
interface Body extends StructView {
  tag: number;
  big: bigint;
  half: number;
  at: Float32Array;
  inner: Inner;
  both: StructArray<Inner>;
}
const Inner = struct<Inner>('Inner', 4, { x: ['short', 2] });
const Body = struct<Body>('Body', 48, {
  tag: ['uchar', 0],
  half: ['half', 2],
  inner: [Inner, 4],
  big: ['ulong', 8],
  at: ['float', 16, 4],
  both: [Inner, 32, 2],
});

test('members are read and written at their offsets', () => {
  const body = new Body();
  body.tag = 200;
  body.half = 0.5;
  body.big = 2n ** 63n;
  (body as { at: ArrayLike<number> }).at = [1, 2, 3, 4];
  body.at[1] = -2;
  body.inner.x = -7;
  body.both.at(1).x = 9;
  const view = new DataView(body.buffer);
  expect(body.byteLength).toBe(48);
  expect([view.getUint8(0), view.getUint16(2, true), view.getBigUint64(8, true)]).toEqual([
    200,
    0x3800,
    2n ** 63n,
  ]);
  expect([20, 24].map((at) => view.getFloat32(at, true))).toEqual([-2, 3]);
  expect([6, 38].map((at) => view.getInt16(at, true))).toEqual([-7, 9]);
  expect([body.tag, body.half, body.big, [...body.at], body.inner.x]).toEqual([
    200,
    0.5,
    2n ** 63n,
    [1, -2, 3, 4],
    -7,
  ]);
});

test('a struct is assigned as a whole', () => {
  const [a, b] = [new Body(), new Body()];
  a.inner.x = 3;
  a.both.at(0).x = 4;
  b.inner = a.inner;
  b.both = a.both;
  expect([b.inner.x, b.both.at(0).x]).toEqual([3, 4]);
  expect(() => {
    (b as { inner: ArrayBufferView }).inner = new Uint8Array(3);
  }).toThrow('Body.inner: it takes 4 bytes, not 3');
});

test('arrays are views of their bytes', () => {
  const bodies = Body.array(3);
  bodies.at(2).tag = 5;
  expect(bodies.bytes[96]).toBe(5);
  expect([...Body.array(bodies.bytes)].map(({ tag }) => tag)).toEqual([0, 0, 5]);
  expect(() => bodies.at(3)).toThrow('there are 3 structs Body; there is no 3');
  expect(() => Body.array(new Uint8Array(50))).toThrow('50 bytes are not a whole number of structs of 48');
});

test('wrong layouts and lists are refused', () => {
  expect(() => struct('S', 4, { x: ['double', 0] })).toThrow('S.x: it ends at byte 8, and the struct at 4');
  expect(() => struct('S', 4, { x: ['real' as never, 0] })).toThrow(
    "S.x: 'real' is not a scalar type of OpenCL C",
  );
  expect(() => struct('S', 8, { x: ['float2' as never, 0] })).toThrow(
    "S.x: 'float2' is not a scalar type of OpenCL C: a vector is ['float', 0, 2]",
  );
  expect(() => struct('S', 8, { x: { type: 'float', offset: 0 } as never })).toThrow(
    'S.x: a member is [type, offset] or [type, offset, count], not an Object',
  );
  expect(() => struct('S', 8, { x: ['float'] as never })).toThrow(
    'S.x: its offset is a whole number of bytes, not undefined',
  );
  expect(() => struct('S', 8, { x: ['float', 0, 0.5] })).toThrow(
    'S.x: its count is a whole number from 1, not number 0.5',
  );
  expect(() => {
    (new Body() as { at: ArrayLike<number> }).at = [1, 2];
  }).toThrow('Body.at: it takes 4 values, not 2');
});
