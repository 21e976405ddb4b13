// SPDX-License-Identifier: MIT
import { grammarTables } from './grammar-tables';

const { instructions, extended, operandKinds } = grammarTables();

test('an instruction has its operands, with quantifiers and names', () => {
  expect(instructions.get(3)).toEqual({
    name: 'OpSource',
    operands: [
      ['SourceLanguage', ''],
      ['LiteralInteger', '', 'Version'],
      ['IdRef', '?', 'File'],
      ['LiteralString', '?', 'Source'],
    ],
    version: 0x100,
  });
  expect(instructions.get(0)!.operands).toEqual([]);
});

test('instructions of extended sets are found by import and number', () => {
  expect(Object.keys(extended)).toContain('OpenCL.std');
  expect(extended['OpenCL.std']!.get(0)).toMatchObject({ name: 'acos', operands: [['IdRef', '', 'x']] });
});

test('an enumerant has aliases, parameters and requirements', () => {
  const { category, enumerants } = operandKinds['ImageOperands']!;
  expect(category).toBe('BitEnum');
  expect(enumerants!.find(({ value }) => value === 256)).toEqual({
    name: 'MakeTexelAvailable',
    value: 256,
    aliases: ['MakeTexelAvailableKHR'],
    parameters: [['IdScope', '']],
    capabilities: ['VulkanMemoryModel'],
    extensions: ['SPV_KHR_vulkan_memory_model'],
    version: 0x105,
  });
  expect(operandKinds['PairLiteralIntegerIdRef']).toEqual({
    category: 'Composite',
    bases: ['LiteralInteger', 'IdRef'],
  });
});
