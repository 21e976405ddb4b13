// SPDX-License-Identifier: MIT
//
// Kernels with small known effects: for each its source, a random launch, the bytes that it touches, and what it does in JavaScript.
import type { Chance } from '../chance';
import type { ImageMemory, Launch, Memory, Place } from './program';

/** What a launch may use. */
export interface KernelScene {
  readonly chance: Chance;
  /** A memory with room for this many bytes, that kernels see as a pointer. */
  pointer(bytes: number): Memory | undefined;
  image(condition: (image: ImageMemory) => boolean): ImageMemory | undefined;
}

/** The contents of a memory as the kernel sees it. */
export type Seen = (memory: number) => Uint8Array;

export interface KernelKind {
  readonly source: string;
  readonly needsImages?: boolean;
  launch(scene: KernelScene): Omit<Launch, 'kernel'> | undefined;
  reads(launch: Launch): readonly Place[];
  writes(launch: Launch): readonly Place[];
  apply(launch: Launch, seen: Seen, imageOf: (memory: number) => ImageMemory): void;
}

const ints = (bytes: Uint8Array): Int32Array =>
  new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);

const span = (memory: number, firstInt: number, count: number): Place => ({
  memory,
  kind: 'span',
  offset: 4 * firstInt,
  size: 4 * count,
});

/** A count of work-items, mostly few. */
const countOf = (chance: Chance): number => chance.pick([1, 2, 3, 7, 16, 31, 64, 100, 127, 256, 1000, 2048]);

/** A local size that divides, or none. */
function localOf(chance: Chance, global: number, most = 64): readonly number[] | undefined {
  if (chance.with(0.4)) return undefined;
  const sizes = Array.from({ length: Math.min(global, most) }, (_, i) => i + 1);
  return [chance.pick(sizes.filter((size) => global % size === 0))];
}

/** A place for `count` ints in a memory: its first int. */
function placeIn(chance: Chance, memory: Memory, count: number): number {
  return chance.integer(0, Math.floor(memory.size / 4) - count);
}

/** A one-dimensional launch; the offset is a part of `at`, so that kernels use `at - offset`. */
function range(chance: Chance, count: number) {
  const local = localOf(chance, count);
  const offset = chance.with(0.3) ? chance.integer(1, 40) : 0;
  return {
    count,
    offset,
    range: { global: [count], ...(local && { local }), ...(offset && { offset: [offset] }) },
  };
}

const offsetOf = ({ offset }: Launch): number => offset?.[0] ?? 0;

function twoPlaces({ chance, pointer }: KernelScene) {
  const count = countOf(chance);
  const [a, b] = [pointer(4 * count), pointer(4 * count)];
  if (!a || !b) return undefined;
  return { count, a, b, at: placeIn(chance, a, count), to: placeIn(chance, b, count) };
}

const disjoint = (a: Memory, at: number, b: Memory, to: number, count: number): boolean => {
  const base = (memory: Memory) => (memory.kind === 'sub' ? memory.origin / 4 : 0);
  const owner = (memory: Memory) => (memory.kind === 'sub' ? memory.parent : memory.id);
  return owner(a) !== owner(b) || Math.abs(base(a) + at - base(b) - to) >= count;
};

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

