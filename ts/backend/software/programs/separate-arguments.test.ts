// SPDX-License-Identifier: MIT
//
// Which launches run code for separate arguments, and that their results do not show it.
import { softwareKernels } from '../../../../tests/helpers/software-kernels';
import { ROBUST_PROPERTY } from '../../../base/bounds';
import { CHECK_PROPERTY } from '../../../base/checks';
import { COVERAGE_PROPERTY } from '../../../base/coverage';
import { MemFlags } from '../../../cl/constants.gen';
import type { BackendMemory, BackendSvm } from '../../backend-objects';
import type { SoftwareKernel } from './kernel';
import { codeForArguments } from './separate-arguments';

const { device, context, queue, kernelOf } = softwareKernels(2);

const buffer = (bytes: number) => context.createBuffer(MemFlags.READ_WRITE, bytes, undefined);
const part = (of: BackendMemory, origin: number, bytes: number) => of.createSubBuffer!(0, origin, bytes);
const svm = (bytes: number) => context.svmAlloc(MemFlags.READ_WRITE, bytes, 0);

type Argument = BackendMemory | BackendSvm | bigint | null;

function set(kernel: SoftwareKernel, args: readonly Argument[]): void {
  for (const [i, arg] of args.entries())
    if (typeof arg === 'bigint') kernel.setDevicePointer(i, arg);
    else kernel.setArg(i, arg);
}

/** The code for some arguments. */
function codeOf(kernel: SoftwareKernel, ...args: Argument[]): string {
  set(kernel, args);
  return codeForArguments(kernel);
}

/** Stores that come before loads of other arguments: a pair is exchanged, if the arguments are the same. */
const EXCHANGE = `kernel void exchange(global const uchar *from, global uchar *to) {
  size_t i = get_global_id(0);
  to[3 * i] = from[3 * i + 1];
  to[3 * i + 1] = from[3 * i];
  to[3 * i + 2] = from[3 * i + 2];
}`;

describe('the memory of two arguments of which one is written', () => {
  let kernel: SoftwareKernel;
  beforeAll(async () => {
    kernel = await kernelOf(EXCHANGE);
  });

  test('is separate in two buffers, two allocations of shared memory, or one of each', () => {
    expect(codeOf(kernel, buffer(300), buffer(300))).toBe('separate');
    expect(codeOf(kernel, svm(300), svm(300))).toBe('separate');
    expect(codeOf(kernel, svm(300), buffer(300))).toBe('separate');
  });

  test('is not separate in one buffer, or one allocation', () => {
    const [memory, shared] = [buffer(300), svm(300)];
    expect(codeOf(kernel, memory, memory)).toBe('guarded');
    expect(codeOf(kernel, shared, shared)).toBe('guarded');
  });

  test('is separate in sub-buffers side by side, not if they have a byte in common', () => {
    const whole = buffer(1024);
    const [low, high] = [part(whole, 0, 256), part(whole, 256, 256)];
    expect(codeOf(kernel, low, high)).toBe('separate');
    expect(codeOf(kernel, high, low)).toBe('separate');
    const longer = part(whole, 0, 257);
    expect(codeOf(kernel, longer, high)).toBe('guarded');
    expect(codeOf(kernel, high, longer)).toBe('guarded');
    expect(codeOf(kernel, low, whole)).toBe('guarded');
    expect(codeOf(kernel, part(whole, 128, 128), whole)).toBe('guarded');
  });

  test('is not known to be separate behind the address of anything', () => {
    const [shared, other] = [svm(300), buffer(300)];
    expect(codeOf(kernel, shared.address + 16n, other)).toBe('guarded');
    expect(codeOf(kernel, other, shared.address)).toBe('guarded');
  });

  test('a null pointer has none', () => {
    const memory = buffer(300);
    expect(codeOf(kernel, null, memory)).toBe('separate');
    expect(codeOf(kernel, null, null)).toBe('separate');
  });

  test('a buffer in the memory of another one', () => {
    const shared = svm(300) as BackendSvm & { bytes: Uint8Array };
    const inPlace = context.createBuffer(MemFlags.USE_HOST_PTR, 300, shared.bytes);
    expect(codeOf(kernel, shared, inPlace)).toBe('guarded');
  });
});

