// SPDX-License-Identifier: MIT
//
// Declaration specifiers alone, over a parser whose table has only what they need.
import { compile } from '../../../compile';
import { Reporter } from '../../../diagnostics/reporter';
import { SourceMap } from '../../../diagnostics/source-map';
import { parseOptions } from '../../../options';
import { preprocess } from '../../preprocess/preprocessor';
import { Parser } from '../parser';
import { parseSpecifiers } from './specifiers';

const unused = () => {
  throw new Error('specifiers do not need this one');
};

function read(text: string, which: 'of a declaration' | 'of a type' = 'of a declaration') {
  const { language, warnings } = parseOptions('-cl-std=CL3.0').options;
  const reporter = new Reporter(new SourceMap(), warnings);
  const input = {
    name: 'a.cl',
    text,
    commandLine: '',
    includeDirectories: [],
    headers: new Map<string, string>(),
    readFile: undefined,
  };
  const parser = new Parser(preprocess(input, language, reporter), language, reporter, {
    expression: unused,
    assignment: unused,
    conditional: unused,
    typeName: unused,
    specifiers: parseSpecifiers,
    declarator: unused,
    statement: unused,
    compound: unused,
  });
  const specifiers = parseSpecifiers(parser, which);
  return { specifiers, next: parser.token.text, codes: reporter.diagnostics.map(({ code }) => code) };
}

test.each([
  ['unsigned long int x', 'ulong'],
  ['int const long unsigned x', 'ulong'],
  ['short x', 'short'],
  ['signed char x', 'char'],
  ['long double x', 'double'],
])('%s', (text, scalar) => {
  const { specifiers, next, codes } = read(text);
  expect(specifiers).toMatchObject({ type: { kind: 'builtin', type: { scalar } }, spelling: scalar });
  expect([next, codes]).toEqual(['x', []]);
});

test('all kinds of words are kept apart', () => {
  const { specifiers } = read('static inline __global const volatile float4 f');
  expect(specifiers).toMatchObject({
    type: { kind: 'typedef', name: 'float4' },
    qualifiers: { const: true, volatile: true, restrict: false, space: 'global' },
    storage: 'static',
    inline: true,
    kernel: false,
  });
});

test('an access qualifier belongs to the image, wherever it is', () => {
  for (const text of ['read_write image2d_t i', 'image2d_t read_write i'])
    expect(read(text).specifiers.type).toEqual({ kind: 'image', image: 'image2d', access: 'read_write' });
});

test('what follows `pipe` is the type of its packets', () => {
  expect(read('write_only pipe const uint4 p').specifiers.type).toMatchObject({
    kind: 'pipe',
    access: 'write_only',
    packet: { type: { kind: 'typedef', name: 'uint4' }, qualifiers: { const: true } },
  });
});

test.each([
  ['int float x', ['cannot-combine-type']],
  ['int __auto_type x', ['cannot-combine-type']],
  ['__auto_type int x', ['cannot-combine-type']],
  ['uint4 __auto_type x', ['cannot-combine-type']],
  ['unsigned float x', ['invalid-type-words']],
  ['const const int x', ['duplicate-qualifier']],
  ['static extern int x', ['cannot-combine-specifier']],
  ['global local int x', ['multiple-address-spaces']],
  ['read_only int x', ['access-qualifier-misplaced']],
  ['read_only write_only image2d_t x', ['multiple-access-qualifiers']],
  ['_Complex float x', ['unsupported-keyword']],
  ['foo x', ['unknown-type-name']],
  ['const x', ['missing-type']],
])('%s: %j', (text, expected) => {
  expect(read(text).codes).toEqual(expected);
});

test.each([
  ['int __typeof__(1.0f) x', 'int'],
  ['__typeof__(1) float x', 'typeof'],
  ['__typeof__(1) __typeof__(1) x', 'typeof'],
  ['__auto_type int x', '__auto_type'],
])('a second type: %s', (text, previous) => {
  const { diagnostics } = compile({
    name: 'a.cl',
    text: `kernel void k(void) { ${text} = 1; }`,
    options: '',
  });
  expect(diagnostics.map(({ message }) => message)).toEqual([
    `cannot combine with previous '${previous}' declaration specifier`,
  ]);
});

test('a type name has no storage class and is not a function', () => {
  expect(read('static int x', 'of a type').codes).toEqual(['storage-in-type']);
  expect(read('inline int x', 'of a type').codes).toEqual(['function-specifier-in-type']);
});
