// SPDX-License-Identifier: MIT
//
// Single rules, over a checker whose table gives operands that the test made.
import { Reporter } from '../../diagnostics/reporter';
import { SourceMap } from '../../diagnostics/source-map';
import { parseOptions } from '../../options';
import type { Expr } from '../ast/checked';
import type * as Syntax from '../ast/syntax';
import { resolve } from '../builtins';
import { unqualified } from '../predefined-types';
import {
  type AddressSpace,
  pointerTo,
  type ScalarKind,
  scalarOf,
  type Type,
  type VectorType,
  VOID,
  vectorOf,
} from '../types';
import { Checker } from './checker';
import { commonOperands, promote } from './conversions/implicit';
import { checkRecursion } from './declarations/recursion';
import { checkConditional } from './expressions/conditional';
import { checkModifiable } from './expressions/targets';
import { integerConstant } from './nodes';
import type { FunctionEntity } from './symbols';

const AT = { location: 0, begin: 0, end: 0 };
const syntax = (name: string): Syntax.NameExpr => ({ kind: 'name', name, ...AT });
const unused = () => {
  throw new Error('the rule does not need this one');
};

/** A checker in which names are these expressions. */
function checker(operands: Readonly<Record<string, Expr>> = {}, options = '-cl-std=CL3.0') {
  const { language, warnings } = parseOptions(options).options;
  const c = new Checker(language, new Reporter(new SourceMap(), warnings), resolve, {
    expression: (_c, expr) => (expr.kind === 'name' ? operands[expr.name] : undefined),
    statement: unused,
    specifiers: unused,
    declarator: unused,
  });
  const codes = () => c.reporter.diagnostics.map(({ code }) => code);
  return { c, codes };
}

const variable = (type: Type, more: { const?: boolean; space?: AddressSpace } = {}): Expr => {
  const object = { ...unqualified(type), ...more };
  const declaration = {
    kind: 'variable',
    name: 'v',
    location: 0,
    type: object,
    storage: 'local-scope',
    external: false,
    attributes: {},
    init: undefined,
    typeName: '',
  } as const;
  return { kind: 'variable-ref', variable: declaration, object, type, location: 0 };
};
/** A value that is neither a constant nor an object. */
const value = (type: Type): Expr => ({ kind: 'comma', left: one, right: one, type, location: 0 });
const one = integerConstant(1n, scalarOf('int'), 0);
const pointer = (type: Type, space: AddressSpace) => pointerTo({ ...unqualified(type), space }, space);

describe('operands get a common type', () => {
  const rows: readonly (readonly [ScalarKind, ScalarKind, ScalarKind])[] = [
    ['char', 'uchar', 'int'],
    ['int', 'uint', 'uint'],
    ['uint', 'long', 'long'],
    ['long', 'ulong', 'ulong'],
    ['ulong', 'half', 'half'],
    ['half', 'float', 'float'],
    ['bool', 'bool', 'int'],
  ];
  test.each(rows)('%s and %s: %s', (left, right, common) => {
    const { c, codes } = checker();
    const both = commonOperands(c, value(scalarOf(left)), value(scalarOf(right)), 0, [AT, AT])!;
    expect([both.type, both.left.type, both.right.type]).toEqual(Array(3).fill(scalarOf(common)));
    expect(codes()).toEqual([]);
  });

  const vectors: readonly (readonly [Type, Type, string | undefined])[] = [
    [vectorOf('float', 4), scalarOf('int'), undefined],
    [vectorOf('float', 4), scalarOf('double'), 'scalar-rank'],
    [vectorOf('int', 4), vectorOf('int', 2), 'vector-operands-size'],
    [vectorOf('int', 4), vectorOf('uint', 4), 'vector-operands-type'],
    [vectorOf('int', 4), VOID, 'invalid-operands'],
  ];
  test.each(vectors)('of vectors, row %#', (left, right, code) => {
    const { c, codes } = checker();
    const both = commonOperands(c, value(left), value(right), 0, [AT, AT]);
    expect(codes()).toEqual(code === undefined ? [] : [code]);
    expect(both?.type).toBe(code === undefined ? (left as VectorType) : undefined);
  });
});

