// SPDX-License-Identifier: MIT
import { custom, type Family, row, startingWith, std } from '../row';

/** A test of `Fn` operands; the lowering turns the instruction's bool into the int or mask of the result. */
const test = (name: string, operands: string, opcode: string) =>
  row(name, `rFn(${operands})`, custom('relational', opcode));

const isRelational = startingWith('is', 'signbit', 'any', 'all');

export const relational: Family = {
  title: 'Relational functions',
  computes: true,
  mayHave: (name) => isRelational(name) || name.endsWith('select'),
  rows: () => [
    test('isequal', 'Fn, Fn', 'OpFOrdEqual'),
    test('isnotequal', 'Fn, Fn', 'OpFUnordNotEqual'),
    test('isgreater', 'Fn, Fn', 'OpFOrdGreaterThan'),
    test('isgreaterequal', 'Fn, Fn', 'OpFOrdGreaterThanEqual'),
    test('isless', 'Fn, Fn', 'OpFOrdLessThan'),
    test('islessequal', 'Fn, Fn', 'OpFOrdLessThanEqual'),
    test('islessgreater', 'Fn, Fn', 'OpFOrdNotEqual'),
    test('isordered', 'Fn, Fn', 'OpOrdered'),
    test('isunordered', 'Fn, Fn', 'OpUnordered'),
    test('isfinite', 'Fn', 'OpIsFinite'),
    test('isinf', 'Fn', 'OpIsInf'),
    test('isnan', 'Fn', 'OpIsNan'),
    test('isnormal', 'Fn', 'OpIsNormal'),
    test('signbit', 'Fn', 'OpSignBitSet'),
    row('any', 'int(Sn)', custom('any_all', 'OpAny')),
    row('all', 'int(Sn)', custom('any_all', 'OpAll')),
    row('bitselect', 'An(An, An, An)', std),
    row('select', 'An(An, An, sAn)', custom('select')),
    row('select', 'An(An, An, uAn)', custom('select')),
  ],
};
