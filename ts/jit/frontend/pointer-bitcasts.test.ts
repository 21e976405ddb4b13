// SPDX-License-Identifier: MIT
//
// OpBitcast between pointers and integers that are narrower or wider: SPIR-V compares the widths of other types only.
import { runInterpreted } from '../../../tests/helpers/interpreted-kernel';
import { compile } from '../../compiler/compile';
import { Op } from '../../spirv/grammar.gen';
import { verify } from '../ir/verify';
import { Program } from './program';

const SOURCE = `kernel void k(global ulong *out, TYPE a) {
  out[0] = (ulong)((global uchar *)(ulong)a + 3);
}`;

test.each([
  ['spir64', 'uchar', 200n],
  ['spir64', 'uint', 4000n],
  ['spir64', 'ulong', 4000n],
  ['spir', 'ushort', 4000n],
  ['spir', 'ulong', (1n << 32n) + 4000n],
] as const)('%s: from %s', (target, type, value) => {
  const { module, log } = compile({ name: 'k.cl', text: SOURCE, options: `-DTYPE=${type}`, target });
  expect(log).toBe('');
  const { blocks, parameters } = module!.functions[0]!;
  const toPointer = blocks
    .flatMap(({ instructions }) => instructions)
    .find(({ op }) => op === Op.ConvertUToPtr)!;
  toPointer.op = Op.Bitcast;
  toPointer.operands = [parameters[1]!.result];
  const { func, signature, binary } = translate(module!);
  const bytes = new Uint8Array(new BigUint64Array([value]).buffer, 0, signature.arguments[1]!.size);
  const { buffers } = runInterpreted(func, signature, binary, {
    global: [1],
    args: [{ buffer: new BigUint64Array(1) }, { value: bytes }],
  });
  expect(new BigUint64Array(buffers[0]!.buffer)[0]).toBe((value & 0xffffffffn) + 3n);
});

test.each(['spir64', 'spir'] as const)('%s: from and to vectors of 32-bit integers', (target) => {
  const text = `kernel void k(global uint2 *out, uint4 a) {
    global uchar *p = (global uchar *)(ulong)a.x;
    out[0] = as_uint2((ulong)(p + 3));
  }`;
  const { module } = compile({ name: 'k.cl', text, options: '', target });
  module!.version = 0x10500;
  const { blocks, parameters } = module!.functions[0]!;
  const body = blocks.flatMap(({ instructions }) => instructions);
  const toPointer = body.find(({ op }) => op === Op.ConvertUToPtr)!;
  toPointer.op = Op.Bitcast;
  toPointer.operands = [parameters[1]!.result];
  const fromPointer = body.findLast(({ op }) => op === Op.Bitcast)!;
  fromPointer.operands = body.find(({ op }) => op === Op.ConvertPtrToU)!.operands.slice();
  const { func, signature, binary } = translate(module!);
  const { buffers } = runInterpreted(func, signature, binary, {
    global: [1],
    args: [
      { buffer: new Uint32Array(2).fill(1) },
      { value: new Uint8Array(Uint32Array.of(4000, 0, 7, 9).buffer) },
    ],
  });
  expect(Array.from(new Uint32Array(buffers[0]!.buffer))).toEqual([4003, 0]);
});

function translate(module: ConstructorParameters<typeof Program>[0]) {
  const program = new Program(module, { moduleOf: () => undefined });
  const { func, signature } = program.translate('k');
  verify(func, 'translation');
  return { func, signature, binary: program.binary };
}
