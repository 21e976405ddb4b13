// SPDX-License-Identifier: MIT
//
// A pipe argument: OpenCL tells the type of its packets, which is not what the argument takes.
import { openSync, type Session } from '../../ts';

let cl: Session;
beforeAll(() => {
  cl = openSync({ device: 'software' });
});
afterAll(() => cl.close());

const SOURCE = `
typedef struct { int a, b; } Pair;
kernel void number(write_only pipe int to, global int *full) { int v = 7; full[0] = write_pipe(to, &v); }
kernel void pair(read_only pipe Pair from) {}
`;

test('the declaration shows the pipe', () => {
  const { number, pair } = cl.buildSync(SOURCE, '-cl-std=CL2.0').kernels;
  expect(String(number.arguments[0])).toBe('pipe int to');
  expect(String(pair.arguments[0])).toBe('pipe Pair from');
  expect(number.arguments[0]).toMatchObject({ value: undefined, isPointer: false, access: 'write_only' });
  expect(() => number.run({ global: 1 })).toThrow(/number\(pipe int to, int\* full\)/);
});

test('a pipe is taken', async () => {
  const { number } = cl.buildSync(SOURCE, '-cl-std=CL2.0').kernels;
  const full = cl.buffer(new Int32Array(1));
  const pipe = cl.context.createPipe(4, 1);
  await number.run({ global: 1 }, pipe, full);
  expect([...(await full.read())]).toEqual([0]);
  await number.run({ global: 1 }, pipe, full);
  expect((await full.read())[0]).toBeLessThan(0);
});

test('packets of another size are refused, wherever the kernel uses the pipe', () => {
  const kernels = cl.buildSync(
    `typedef struct { int a, b, c; } Triple;
    kernel void one(read_only pipe int p) { int v; read_pipe(p, &v); }
    int count(read_only pipe Triple p) { return get_pipe_num_packets(p); }
    kernel void through(read_only pipe int q, read_only pipe Triple p, global int *n) { *n = count(p); }
    kernel void reserved(write_only pipe Triple p) {
      Triple v = {1, 2, 3};
      reserve_id_t id = work_group_reserve_write_pipe(p, 1);
      write_pipe(p, id, 0, &v);
      work_group_commit_write_pipe(p, id);
    }
    kernel void unused(read_only pipe Triple p) {}`,
    '-cl-std=CL2.0',
  ).kernels;
  const [four, twelve] = [4, 12].map((size) => cl.context.createPipe(size, 2));
  const refusal = (takes: number, given: number) =>
    `takes a pipe with packets of ${takes} bytes; those of this pipe have ${given}`;
  expect(() => kernels.one!.setArg(0, twelve)).toThrow(/clSetKernelArg: CL_INVALID_ARG_VALUE/);
  expect(() => kernels.one!.setArg(0, twelve)).toThrow(refusal(4, 12));
  expect(() => kernels.through!.setArg(1, four)).toThrow(refusal(12, 4));
  expect(() => kernels.reserved!.setArg(0, four)).toThrow(refusal(12, 4));
  kernels.one!.setArg(0, four);
  kernels.through!.setArg(0, twelve);
  kernels.through!.setArg(1, twelve);
  kernels.reserved!.setArg(0, twelve);
  kernels.unused!.setArg(0, four);
});

test.each([
  ['a number', () => 5, 'number 5'],
  ['a buffer', () => cl.buffer(Int32Array.of(1)), 'a Buffer'],
  ['an image', () => cl.image({ format: 'r8', width: 1 }), 'an Image'],
  ['bytes', () => Int32Array.of(1), 'an Int32Array'],
])('%s is not: the error asks for a pipe', (_name, value, what) => {
  const { number, pair } = cl.buildSync(SOURCE, '-cl-std=CL2.0').kernels;
  for (const [kernel, type] of [
    [number, 'pipe int'],
    [pair, 'pipe Pair'],
  ] as const)
    expect(() => kernel.setArg(0, value())).toThrow(`is a ${type} and takes a Pipe, not ${what}`);
});

test('a pipe is not a number', () => {
  const { halve } = cl.buildSync('kernel void halve(int n) {}').kernels;
  expect(() => halve.setArg(0, cl.context.createPipe(4, 1))).toThrow('is an int and cannot be a Pipe');
});
