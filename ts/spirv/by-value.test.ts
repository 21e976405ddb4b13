// SPDX-License-Identifier: MIT
//
// Functions that rely on their own copies of arguments, as clang's do: those of our compiler get the attribute here.
import { compiledModule } from '../../tests/helpers/compiled-module';
import { openSync, type Session } from '..';
import { copyArguments } from './by-value';
import { encode } from './encode';
import { Decoration, FunctionParameterAttribute, Op } from './grammar.gen';
import { type Id, type Module, NO_ID } from './module';
import { toSource } from './source';
import { validate } from './validate';

const SOURCE = `
  typedef struct { int a[3]; char c; } S;
  int changed(S *s, int by) { int before = s->c; s->a[by] += by; s->c = 9; return before + s->a[by]; }
  kernel void k(global int *out, int by) {
    S s = {{1, 2, 3}, 4};
    out[0] = changed(&s, by);
    out[1] = changed(&s, by) * 100 + s.a[by] * 10 + s.c;
  }`;

/** In which the function's first parameter has the attribute. */
function module(attribute: FunctionParameterAttribute): Module {
  const made = compiledModule({ name: 'k.cl', text: SOURCE, options: '-cl-opt-disable' });
  const f = made.functions.find((each) =>
    made.entryPoints.every((e) => e.function !== each.definition.result),
  )!;
  const operands = [f.parameters[0]!.result, Decoration.FuncParamAttr, attribute];
  return {
    ...made,
    annotations: [...made.annotations, { op: Op.Decorate, type: NO_ID, result: NO_ID, operands }],
  };
}

const byValue = () => module(FunctionParameterAttribute.ByVal);
const count = ({ functions }: Module, op: Op): number =>
  functions.flatMap((f) => f.blocks.flatMap((b) => b.instructions)).filter((i) => i.op === op).length;

test('a copy has the name of the parameter', () => {
  const before = byValue();
  const after = copyArguments(before);
  expect(validate(after)).toBeUndefined();
  expect(count(after, Op.CopyMemory)).toBe(count(before, Op.CopyMemory) + 1);
  expect(count(after, Op.Variable)).toBe(count(before, Op.Variable) + 1);
});

test('modules without such functions stay', () => {
  const other = module(FunctionParameterAttribute.NoCapture);
  expect(copyArguments(other)).toBe(other);
  const kernel = compiledModule({
    name: 'k.cl',
    text: 'typedef struct { int a[9]; } S; kernel void k(S s, global int *out) { out[0] = s.a[1]; }',
    options: '',
  });
  expect(kernel.annotations.some((i) => i.operands[2] === FunctionParameterAttribute.ByVal)).toBe(true);
  expect(copyArguments(kernel)).toBe(kernel);
});

test('a pointer to bytes stands for a type that is not known', () => {
  const unknown = byValue();
  const f = unknown.functions.find(
    (each) => each.parameters[0]!.result === unknown.annotations.at(-1)!.operands[0],
  )!;
  const [byte, pointer] = [unknown.bound, unknown.bound + 1] as [Id, Id];
  const [pointerType] = unknown.globals.filter((i) => i.result === f.parameters[0]!.type);
  const globals = [
    ...unknown.globals,
    { op: Op.TypeInt, type: NO_ID, result: byte, operands: [8, 0] },
    { ...pointerType!, result: pointer, operands: [pointerType!.operands[0]!, byte] },
  ];
  f.parameters[0]!.type = pointer;
  const module = { ...unknown, globals };
  expect(copyArguments(module)).toBe(module);
});

describe('the caller keeps its object', () => {
  let cl: Session;
  beforeAll(() => {
    cl = openSync({ device: 'software' });
  });
  afterAll(() => cl.close());

  test.each([
    ['as SPIR-V', () => encode(byValue())],
    ['as OpenCL C', () => toSource(byValue()).source],
  ])('%s', async (_, program) => {
    const { kernels } = await cl.build(program());
    const out = cl.buffer(Int32Array, 2);
    await kernels['k']!.run({ global: 1 }, out, 1);
    expect([...(await out.read())]).toEqual([7, 724]);
  });
});