test('constants are converted when they are promoted, other values are cast', () => {
  expect(promote(integerConstant(-1n, scalarOf('char'), 0))).toMatchObject({ kind: 'integer', value: -1n });
  expect(promote(value(scalarOf('uchar')))).toMatchObject({ kind: 'cast', cast: 'integer', implicit: true });
  const long = value(scalarOf('long'));
  expect(promote(long)).toBe(long);
});

describe('the conditional operator', () => {
  const conditional: Syntax.ConditionalExpr = {
    kind: 'conditional',
    condition: syntax('condition'),
    then: syntax('then'),
    otherwise: syntax('otherwise'),
    ...AT,
  };
  const run = (condition: Type, then: Type, otherwise: Type) => {
    const operands = { condition: value(condition), then: value(then), otherwise: value(otherwise) };
    const { c, codes } = checker(operands);
    return { made: checkConditional(c, conditional), codes: codes() };
  };

  test('on pointers into two spaces gives one into the generic space, which holds both', () => {
    const { made, codes } = run(
      scalarOf('int'),
      pointer(scalarOf('int'), 'global'),
      pointer(scalarOf('int'), 'generic'),
    );
    expect(codes).toEqual([]);
    expect(made).toMatchObject({
      kind: 'conditional',
      type: { kind: 'pointer', space: 'generic' },
      then: { kind: 'cast', cast: 'address-space' },
    });
  });

  test('does not mix disjoint spaces', () => {
    const { made, codes } = run(
      scalarOf('int'),
      pointer(scalarOf('int'), 'global'),
      pointer(scalarOf('int'), 'local'),
    );
    expect([made, codes]).toEqual([undefined, ['ternary-spaces']]);
  });

  test('selects component by component where the condition is a vector', () => {
    const { made } = run(vectorOf('int', 4), scalarOf('float'), vectorOf('float', 4));
    expect(made).toMatchObject({
      kind: 'vector-select',
      type: vectorOf('float', 4),
      then: { cast: 'splat' },
    });
  });

  test('wants components as wide as those of the condition', () => {
    const { made, codes } = run(vectorOf('int', 4), vectorOf('double', 4), vectorOf('double', 4));
    expect([made, codes]).toEqual([undefined, ['ternary-vector-size']]);
  });

  test('is wrong in silence if an operand was', () => {
    const { c, codes } = checker({ condition: value(scalarOf('int')) });
    expect([checkConditional(c, conditional), codes()]).toEqual([undefined, []]);
  });
});

describe('what may be stored to', () => {
  const rows: readonly (readonly [string, Expr, string | undefined])[] = [
    ['a variable', variable(scalarOf('int')), undefined],
    ['a value', value(scalarOf('int')), 'not-assignable'],
    ['a const variable', variable(scalarOf('int'), { const: true }), 'assign-to-const'],
    ['constant memory', variable(scalarOf('int'), { space: 'constant' }), 'assign-to-const'],
  ];
  test.each(rows)('%s', (_name, target, code) => {
    const { c, codes } = checker();
    const found = checkModifiable(c, target, syntax('v'), 0);
    expect(codes()).toEqual(code === undefined ? [] : [code]);
    expect(found).toBe(code === undefined ? target : undefined);
  });
});

test('recursion is reported at each function that closes a circle', () => {
  const { c } = checker();
  const fn = (name: string) => ({ kind: 'function', name, location: 0 }) as FunctionEntity;
  const [a, b, leaf] = [fn('a'), fn('b'), fn('leaf')];
  c.calls.set(a, new Set([b, leaf]));
  c.calls.set(b, new Set([a]));
  c.calls.set(leaf, new Set());
  checkRecursion(c);
  expect(c.reporter.diagnostics.map(({ code, message }) => [code, /'(\w+)'/.exec(message)?.[1]])).toEqual([
    ['recursion', 'a'],
  ]);
});