test('two arguments that are only read may be one buffer, if the kernel declares it', async () => {
  const kernel = await kernelOf(`kernel void sum(global const int *a, constant int *b, global int *c, int n) {
    size_t i = get_global_id(0);
    c[2 * i] = a[i] + n;
    c[2 * i + 1] = a[i] + b[i];
  }`);
  const [read, written] = [buffer(256), buffer(512)];
  kernel.setArg(3, Int32Array.of(1));
  expect(codeOf(kernel, read, read, written)).toBe('separate');
  expect(codeOf(kernel, read, written, written)).toBe('guarded');
  expect(codeOf(kernel, written, read, written)).toBe('guarded');
});

test('many arguments', async () => {
  const names = Array.from({ length: 40 }, (_, i) => `a${i}`);
  const kernel = await kernelOf(
    `kernel void many(${names.map((name) => `global int *${name}`).join()}) { ${names.map((name) => `${name}[0] = 1;`).join(' ')} }`,
  );
  const buffers = names.map(() => buffer(64));
  expect(codeOf(kernel, ...buffers)).toBe('separate');
  expect(codeOf(kernel, ...buffers.slice(1), buffers[1]!)).toBe('guarded');
});

test.each([
  ['restrict', 'kernel void k(global int *restrict a, global int *restrict b) { a[0] = b[0]; }'],
  ['one buffer', 'kernel void k(global int *a, local int *b) { b[0] = 1; a[0] = b[0]; }'],
  ['only reads', 'kernel void k(global const int *a, constant int *b) { if (a[0] == b[0]) printf("!"); }'],
])('arguments are not compared: %s', async (_, source) => {
  const kernel = await kernelOf(source);
  expect(kernel.compared).toBeUndefined();
  expect(codeForArguments(kernel)).toBe('guarded');
});

const bytesOf = (memory: BackendMemory) => (memory as unknown as { bytes(): Uint8Array }).bytes();

test('launches with separate arguments and such that overlap, in turns', async () => {
  const kernel = await kernelOf(EXCHANGE);
  const items = 100;
  const content = Uint8Array.from({ length: 3 * items }, (_, i) => i * 7);
  const from = buffer(3 * items);
  const to = buffer(3 * items);
  for (const isSame of [false, true, true, false, true, false, false]) {
    bytesOf(from).set(content);
    bytesOf(to).fill(0);
    set(kernel, [from, isSame ? from : to]);
    queue.enqueueKernel(kernel, { global: [items] }, undefined, false);
    await queue.finish();
    const second = (i: number) => content[isSame ? i + 1 : i]!;
    const expected = content.map((byte, i) => [content[i + 1]!, second(i - 1), byte][i % 3]!);
    expect([...bytesOf(isSame ? from : to)]).toEqual([...expected]);
  }
});

test('a launch that waits for its code keeps the decision of its call', async () => {
  const kernel = await kernelOf(EXCHANGE);
  const [from, to] = [buffer(300), buffer(300)];
  bytesOf(from).fill(1);
  for (const args of [
    [from, to],
    [from, from],
    [to, from],
  ] as const) {
    set(kernel, args);
    queue.enqueueKernel(kernel, { global: [100] }, undefined, false);
  }
  await queue.finish();
  expect([...bytesOf(from)]).toEqual(new Array(300).fill(1));
  const { executable, signature } = kernel;
  for (const code of ['separate', 'guarded'] as const)
    expect(executable.isCompiled(signature.name, code)).toBe(true);
});