export const KERNELS: Readonly<Record<string, KernelKind>> = {
  add: {
    source: 'kernel void add(global int *x, int at, int k) { x[at + (int)get_global_id(0)] += k; }',
    launch({ chance, pointer }) {
      const { count, offset, range: sizes } = range(chance, countOf(chance));
      const x = pointer(4 * count);
      if (!x) return undefined;
      const at = placeIn(chance, x, count) - offset;
      return { memories: [x.id], numbers: [at, chance.integer(-9, 99)], locals: [], ...sizes };
    },
    reads: () => [],
    writes: (launch) => [span(launch.memories[0]!, launch.numbers[0]! + offsetOf(launch), launch.global[0]!)],
    apply(launch, seen) {
      const x = ints(seen(launch.memories[0]!));
      const first = launch.numbers[0]! + offsetOf(launch);
      for (let i = 0; i < launch.global[0]!; i++) x[first + i]! += launch.numbers[1]!;
    },
  },
  bytes: {
    source:
      'kernel void bytes(global uchar *x, int at, int k) { int i = get_global_id(0); x[at + i] = x[at + i] * 3 + i * k; }',
    launch({ chance, pointer }) {
      const { count, offset, range: sizes } = range(chance, countOf(chance));
      const x = pointer(count);
      if (!x) return undefined;
      const at = chance.integer(0, x.size - count) - offset;
      return { memories: [x.id], numbers: [at, chance.integer(0, 200)], locals: [], ...sizes };
    },
    reads: () => [],
    writes: (launch) => [
      {
        memory: launch.memories[0]!,
        kind: 'span',
        offset: launch.numbers[0]! + offsetOf(launch),
        size: launch.global[0]!,
      },
    ],
    apply(launch, seen) {
      const x = seen(launch.memories[0]!);
      const [at, k] = launch.numbers as [number, number];
      const offset = offsetOf(launch);
      for (let i = offset; i < offset + launch.global[0]!; i++) x[at + i] = x[at + i]! * 3 + i * k;
    },
  },
  transform: {
    source: `kernel void transform(global const int *a, global int *b, int at, int to, int k) {
  int i = get_global_id(0);
  b[to + i] = a[at + i] * 3 + k + i;
}`,
    launch(scene) {
      const places = twoPlaces(scene);
      if (!places) return undefined;
      const { count, a, b, at, to } = places;
      if (!disjoint(a, at, b, to, count)) return undefined;
      const { offset, range: sizes } = range(scene.chance, count);
      const numbers = [at - offset, to - offset, scene.chance.integer(-99, 99)];
      return { memories: [a.id, b.id], numbers, locals: [], ...sizes };
    },
    reads: (launch) => [span(launch.memories[0]!, launch.numbers[0]! + offsetOf(launch), launch.global[0]!)],
    writes: (launch) => [span(launch.memories[1]!, launch.numbers[1]! + offsetOf(launch), launch.global[0]!)],
    apply(launch, seen) {
      const [a, b] = [ints(seen(launch.memories[0]!)), ints(seen(launch.memories[1]!))];
      const [at, to, k] = launch.numbers as [number, number, number];
      const offset = offsetOf(launch);
      for (let i = offset; i < offset + launch.global[0]!; i++)
        b[to + i] = (Math.imul(a[at + i]!, 3) + k + i) | 0;
    },
  },
  permute: {
    source: `kernel void permute(global const int *a, global int *b, int at, int to, int stride, int n) {
  int i = get_global_id(0);
  b[to + i * stride % n] = a[at + i] ^ i;
}`,
    launch(scene) {
      const places = twoPlaces(scene);
      if (!places) return undefined;
      const { count, a, b, at, to } = places;
      if (!disjoint(a, at, b, to, count)) return undefined;
      let stride = scene.chance.integer(1, 50);
      while (gcd(stride, count) !== 1) stride++;
      const local = localOf(scene.chance, count);
      return {
        memories: [a.id, b.id],
        numbers: [at, to, stride, count],
        locals: [],
        global: [count],
        ...(local && { local }),
      };
    },
    reads: ({ memories, numbers, global }) => [span(memories[0]!, numbers[0]!, global[0]!)],
    writes: ({ memories, numbers, global }) => [span(memories[1]!, numbers[1]!, global[0]!)],
    apply({ memories, numbers }, seen) {
      const [a, b] = [ints(seen(memories[0]!)), ints(seen(memories[1]!))];
      const [at, to, stride, n] = numbers as [number, number, number, number];
      for (let i = 0; i < n; i++) b[to + ((i * stride) % n)] = a[at + i]! ^ i;
    },
  },
  reverse: {
    source: `kernel void reverse(global int *x, int at, local int *kept) {
  int i = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
  kept[l] = x[at + i];
  barrier(CLK_LOCAL_MEM_FENCE);
  x[at + i] = kept[n - 1 - l] + 1;
}`,
    launch({ chance, pointer }) {
      const local = chance.integer(1, 40);
      const count = local * chance.integer(1, 30);
      const x = pointer(4 * count);
      if (!x) return undefined;
      const numbers = [placeIn(chance, x, count)];
      return { memories: [x.id], numbers, locals: [4 * local], global: [count], local: [local] };
    },
    reads: () => [],
    writes: ({ memories, numbers, global }) => [span(memories[0]!, numbers[0]!, global[0]!)],
    apply({ memories, numbers, global, local }, seen) {
      const x = ints(seen(memories[0]!));
      const [at, n] = [numbers[0]!, local![0]!];
      for (let first = 0; first < global[0]!; first += n) {
        const kept = x.slice(at + first, at + first + n);
        for (let l = 0; l < n; l++) x[at + first + l] = kept[n - 1 - l]! + 1;
      }
    },
  },
  count: {
    source: `kernel void count(global int *x, int at, int m, int k) {
  int i = get_global_id(0);
  atomic_add(&x[at + i % m], i + k);
}`,
    launch({ chance, pointer }) {
      const m = chance.pick([1, 2, 5, 16]);
      const x = pointer(4 * m);
      if (!x) return undefined;
      const count = countOf(chance);
      const local = localOf(chance, count);
      const numbers = [placeIn(chance, x, m), m, chance.integer(0, 9)];
      return { memories: [x.id], numbers, locals: [], global: [count], ...(local && { local }) };
    },
    reads: () => [],
    writes: ({ memories, numbers }) => [span(memories[0]!, numbers[0]!, numbers[1]!)],
    apply({ memories, numbers, global }, seen) {
      const x = ints(seen(memories[0]!));
      const [at, m, k] = numbers as [number, number, number];
      for (let i = 0; i < global[0]!; i++) x[at + (i % m)]! += i + k;
    },
  },
  rows: {
    source: `kernel void rows(global int *x, int at, int pitch, int k) {
  int c = get_global_id(0), r = get_global_id(1);
  x[at + r * pitch + c] = x[at + r * pitch + c] * 5 + (r << 8 | c) + k;
}`,
    launch({ chance, pointer }) {
      const [columns, rows] = [chance.integer(1, 40), chance.integer(1, 12)];
      const pitch = columns + chance.integer(0, 5);
      const count = (rows - 1) * pitch + columns;
      const x = pointer(4 * count);
      if (!x) return undefined;
      const divisor = (n: number) => chance.pick([1, 2, 3, 4, 5, 8].filter((size) => n % size === 0));
      const local = chance.with(0.5) ? [divisor(columns), divisor(rows)] : undefined;
      const numbers = [placeIn(chance, x, count), pitch, chance.integer(0, 99)];
      return { memories: [x.id], numbers, locals: [], global: [columns, rows], ...(local && { local }) };
    },
    reads: () => [],
    writes: ({ memories, numbers, global }) => [
      {
        memory: memories[0]!,
        kind: 'box',
        box: {
          origin: [4 * numbers[0]!, 0, 0],
          region: [4 * global[0]!, global[1]!, 1],
          rowPitch: 4 * numbers[1]!,
          slicePitch: 4 * numbers[1]! * global[1]!,
        },
      },
    ],
    apply({ memories, numbers, global }, seen) {
      const x = ints(seen(memories[0]!));
      const [at, pitch, k] = numbers as [number, number, number];
      for (let r = 0; r < global[1]!; r++)
        for (let c = 0; c < global[0]!; c++) {
          const i = at + r * pitch + c;
          x[i] = (Math.imul(x[i]!, 5) + ((r << 8) | c) + k) | 0;
        }
    },
  },
  spin: {
    source: `kernel void spin(global int *x, int at, int rounds) {
  int i = at + (int)get_global_id(0);
  uint v = x[i];
  for (int k = 0; k < rounds; k++) v = v * 1664525u + 1013904223u;
  x[i] = v;
}`,
    launch({ chance, pointer }) {
      const count = chance.integer(1, 60);
      const x = pointer(4 * count);
      if (!x) return undefined;
      const local = localOf(chance, count);
      const numbers = [placeIn(chance, x, count), chance.pick([10, 1000, 20_000])];
      return { memories: [x.id], numbers, locals: [], global: [count], ...(local && { local }) };
    },
    reads: () => [],
    writes: ({ memories, numbers, global }) => [span(memories[0]!, numbers[0]!, global[0]!)],
    apply({ memories, numbers, global }, seen) {
      const x = ints(seen(memories[0]!));
      for (let i = numbers[0]!; i < numbers[0]! + global[0]!; i++) {
        let v = x[i]!;
        for (let k = 0; k < numbers[1]!; k++) v = (Math.imul(v, 1664525) + 1013904223) | 0;
        x[i] = v;
      }
    },
  },
  paint: {
    needsImages: true,
    source: `kernel void paint(write_only image2d_t image, int x, int y, int k) {
  int i = get_global_id(0), j = get_global_id(1);
  uint v = i * 7 + j * 13 + k;
  write_imageui(image, (int2)(x + i, y + j), (uint4)(v & 255, (v + 1) & 255, (v + 2) & 255, (v + 3) & 255));
}`,
    launch({ chance, image }) {
      const target = image(({ type, format }) => type === '2d' && format.endsWith('ui'));
      if (!target) return undefined;
      const { x, y, width, height } = pixelsIn(chance, target);
      const numbers = [x, y, chance.integer(0, 255)];
      return { memories: [target.id], numbers, locals: [], global: [width, height] };
    },
    reads: () => [],
    writes: ({ memories, numbers, global }) => [pixels(memories[0]!, numbers[0]!, numbers[1]!, global)],
    apply: applyToImages,
  },
  peek: {
    needsImages: true,
    source: `kernel void peek(global uint *out, read_only image2d_t image, int at, int x, int y) {
  int i = get_global_id(0), j = get_global_id(1);
  uint4 p = read_imageui(image, (int2)(x + i, y + j));
  out[at + j * (int)get_global_size(0) + i] = p.x + 3 * p.y + 5 * p.z + 7 * p.w;
}`,
    launch({ chance, pointer, image }) {
      const source = image(({ type, format }) => type === '2d' && format.endsWith('ui'));
      if (!source) return undefined;
      const { x, y, width, height } = pixelsIn(chance, source);
      const out = pointer(4 * width * height);
      if (!out) return undefined;
      const numbers = [placeIn(chance, out, width * height), x, y];
      return { memories: [out.id, source.id], numbers, locals: [], global: [width, height] };
    },
    reads: ({ memories, numbers, global }) => [pixels(memories[1]!, numbers[1]!, numbers[2]!, global)],
    writes: ({ memories, numbers, global }) => [span(memories[0]!, numbers[0]!, global[0]! * global[1]!)],
    apply: applyToImages,
  },
};

