// SPDX-License-Identifier: MIT
//
// The first mistakes of a newcomer: messages that say what to do.
import { openSync } from '../../ts';
import { arrays } from '../../ts/array';
import { decode } from '../../ts/spirv/decode';
import { checkKernel } from '../../ts/testing';

const cl = openSync({ device: 'software' });
afterAll(() => cl.close());

const floats = cl.buffer(new Float32Array(4));
const { fill } = cl.buildSync('kernel void fill(global float *a) { a[get_global_id(0)] = 1; }').kernels;
const wrong = <T>(value: T) => value as never;

test.each([
  [
    'an array for a buffer',
    () => fill.run({ global: 4 }, wrong([1, 2])),
    /takes a buffer, not an Array; Session\.buffer makes a buffer of a typed array, such as Float32Array\.from\(array\)$/,
  ],
  [
    'a typed array for a buffer',
    () => fill.run({ global: 4 }, wrong(new Float32Array(4))),
    /takes a buffer, not a Float32Array; Session\.buffer makes a buffer of it$/,
  ],
  [
    'an array of anycl/array for a buffer',
    () => fill.run({ global: 4 }, wrong(arrays(cl).zeros(4))),
    /takes a buffer, not an NDArray; `await` its method buffer\(\), which gives one$/,
  ],
  [
    'a class that a bundler has renamed',
    () => fill.run({ global: 4 }, wrong(new (class _Matrix {})())),
    /takes a buffer, not a Matrix$/,
  ],
  ['a number for a buffer', () => fill.run({ global: 4 }, 1), /takes a buffer, not number 1$/],
  [
    'a class without a length',
    () => cl.buffer(wrong(Float32Array)),
    /a buffer of the class Float32Array needs a length, in elements$/,
  ],
  [
    'an offset beyond the end',
    () => floats.readSync({ offset: 100 }),
    /the transfer begins at byte 400, and the buffer has 16$/,
  ],
  [
    'four dimensions',
    () => fill.run({ global: [1, 1, 1, 1] as never }, floats),
    /`options\.global` has 4 elements: it must be an array of one to three whole numbers$/,
  ],
  [
    'options of a launch in its range',
    () => cl.queue.enqueueNDRange(fill, wrong({ global: 4, waitFor: [] })),
    /`range\.waitFor` is an option of the argument after the range: enqueueNDRange\(kernel, range, \{ waitFor \}\)$/,
  ],
  [
    'an argument by its name',
    () => fill.setArg(wrong('a'), floats),
    /CL_INVALID_ARG_INDEX \(-49\): `index` is the argument's position, and 'a' of kernel 'fill' is argument 0$/,
  ],
  [
    'an option without its value at the end',
    () => cl.buildSync('kernel void k() {}', '-cl-std=CL3.0 -D'),
    /CL_INVALID_BUILD_OPTIONS \(-43\): error: argument to '-D' is missing/,
  ],
  [
    "a property by C's name",
    () => cl.device.info(wrong('CL_DEVICE_MAX_COMPUTE_UNITS')),
    /there is no property 'CL_DEVICE_MAX_COMPUTE_UNITS'; did you mean 'MAX_COMPUTE_UNITS'\?$/,
  ],
  [
    "a property by C's name, misspelt",
    () => cl.device.info(wrong('CL_DEVICE_NAM')),
    /did you mean 'NAME'\?$/,
  ],
  ['text for an array', () => arrays(cl).array(wrong('abc')), /lists of equal depth, not 'abc'$/],
  [
    'the name of a file for source code',
    () => cl.buildSync('kernels/saxpy.cl'),
    /'kernels\/saxpy\.cl' is the name of a file: give its text, readFileSync\('kernels\/saxpy\.cl', 'utf8'\)$/,
  ],
  [
    'source code for a module',
    () => decode(Buffer.from('kernel void k(global float *a) {}')),
    /magic number 0x07230203; this is text/,
  ],
  ['a name for options', () => openSync(wrong('gpu')), /; openSync\(\{ device: 'gpu' \}\) chooses a device$/],
  ['a device for options', () => openSync(wrong(cl.device)), /; openSync\(\{ device \}\) takes a device$/],
  [
    'text in a Buffer',
    () => cl.buildSync(Buffer.from('kernel void k() {}')),
    /these bytes are text, and no SPIR-V: OpenCL C is given as a string, such as source\.toString\(\)$/,
  ],
  ['a list of sources', () => cl.buildSync(wrong(['a', 'b'])), /; join the strings: source\.join\('\\n'\)$/],
  ['a promise', () => cl.buildSync(wrong(Promise.resolve(''))), /not a Promise; await the source$/],
  [
    'options as an object',
    () => cl.buildSync('', wrong({ N: 4 })),
    /must be a string, not an Object; they are those of a compiler, as in '-D N=4 -cl-fast-relaxed-math'$/,
  ],
  [
    'an array for data',
    () => cl.buffer(wrong([1])),
    /; make a typed array of it, such as Float32Array\.from\(array\)$/,
  ],
  [
    'memory for data',
    () => cl.buffer(wrong(new ArrayBuffer(4))),
    /; make a view of it, such as new Uint8Array\(data\)$/,
  ],
  [
    'a type by name',
    () => cl.buffer(wrong('float')),
    /; the class is not a string: buffer\(Float32Array, length\)$/,
  ],
  [
    'a class and data',
    () => cl.buffer(Float32Array, wrong([1])),
    /; data is given alone: buffer\(Float32Array\.from\(array\)\)$/,
  ],
  ['a length for options', () => floats.readSync(wrong(2)), /; \{ length: 2 \} reads that many elements$/],
  [
    'an array for options',
    () => floats.readSync(wrong(new Float32Array(4))),
    /; \{ into: array \} reads into it$/,
  ],
  ['a number for a range', () => fill.run(wrong(4), floats), /; the range is \{ global: 4 \}$/],
  ['sizes for a range', () => fill.run(wrong([2, 2]), floats), /; the range is \{ global: \[2, 2\] \}$/],
  [
    'no range',
    () => fill.run(wrong(floats)),
    /; the range comes before the arguments: run\(\{ global: n \}, buffer\)$/,
  ],
])('%s', (_, use, message) => expect(use).toThrow(message));

test('a read and a launch after the session was closed', async () => {
  const closed = openSync({ device: 'software' });
  const buffer = closed.buffer(new Float32Array(4));
  const program = closed.buildSync('kernel void k(global float *a) { a[0] = 1; }');
  closed.close();
  const message = /this Context was released: its session was closed, or `context\.release\(\)` was called$/;
  expect(() => buffer.readSync()).toThrow(message);
  expect(() => program.kernels.k!.runSync({ global: 1 }, buffer)).toThrow(message);
});

test('a link of nothing', async () => {
  await expect(cl.context.link([])).rejects.toThrow(
    /CL_INVALID_VALUE \(-30\): there is nothing to link: `programs` is empty$/,
  );
});

test.each([
  [{}, /has the member `source`: OpenCL C as a string/],
  [{ source: 'kernel void k() {}', kernel: 'k', range: { global: 1 } }, /has the member `args`: an array/],
])('a case without a member: %j', async (given, message) => {
  await expect(checkKernel(wrong(given))).rejects.toThrow(message);
});
