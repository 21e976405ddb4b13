// SPDX-License-Identifier: MIT
import { Reporter } from '../../diagnostics/reporter';
import { SourceMap } from '../../diagnostics/source-map';
import { parseOptions } from '../../options';
import type { Expr, FunctionDecl, Stmt, Unit } from '../ast/checked';
import { resolve } from '../builtins';
import { parseUnit } from '../parse/parse-unit';
import { preprocess } from '../preprocess/preprocessor';
import { checkUnit } from './check-unit';

function check(text: string, optionText = '') {
  const { options } = parseOptions(optionText);
  const reporter = new Reporter(new SourceMap(), options.warnings);
  const { language } = options;
  const input = {
    name: 'a.cl',
    text,
    commandLine: '',
    includeDirectories: [],
    headers: new Map<string, string>(),
    readFile: undefined,
  };
  const parsed = parseUnit(preprocess(input, language, reporter), language, reporter);
  const unit = checkUnit(parsed, language, reporter, resolve);
  return { unit, messages: reporter.diagnostics.map((each) => each.message) };
}

function accepted(text: string, options = ''): Unit {
  const { unit, messages } = check(text, options);
  expect(messages).toEqual([]);
  return unit!;
}

const functionOf = (unit: Unit, name: string): FunctionDecl =>
  unit.functions.find((each) => each.name === name)!;

/** The value that a function of one statement returns. */
function returned(text: string, options = ''): Expr {
  const { body } = functionOf(accepted(text, options), 'f');
  const last = body!.statements.at(-1) as Stmt & { kind: 'return' };
  return last.value!;
}

test('operands are converted to a common type', () => {
  const sum = returned('float f(int a, float b) { return a + b; }');
  expect(sum).toMatchObject({
    kind: 'binary',
    op: '+',
    type: { scalar: 'float' },
    left: { kind: 'cast', cast: 'integer-to-float', operand: { kind: 'load' } },
    right: { kind: 'load' },
    contract: true,
  });
});

test('a scalar next to a vector is spread', () => {
  expect(returned('float4 f(float4 a, int b) { return a * b; }')).toMatchObject({
    kind: 'binary',
    right: { kind: 'cast', cast: 'splat', operand: { cast: 'integer-to-float' } },
  });
});

test('a[i] is a dereferenced sum', () => {
  expect(returned('int f(global int *a, long i) { return a[i]; }')).toMatchObject({
    kind: 'load',
    from: { kind: 'deref', object: { space: 'global' }, pointer: { kind: 'pointer-add', subtract: false } },
  });
});

test('nested swizzles are one', () => {
  expect(returned('float f(float8 v) { return v.hi.even.y; }')).toMatchObject({
    kind: 'load',
    from: { kind: 'swizzle', indices: [6], base: { kind: 'variable-ref' } },
  });
});

test('vector comparisons give masks, scalar ones int', () => {
  expect(returned('long4 f(double4 a) { return a < 1; }')).toMatchObject({
    kind: 'compare',
    type: { kind: 'vector', element: { scalar: 'long' }, count: 4 },
  });
  expect(returned('int f(double a) { return a < 1; }')).toMatchObject({
    kind: 'compare',
    type: { scalar: 'int' },
  });
});

test('a bool becomes all bits of a vector', () => {
  expect(returned('int2 f(bool a) { return (int2)a; }')).toMatchObject({
    kind: 'cast',
    cast: 'splat',
    operand: { kind: 'unary', op: 'negate' },
  });
});

test('constants are converted at once', () => {
  expect(returned('float f(void) { return -3; }')).toMatchObject({ kind: 'float', value: -3 });
  expect(returned('uchar f(void) { return -1; }')).toMatchObject({ kind: 'integer', value: 255n });
  expect(returned('float f(void) { return (float)16777217; }')).toMatchObject({
    kind: 'float',
    value: 16777216,
  });
});

test('program-scope and local variables belong to the unit', () => {
  const unit = accepted(
    'constant int a[] = {1, 2}; kernel void k(global int *p) { local int l[4]; int x = a[1]; l[0] = x; p[0] = l[0]; }',
  );
  expect(unit.variables.map((each) => [each.name, each.storage, each.type.space])).toEqual([
    ['a', 'program', 'constant'],
    ['l', 'static', 'local'],
  ]);
  expect(unit.variables[0]!.type.type).toMatchObject({ kind: 'array', count: 2 });
});

test('FP_CONTRACT is scoped', () => {
  const unit = accepted(
    'float f(float a) { { \n#pragma OPENCL FP_CONTRACT OFF\n a = a * a + a; } return a * a + a; }',
  );
  const [inner, outer] = functionOf(unit, 'f').body!.statements;
  expect(inner).toMatchObject({ statements: [{ expression: { value: { contract: false } } }] });
  expect(outer).toMatchObject({ value: { contract: true } });
});