const pixels = (memory: number, x: number, y: number, global: readonly number[]): Place => ({
  memory,
  kind: 'pixels',
  origin: [x, y, 0],
  region: [global[0]!, global[1]!, 1],
});

function pixelsIn(chance: Chance, { extent }: ImageMemory) {
  const [x, y] = [chance.integer(0, extent[0] - 1), chance.integer(0, extent[1] - 1)];
  return { x, y, width: chance.integer(1, extent[0] - x), height: chance.integer(1, extent[1] - y) };
}

/** The channels of a pixel: their number, and one value's typed array over the image's contents. */
function channels({ pixelBytes, format }: ImageMemory, contents: Uint8Array) {
  const Values = format.endsWith('8ui') ? Uint8Array : format.endsWith('16ui') ? Uint16Array : Uint32Array;
  return {
    count: pixelBytes / Values.BYTES_PER_ELEMENT,
    values: new Values(
      contents.buffer as ArrayBuffer,
      contents.byteOffset,
      contents.byteLength / Values.BYTES_PER_ELEMENT,
    ),
  };
}

/** What `paint` and `peek` do. */
function applyToImages(launch: Launch, seen: Seen, imageOf: (memory: number) => ImageMemory): void {
  const { kernel, memories, numbers, global } = launch;
  const isPaint = kernel === 'paint';
  const image = imageOf(memories[isPaint ? 0 : 1]!);
  const { count, values } = channels(image, seen(image.id));
  const [x, y] = isPaint ? [numbers[0]!, numbers[1]!] : [numbers[1]!, numbers[2]!];
  const out = isPaint ? undefined : ints(seen(memories[0]!));
  for (let j = 0; j < global[1]!; j++)
    for (let i = 0; i < global[0]!; i++) {
      const first = ((y + j) * image.extent[0] + x + i) * count;
      if (out) {
        // A channel that the format does not have is 0, alpha is 1.
        const pixel = [0, 1, 2, 3].map((c) => (c < count ? values[first + c]! : c === 3 ? 1 : 0));
        const sum = pixel.reduce((total, value, c) => total + Math.imul(value, 2 * c + 1), 0);
        out[numbers[0]! + j * global[0]! + i] = sum | 0;
      } else for (let c = 0; c < count; c++) values[first + c] = (i * 7 + j * 13 + numbers[2]! + c) & 255;
    }
}
