// SPDX-License-Identifier: MIT
//
// Checked launches some of whose work-items do less than those of the first group: at the edge of an image, for example. They run
// plain code where this cannot cause a fault, and faults that only these work-items have are reported.
import { type Fault, type KernelValue, openSync, type Session } from '../../ts';

const WIDTH = 60;
const GROUP = 16;
const GLOBAL = 64;

const SOURCE = `
kernel void smallest(global const int *in, global int *out, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= w || y >= w) return;
  int v[3], n = 0;
  for (int i = -1; i <= 1; i++) v[n++] = in[y * w + clamp(x + i, 0, w - 1)];
  for (int i = 0; i < 2; i++) for (int j = i + 1; j < 3; j++) if (v[j] < v[i]) { int t = v[i]; v[i] = v[j]; v[j] = t; }
  out[y * w + x] = v[0];
}
kernel void tile(global const int *in, global int *out, int w) {
  local int t[${GROUP}][${GROUP}];
  int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
  t[ly][lx] = x < w && y < w ? in[y * w + x] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x < w && y < w) out[y * w + x] = t[ly][${GROUP - 1} - lx];
}
kernel void eliminate(global int *a, int n, int k) {
  int j = get_global_id(0) + k + 1, i = get_global_id(1) + k + 1;
  if (i < n && j < n) a[i * n + j] -= a[i * n + k] * a[k * n + j];
}
kernel void set_by_some(global const int *in, global int *out, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  int v[2];
  for (int i = 0; i < 2; i++) if (x < w) v[i] = i;
  out[y * ${GLOBAL} + x] = v[x & 1];                          // line 25
}
kernel void other_side(global const int *in, global int *out, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  int v[2];
  if (x < w) { for (int i = 0; i < 2; i++) v[i] = i; out[y * ${GLOBAL} + x] = v[x & 1]; }
  else out[y * ${GLOBAL} + x] = v[x & 1];                     // line 31
}
kernel void written_by_some(global const int *in, global int *out, int w) {
  local int t[${GROUP}][${GROUP}];
  int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
  if (x < w) t[ly][lx] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x < w) out[y * w + x] = t[ly][${GROUP - 1} - lx];       // line 38
}
kernel void first_step_missing(global const int *in, global int *out, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  int v[4];
  for (int i = 0; i < 4; i++) {
    if (x - i >= -w) v[i] = i;
    if (x + i < 2 * w) out[y * ${GLOBAL} + x] = v[i];
  }
}
kernel void same_column(global int *a, int n, int k) {
  int j = get_global_id(0) + k, i = get_global_id(1) + k + 1;
  if (i < n && j < n) a[i * n + j] -= a[i * n + k];           // line 50
}
`;

let session: Session;
let kernels: ReturnType<Session['buildSync']>['kernels'];
beforeAll(() => {
  session = openSync({ device: 'software', check: 'all' });
  kernels = session.buildSync(SOURCE).kernels;
});
afterAll(() => session.close());

const buffer = () => session.buffer(Int32Array.from({ length: GLOBAL * GLOBAL }, (_, i) => (i * 7919) % 101));

function faultsOf(name: string, args: readonly KernelValue[]): readonly Fault[] {
  const kernel = kernels[name]!;
  kernel.setArgs(...args);
  const event = session.queue.enqueueNDRange(kernel, { global: [GLOBAL, GLOBAL], local: [GROUP, GROUP] });
  event.waitSync();
  return event.faults;
}
const linesOf = (faults: readonly Fault[]) => faults.map(({ kind, place }) => `${kind} ${place?.line}`);

test.each(['smallest', 'tile'])('%s, twice', (name) => {
  const [input, out] = [buffer(), buffer()];
  const numbers = input.readSync();
  for (let round = 0; round < 2; round++) expect(linesOf(faultsOf(name, [input, out, WIDTH]))).toEqual([]);
  const found = out.readSync();
  const at = (x: number, y: number) => numbers[y * WIDTH + x]!;
  for (let y = 0; y < WIDTH; y++)
    for (let x = 0; x < WIDTH; x++) {
      const mirrored = x - (x % GROUP) + GROUP - 1 - (x % GROUP);
      const expected =
        name === 'tile'
          ? mirrored < WIDTH
            ? at(mirrored, y)
            : 0
          : Math.min(at(Math.max(0, x - 1), y), at(x, y), at(Math.min(WIDTH - 1, x + 1), y));
      expect(found[y * WIDTH + x]).toBe(expected);
    }
});

test('an elimination step, whose reads are in other rows and columns than its writes', () => {
  const data = buffer();
  for (let k = 0; k < 5; k++) expect(linesOf(faultsOf('eliminate', [data, WIDTH, k]))).toEqual([]);
});

test.each([
  ['set_by_some', 25],
  ['other_side', 31],
  ['written_by_some', 38],
])('a fault that only the last groups have: %s', (name, line) => {
  for (let round = 0; round < 2; round++)
    expect(linesOf(faultsOf(name, [buffer(), buffer(), WIDTH]))).toEqual([`uninitialized ${line}`]);
});

test('conditions of iterations are not guards', () => {
  expect(linesOf(faultsOf('first_step_missing', [buffer(), buffer(), WIDTH]))).toEqual([]);
});

test('a column that is read and written', () => {
  expect(linesOf(faultsOf('same_column', [buffer(), WIDTH, 3]))).toEqual(['race 50']);
});
