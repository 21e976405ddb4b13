// SPDX-License-Identifier: MIT
import { encodeWithHeader } from './header-and-bytes';
import { decodeProgram, encodeProgram } from './program-binary';
import { decodeKernel, encodeKernel, type StoredKernel } from './stored-kernel';

const WASM = Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0]);
/** One function of type [] -> [i32] with an empty body. */
const WITHOUT_RESULT = Uint8Array.from([
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 5, 1, 0x60, 0, 1, 0x7f],
  ...[3, 2, 1, 0],
  ...[10, 4, 1, 2, 0, 0x0b],
]);
const KERNEL: StoredKernel = {
  facts: {
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

test('a kernel is read as it was written', () => {
  expect(decodeKernel(encodeKernel(KERNEL))).toEqual(KERNEL);
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
  ['facts', { ...KERNEL, facts: null }],
  ['scratch', { ...KERNEL, scratch: { fixed: -5, perWorkItem: 'x' } }],
  ['sections that end early', { ...KERNEL, wasm: WASM.subarray(0, 12) }],
  ['a size without an end', { ...KERNEL, wasm: Uint8Array.from([...WASM, 3, 0xff, 0xff]) }],
  ['no WebAssembly', { ...KERNEL, wasm: WASM.slice().fill(1) }],
  ['a body that leaves no result', { ...KERNEL, wasm: WITHOUT_RESULT }],
])('a kernel is not taken with wrong %s', (_, kernel) => {
  expect(decodeKernel(encodeKernel(kernel as unknown as StoredKernel))).toBeUndefined();
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
