// SPDX-License-Identifier: MIT
import { decode } from './decode';
import { AddressingModel, Capability, Op } from './grammar.gen';
import { stringWords } from './literal-string';
import { SpirvError } from './spirv-error';

const HEADER = [0x07230203, 0x00010200, 0, 20, 0];
const instruction = (op: Op, ...operands: number[]) => [((operands.length + 1) << 16) | op, ...operands];
const MEMORY_MODEL = instruction(Op.MemoryModel, 1, 2);

/** void f() {} as a kernel, with names and lines. */
const SMALL = [
  ...HEADER,
  ...instruction(Op.Capability, Capability.Addresses),
  ...instruction(Op.Capability, Capability.Kernel),
  ...instruction(Op.ExtInstImport, 1, ...stringWords('OpenCL.std')),
  ...MEMORY_MODEL,
  ...instruction(Op.EntryPoint, 6, 4, ...stringWords('kérnel'), 9),
  ...instruction(Op.ExecutionMode, 4, 17, 8, 8, 1),
  ...instruction(Op.String, 7, ...stringWords('a.cl')),
  ...instruction(Op.Name, 4, ...stringWords('f')),
  ...instruction(Op.TypeVoid, 2),
  ...instruction(Op.TypeFunction, 3, 2),
  ...instruction(Op.TypeInt, 8, 32, 0),
  ...instruction(Op.Function, 2, 4, 0, 3),
  ...instruction(Op.Label, 5),
  ...instruction(Op.Line, 7, 3, 14),
  ...instruction(Op.Return),
  ...instruction(Op.FunctionEnd),
];

function bytes(words: number[], little = true): Uint8Array {
  const view = new DataView(new ArrayBuffer(words.length * 4));
  for (let i = 0; i < words.length; i++) view.setUint32(i * 4, words[i]!, little);
  return new Uint8Array(view.buffer);
}

function rule(words: number[]): string {
  try {
    decode(bytes(words));
  } catch (error) {
    if (error instanceof SpirvError) return error.message;
    throw error;
  }
  return 'accepted';
}

test('the file of a line is a string, also where no instruction follows', () => {
  const at = SMALL.length - 1;
  const line = (file: number) => [
    ...SMALL.slice(0, at),
    ...instruction(Op.Line, file, 1, 1),
    ...SMALL.slice(at),
  ];
  expect(rule(line(7))).toBe('accepted');
  for (const file of [2, 6]) expect(rule(line(file))).toContain(`OpLine: its file, %${file}, is an OpString`);
});

test('sections, entry points and blocks arrive where they belong', () => {
  const module = decode(bytes(SMALL));
  expect([...module.capabilities]).toEqual([Capability.Addresses, Capability.Kernel]);
  expect(module.addressing).toBe(AddressingModel.Physical32);
  expect(module.entryPoints).toEqual([{ model: 6, function: 4, name: 'kérnel', interface: [9] }]);
  expect(module.executionModes).toEqual([{ function: 4, mode: 17, operands: [8, 8, 1], ids: false }]);
  expect(module.extInstImports.get('OpenCL.std')).toBe(1);
  expect(module.functions).toHaveLength(1);
  const block = module.functions[0]!.blocks[0]!;
  expect(block.label).toBe(5);
  expect(block.instructions).toEqual([
    { op: Op.Return, type: 0, result: 0, operands: [], line: { file: 7, line: 3, column: 14 } },
  ]);
});

test('big endian gives the same module', () => {
  expect(decode(bytes(SMALL, false))).toEqual(decode(bytes(SMALL)));
});

test('a broken binary is refused with the rule and the place', () => {
  expect(rule([])).toMatch('at least 20 bytes');
  expect(rule([1, 2, 3, 4, 5])).toMatch('magic number');
  expect(rule(HEADER)).toMatch('exactly one OpMemoryModel (at word 5)');
  expect(rule([...HEADER, 17])).toMatch('at least one word (at word 5)');
  expect(rule([...HEADER, (9 << 16) | Op.Capability, 1])).toMatch('the module ends before');
  expect(rule([...HEADER, ...instruction(65000 as Op, 1)])).toMatch('65000 is not an opcode');
  expect(rule([...HEADER, ...MEMORY_MODEL, ...instruction(Op.Nop, 1)])).toMatch('OpNop');
  expect(rule([...HEADER, ...MEMORY_MODEL, ...instruction(Op.Capability, 1)])).toMatch(
    'fixed order (at word 8)',
  );
  expect(rule([...HEADER, ...MEMORY_MODEL, ...instruction(Op.TypeVoid, 20)])).toMatch(
    'between 1 and the bound',
  );
  expect(
    rule([...HEADER, ...MEMORY_MODEL, ...instruction(Op.TypeVoid, 2), ...instruction(Op.TypeVoid, 2)]),
  ).toMatch('%2 is defined again');
  expect(rule(SMALL.slice(0, -1))).toMatch('OpFunctionEnd');
  expect(rule(SMALL.slice(0, -2))).toMatch('OpFunctionEnd');
});

test('no truncation and no flipped word does anything but give a module or a SpirvError', () => {
  for (let length = 0; length < SMALL.length; length++) rule(SMALL.slice(0, length));
  let seed = 1;
  for (let round = 0; round < 5000; round++) {
    const words = [...SMALL];
    for (let flips = 0; flips < 3; flips++) {
      seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
      words[seed % words.length]! ^= 1 << (seed >>> 27);
    }
    rule(words.map((word) => word >>> 0));
  }
});
