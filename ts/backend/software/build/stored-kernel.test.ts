// SPDX-License-Identifier: MIT
import { encodeWithHeader } from './header-and-bytes';
import { decodeProgram, encodeProgram } from './program-binary';
import { decodeKernel, encodeKernel, type Sealing, type StoredKernel } from './stored-kernel';

const WASM = Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0]);
/** One function of type [] -> [i32] with an empty body. */
const WITHOUT_RESULT = Uint8Array.from([
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 5, 1, 0x60, 0, 1, 0x7f],
  ...[3, 2, 1, 0],
  ...[10, 4, 1, 2, 0, 0x0b],
]);
const decode = (
  stored: Uint8Array,
  sealing: Sealing,
  isWasm = (code: Uint8Array) => WebAssembly.validate(code as Uint8Array<ArrayBuffer>),
) => decodeKernel(stored, sealing, isWasm);
const PITCH = { scale: 1, factor: 2, isGuarded: false } as const;
const SOLE = { argument: 1, elementBytes: 1, offset: 24 };
const KERNEL: StoredKernel = {
  facts: {
    soleWrites: [SOLE, { ...SOLE, pitch: PITCH }, { ...SOLE, pitch: { ...PITCH, factor: 'global size' } }],
    privatized: [{ argument: 0, rmw: 'add', elementBytes: 4, offset: 16 }],
    lanes: 4,
    rows: 1,
    localBytes: 0,
    preferredLocalSize: [64, 1, 1],
    costPerItem: 1.5,
    bounded: true,
  },
  scratch: { fixed: 0, perWorkItem: 8 },
  wasm: WASM,
};

const secretOf = (first: number) => () => Uint8Array.from({ length: 16 }, (_, i) => first + i);
const SEALING: Sealing = { key: ['kernel', 'k'], secret: secretOf(1) };
const UNBOUNDED = { ...KERNEL, facts: { ...KERNEL.facts, bounded: false } };

test('a kernel is read as it was written', () => {
  expect(decode(encodeKernel(KERNEL, SEALING), SEALING)).toEqual(KERNEL);
});

test('a kernel that ends is believed to only as its user stored it', () => {
  const own = encodeKernel(KERNEL, SEALING);
  expect(decode(own, { ...SEALING, secret: secretOf(2) })).toBeUndefined();
  expect(decode(own, { ...SEALING, key: ['kernel', 'another'] })).toBeUndefined();
  // Any byte of the code: this one is in the name of a custom section, and the module is valid as before.
  const named = { ...KERNEL, wasm: Uint8Array.from([...WASM, 0, 2, 1, 0x61]) };
  const stored = encodeKernel(named, SEALING);
  expect(decode(stored, SEALING)).toEqual(named);
  const at = stored.lastIndexOf(0x61);
  stored[at] = 0x62;
  expect(WebAssembly.validate(stored.subarray(stored.length - named.wasm.length))).toBe(true);
  expect(decode(stored, SEALING)).toBeUndefined();
  // A claim without a keyed hash.
  const claim = encodeKernel(UNBOUNDED, SEALING);
  const text = Buffer.from(claim).toString('latin1').replace('"bounded":false', '"bounded":true ');
  expect(decode(Buffer.from(text, 'latin1'), SEALING)).toBeUndefined();
});

test('without a secret, no kernel is known to end', () => {
  const unsealed = { ...SEALING, secret: () => undefined };
  expect(decode(encodeKernel(KERNEL, SEALING), unsealed)).toEqual(UNBOUNDED);
  expect(decode(encodeKernel(KERNEL, unsealed), unsealed)).toEqual(UNBOUNDED);
  expect(decode(encodeKernel(KERNEL, unsealed), SEALING)).toBeUndefined();
  expect(decode(encodeKernel(UNBOUNDED, unsealed), SEALING)).toEqual(UNBOUNDED);
});

const changed = (changes: object) => ({ ...KERNEL, facts: { ...KERNEL.facts, ...changes } });

test.each([
  ['lanes', changed({ lanes: -1 })],
  ['rows', changed({ rows: 0 })],
  ['localBytes', changed({ localBytes: 1.5 })],
  ['localBytes', changed({ localBytes: '8' })],
  ['preferredLocalSize', changed({ preferredLocalSize: [64, 1] })],
  ['costPerItem', changed({ costPerItem: null })],
  ['bounded', changed({ bounded: 'yes' })],
  ['privatized', changed({ privatized: [{ argument: 0, rmw: 'nand', elementBytes: 4, offset: 16 }] })],
  ['privatized', changed({ privatized: null })],
  ['soleWrites', changed({ soleWrites: [{ argument: 0, elementBytes: 1, offset: -16 }] })],
  ['soleWrites', changed({ soleWrites: [{ ...SOLE, pitch: { ...PITCH, factor: 'width' } }] })],
  ['soleWrites', changed({ soleWrites: [{ ...SOLE, pitch: { ...PITCH, isGuarded: undefined } }] })],
  ['soleWrites', changed({ soleWrites: {} })],
  ['facts', { ...KERNEL, facts: 'none' }],
  ['scratch', { ...KERNEL, scratch: { fixed: -5, perWorkItem: 'x' } }],
  ['sections that end early', { ...KERNEL, wasm: WASM.subarray(0, 12) }],
  ['a size without an end', { ...KERNEL, wasm: Uint8Array.from([...WASM, 3, 0xff, 0xff]) }],
  ['no WebAssembly', { ...KERNEL, wasm: WASM.slice().fill(1) }],
  ['a body that leaves no result', { ...KERNEL, wasm: WITHOUT_RESULT }],
])('a kernel is not taken with wrong %s', (_, kernel) => {
  const stored = encodeKernel(kernel as unknown as StoredKernel, SEALING);
  expect(decode(stored, SEALING)).toBeUndefined();
});

test('a program is not taken with facts of another shape', () => {
  const spirv = new Uint8Array([1, 2, 3, 4]);
  const program = { type: 1, options: '-w', log: '', spirv };
  expect(decodeProgram(encodeProgram(program))).toEqual(program);
  const magic = 'ANYCL\x00\x01\n';
  for (const facts of [
    null,
    3,
    [],
    {},
    { ...program, type: 3 },
    { ...program, log: 1 },
    { ...program, options: null },
  ])
    expect(decodeProgram(encodeWithHeader(magic, facts as object, spirv))).toBeUndefined();
});