test('case ranges and fall-through labels are cases of their own', () => {
  const unit = accepted('void f(int a) { switch (a) { case 1 ... 3: case 7: a = 1; default: ; } }');
  expect(functionOf(unit, 'f').body!.statements[0]).toMatchObject({
    cases: [{ value: 1n }, { value: 2n }, { value: 3n }, { value: 7n }, { kind: 'default' }],
  });
});

test('cases are in the order of the source where one is inside of another', () => {
  const unit = accepted(
    'void f(int a) { switch (a) { case 0: do { a++; case 3: default: a++; case 1: ; } while (a < 9); } }',
  );
  expect(functionOf(unit, 'f').body!.statements[0]).toMatchObject({
    cases: [{ value: 0n }, { value: 3n }, { kind: 'default' }, { value: 1n }],
  });
});

test('blocks capture by value', () => {
  const unit = accepted(
    'int f(int n) { int (^b)(int) = ^(int a) { return a + n; }; return b(1); }',
    '-cl-std=CL2.0',
  );
  expect(unit.functions.at(-1)).toMatchObject({ name: '__f_block_invoke_0', parameters: [{ name: 'a' }] });
  expect(functionOf(unit, 'f').body!.statements[0]).toMatchObject({
    variables: [{ init: { kind: 'block', captures: [{ outer: { name: 'n' }, inner: { name: 'n' } }] } }],
  });
});

test('overloaded functions have names of their own', () => {
  const unit = accepted(
    'float __attribute__((overloadable)) g(float a) { return a; } int __attribute__((overloadable)) g(int a) { return a; }' +
      'float f(void) { return g(1.0f) + g(1); }',
  );
  expect(unit.functions.map((each) => each.name)).toEqual(['_Z1gf', '_Z1gi', 'f']);
});

test('recursion is found through other functions', () => {
  expect(check('int g(int); int f(int a) { return g(a); } int g(int a) { return f(a); }').messages).toEqual([
    "recursion is not allowed in OpenCL: 'f' calls itself",
  ]);
});

test('a block that is enqueued may call the function around it; one that is called may not', () => {
  const enqueuing = 'enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ';
  accepted(`void f(int n) { if (n) ${enqueuing} ^{ f(n - 1); }); }`, '-cl-std=CL2.0');
  accepted(`kernel void k(int n) { ${enqueuing} ^{ k(n - 1); }); }`, '-cl-std=CL2.0');
  expect(check('void f(int n) { void (^b)(void) = ^{ f(n - 1); }; b(); }', '-cl-std=CL2.0').messages).toEqual(
    ["recursion is not allowed in OpenCL: 'f' calls itself"],
  );
});

test('the size of the file decides about the time, not its shape', () => {
  const statements = Array.from({ length: 3000 }, (_, i) => `a[${i}] = a[${i + 1}] * 2 + sin(a[${i}]);`).join(
    '\n',
  );
  const sum = Array.from({ length: 3000 }, (_, i) => `a[${i}]`).join(' + ');
  accepted(`kernel void k(global float *a) { ${statements} a[0] = ${sum}; }`);
});

test('chains of else if have no limit of their own', () => {
  accepted(`void f(int a) { ${'if (a) a = 1; else '.repeat(100_000)}; }`);
});

test.each([
  [
    'parentheses',
    `int f(void) { return ${'('.repeat(100_000)}1${')'.repeat(100_000)}; }`,
    /bracket nesting level/,
  ],
  ['open parentheses', `int f(void) { return ${'('.repeat(100_000)}`, /bracket nesting level/],
  ['braces', `void f(void) ${'{'.repeat(100_000)}${'}'.repeat(100_000)}`, /bracket nesting level/],
  ['operators', `int f(int a) { return ${'- '.repeat(100_000)}a; }`, /nesting level/],
  ['sums', `int f(int a) { return ${'a + '.repeat(200_000)}a; }`, /nesting level/],
  ['labels', `void f(int a) { ${'l: '.repeat(100_000)}; }`, /nesting level|redefinition/],
  ['pointers', `int ${'*'.repeat(2000)}f(int a);`, /nesting level/],
  ['conditionals', `int f(int a) { return ${'a ? 1 : '.repeat(100_000)}a; }`, /nesting level/],
  ['initializers', `constant int a[] = ${'{'.repeat(100_000)}`, /bracket nesting level/],
  ['subscripts', `int f(int a) { return a${'[0]'.repeat(100_000)}; }`, /nesting level/],
  ['casts', `int f(int a) { return ${'(int)'.repeat(100_000)}a; }`, /nesting level/],
])('%s without end are refused', (_, text, message) => {
  const { unit, messages } = check(text);
  expect(unit).toBeUndefined();
  expect(messages[0]).toMatch(message);
});