describe('what is compiled', () => {
  const kinds = ({ executable, signature: { name } }: SoftwareKernel) =>
    (['guarded', 'separate'] as const).filter((code) => executable.isCompiled(name, code));
  const launch = async (kernel: SoftwareKernel, ...args: Argument[]) => {
    set(kernel, args);
    queue.enqueueKernel(kernel, { global: [64] }, undefined, false);
    await queue.finish();
  };
  const [SEPARATE, SAME] = [
    () => [buffer(1024), buffer(1024)],
    () => {
      const memory = buffer(1024);
      return [memory, memory];
    },
  ] as const;

  test.each([
    ['separate', SEPARATE],
    ['guarded', SAME],
  ] as const)('is the code that the first launch needs: %s', async (code, args) => {
    const kernel = await kernelOf(EXCHANGE);
    await launch(kernel, ...args());
    await launch(kernel, ...args());
    expect(kinds(kernel)).toEqual([code]);
  });

  test.each([
    ['separate', [SEPARATE, SAME]],
    ['guarded', [SAME, SEPARATE]],
  ] as const)('is compiled once if it is the same: %s', async (code, launches) => {
    const kernel = await kernelOf(`kernel void twice(global const int *a, global int *b) {
      b[get_global_id(0)] = 2 * a[get_global_id(0)];
    }`);
    for (const args of launches) await launch(kernel, ...args());
    expect(kinds(kernel)).toEqual([code]);
  });

  test('questions about a kernel do not compile code that no launch needs', async () => {
    const kernel = await kernelOf(EXCHANGE);
    kernel.workGroupInfo(device, 0x11b3);
    expect(kinds(kernel)).toEqual(['separate']);
    const other = await kernelOf(EXCHANGE);
    await launch(other, ...SAME());
    other.workGroupInfo(device, 0x11b3);
    expect(kinds(other)).toEqual(['guarded']);
  });
});

/** Where code must not rely on separate arguments: two loads of `a` have a store to `b` between them. */
const AGAIN = (
  before: string,
  pointer = 'a',
) => `kernel void k(global int *a, global int *b, global int *f, int d) {
  size_t i = get_global_id(0);
  ${before}
  int x = ${pointer}[i];
  b[i] = x + 1;
  b[i + 64] = ${pointer}[i];
}`;

test.each([
  ['nothing else', true, AGAIN('')],
  ['distances in one object', true, AGAIN('d += (int)(&a[d] - &a[1]);', '(a + (d & 1))')],
  ['atomics whose results are unused', true, AGAIN('atomic_inc(&f[d]);')],
  ['pointers made of integers', false, AGAIN('', '((global int *)((uintptr_t)a + d))')],
  ['distances between objects', false, AGAIN('ptrdiff_t way = b - a;', '(a + way)')],
  ['atomics that may wait', false, AGAIN('while (atomic_add(&f[0], 0) == 0) ;')],
  ['fences', false, AGAIN('mem_fence(CLK_GLOBAL_MEM_FENCE);')],
  ['pointers from memory', false, AGAIN('global int *p = ((global int *global *)f)[0];', 'p')],
  ['a choice of arguments', false, AGAIN('global int *p = d ? a : b;', 'p')],
])('code relies on separate arguments, or not, with %s', async (_, expected, source) => {
  const { executable, signature } = await kernelOf(source);
  for (const code of ['guarded', 'separate'] as const)
    expect(executable.kernel(signature.name, code).dependsOnSeparate ?? false).toBe(expected);
});

test.each([
  ['checks', CHECK_PROPERTY],
  ['robust access', ROBUST_PROPERTY],
  ['coverage', COVERAGE_PROPERTY],
])('contexts with %s have no code for separate arguments', async (_, property) => {
  const other = device.createContext([device], [BigInt(property), 1n]);
  const program = other.createProgramWithSource([EXCHANGE]);
  await program.build([device], '');
  const kernel = program.createKernel('exchange') as SoftwareKernel;
  expect(kernel.compared).toBeUndefined();
  expect(
    kernel.device.checked !== undefined || kernel.device.isRobust || kernel.device.coverage !== undefined,
  ).toBe(true);
});
