// SPDX-License-Identifier: MIT
//
// Robust access on the software device (docs/adr/0029-robust-access.md): kernels that compute addresses of what they were not
// given read and change nothing else, and correct kernels compute the same as otherwise.
import { findDevice, type Kernel, local, type Session } from '../../ts';
import { openSync } from '../../ts/api/open';

const SOURCE = `
kernel void write(global int *a, int i) { a[i] = 5; }
kernel void read(global const int *a, int i, global int *out) { out[get_global_id(0)] = a[i + (int)get_global_id(0)]; }
kernel void wide(global float *a, int i) { vstore16((float16)(9), i, a); a[i] += vload3(i, a).x; }
kernel void atomics(global int *a, int i) { atomic_add(a + i, 5); atomic_cmpxchg(a + i, 0x11111111, 7); }
kernel void forged(ulong at, global int *out) { global int *p = (global int *)at; out[0] = *p; *p = 77; }
kernel void difference(global int *a, global int *b, int i) { a[(b - a) + i] = 13; }
kernel void to_local(global int *out, int i, local int *l) { l[i] = 3; barrier(CLK_LOCAL_MEM_FENCE); out[0] = l[i]; }
kernel void from_local(global int *out, int i, local int *l) {
  global int *g = (global int *)(size_t)l;
  g[i] = 5;
  out[0] = g[i];
}
kernel void private_array(global int *out, int i) {
  int t[4] = {1, 2, 3, 4};
  t[i] = 9;
  out[0] = t[0] + t[1] + t[2] + t[3];
}
struct list { global int *where; struct list *next; };
kernel void in_struct(global int *out, long distance) {
  struct list one = {out, 0};
  struct list *p = &one;
  p->where = (global int *)((long)p->where + distance);
  *p->where = 21;
}
kernel void copies(global int *out, int i, int n, local int *l) {
  event_t e = async_work_group_copy(l, out + i, n, 0);
  wait_group_events(1, &e);
  e = async_work_group_copy(out + i, l, n, 0);
  wait_group_events(1, &e);
}
kernel void strided(global int *out, int n, local int *l) {
  event_t e = async_work_group_strided_copy(l, out + 1, n, 3, 0);
  wait_group_events(1, &e);
  e = async_work_group_strided_copy(out, l, n, 3, 0);
  wait_group_events(1, &e);
}
struct big { int v[300]; };
kernel void large(global struct big *a, int i) {
  struct big t = a[0];
  t.v[1] = 5;
  a[i] = t;
}
kernel void image(read_only image2d_t from, write_only image2d_t to, int x) {
  write_imagef(to, (int2)(x, x), (float4)(get_image_width(from)));
  write_imagef(to, (int2)(0, 0), read_imagef(from, (int2)(x, -x)));
}
kernel void texels(read_only image2d_t from, global uint4 *out) {
  int x = get_global_id(0), y = get_global_id(1);
  out[y * get_image_width(from) + x] = read_imageui(from, (int2)(x, y));
}
kernel void generic_pointer(global int *out, int i) {
  int t = 4;
  int *p = i ? &t : (int *)out;
  *p = 6;
  out[1] = t;
}
kernel void walks(global int *out, int n) {
  for (global int *p = out; p != out + n; p++) *p = n;
}
kernel void saxpy(float k, global const float *x, global float *y) {
  size_t i = get_global_id(0);
  y[i] += k * x[i];
}
kernel void prints(ulong at) { printf("<%s>", (constant char *)at); }`;

const WORDS = 64;
const PATTERN = 0x11111111;
const DISTANCES = [-1, -64, -32, 63, 64, 96, 65536, 2 ** 31 - 1, -(2 ** 31)];

interface Bench {
  readonly cl: Session;
  readonly kernels: Record<string, Kernel>;
}

async function benchOf(robust: boolean): Promise<Bench> {
  const cl = openSync({ device: 'software', robust });
  const { kernels } = await cl.build(SOURCE, '-cl-std=CL3.0');
  return { cl, kernels: kernels as Record<string, Kernel> };
}

const ints = (cl: Session, value = PATTERN) => cl.buffer(new Int32Array(WORDS).fill(value));

describe('attacks', () => {
  let cl: Session;
  let kernels: Record<string, Kernel>;
  beforeAll(async () => {
    ({ cl, kernels } = await benchOf(true));
  });
  afterAll(() => cl.close());

  /** Runs a kernel with a buffer between two others, which must stay as they are. */
  async function attack(run: (target: ReturnType<typeof ints>) => PromiseLike<void>): Promise<Int32Array> {
    const others = [ints(cl), ints(cl)];
    const target = cl.buffer(new Int32Array(WORDS));
    others.push(ints(cl), ints(cl));
    await run(target);
    for (const other of others) {
      expect(Array.from(await other.read())).toEqual(new Array(WORDS).fill(PATTERN));
      other.release();
    }
    const result = await target.read();
    target.release();
    return result;
  }

  test.each(['write', 'atomics'])('%s', async (name) => {
    for (const i of DISTANCES) await attack((a) => kernels[name]!.run({ global: 1 }, a, i));
  });

  test('reads of other buffers', async () => {
    const out = cl.buffer(new Int32Array(WORDS));
    for (const i of DISTANCES) {
      await attack((a) => kernels.read!.run({ global: WORDS }, a, i, out));
      expect(Array.from(await out.read())).not.toContain(PATTERN);
    }
    out.release();
  });

  test('vectors', async () => {
    for (const i of DISTANCES)
      await attack(async () => {
        const a = cl.buffer(new Float32Array(20));
        await kernels.wide!.run({ global: 1 }, a, i);
        a.release();
      });
  });

  test('pointers from integers, and from memory', async () => {
    for (let at = 65536; at < 200_000; at += 12_345)
      await attack((out) => kernels.forged!.run({ global: 1 }, BigInt(at), out));
    const other = ints(cl);
    for (const i of DISTANCES) {
      await attack((a) => kernels.difference!.run({ global: 1 }, a, other, i & 15));
      await attack((a) => kernels.in_struct!.run({ global: 1 }, a, BigInt(i) * 4n));
    }
    other.release();
  });

  test('structs that are copied', async () => {
    for (const i of DISTANCES) await attack((a) => kernels.large!.run({ global: 1 }, a, i));
    await attack(() => kernels.large!.run({ global: 1 }, null, 1));
  });

  test('local and private memory', async () => {
    for (const i of DISTANCES)
      for (const name of ['to_local', 'from_local'])
        await attack((a) => kernels[name]!.run({ global: 8, local: 4 }, a, i, local(Int32Array, 4)));
    for (const i of DISTANCES) await attack((a) => kernels.private_array!.run({ global: 8 }, a, i));
    for (const [i, n] of [
      [-4, 8],
      [60, 8],
      [0, 1 << 20],
      [0, 2 ** 31 - 1],
      [2 ** 28, 8],
      [-(2 ** 28), 8],
    ] as const)
      await attack((a) => kernels.copies!.run({ global: 8, local: 8 }, a, i, n, local(Int32Array, 8)));
  });

  test('strided copies', async () => {
    for (const n of [22, 23, 1000, 2 ** 27, -1]) {
      const found = await attack((a) =>
        kernels.strided!.run({ global: 8, local: 8 }, a, n, local(Int32Array, 32)),
      );
      expect(Array.from(found)).toEqual(new Array(WORDS).fill(0));
    }
  });

  test('images', async () => {
    const shape = { type: '2d', format: 'rgba32f', width: 4, height: 4 } as const;
    const [from, to] = [cl.image(shape, new Float32Array(64)), cl.image(shape, new Float32Array(64))];
    for (const x of [-1, 4, 5, 1000, -100_000, 2 ** 30])
      await attack(() => kernels.image!.run({ global: 1 }, from, to, x));
    for (const each of [from, to]) each.release();
  });

  test('null and released sizes', async () => {
    await attack(() => kernels.write!.run({ global: 1 }, null, 3));
    const whole = ints(cl);
    const part = whole.sub(0, 1);
    await kernels.write!.run({ global: 1 }, part, 40);
    expect(Array.from(await whole.read()).slice(1)).toEqual(new Array(WORDS - 1).fill(PATTERN));
    for (const each of [part, whole]) each.release();
  });
});

test('correct kernels compute the same', async () => {
  const results: unknown[] = [];
  for (const robust of [false, true]) {
    const { cl, kernels } = await benchOf(robust);
    const n = 1003;
    const x = cl.buffer(Float32Array.from({ length: n }, (_, i) => i));
    const y = cl.buffer(new Float32Array(n).fill(1));
    await kernels.saxpy!.run({ global: n }, 2, x, y);
    const out = ints(cl, 0);
    const found: number[][] = [Array.from(await y.read())];
    const then = async () => found.push(Array.from(await out.read()));
    for (const i of [0, 1]) {
      await kernels.generic_pointer!.run({ global: 1 }, out, i);
      await then();
    }
    for (const i of [0, 1, 2, 3]) {
      await kernels.private_array!.run({ global: 1 }, out, i);
      await then();
    }
    await kernels.walks!.run({ global: 1 }, out, WORDS);
    await then();
    await kernels.in_struct!.run({ global: 1 }, out, 8n);
    await then();
    await kernels.copies!.run({ global: 8, local: 8 }, out, 8, 8, local(Int32Array, 8));
    await then();
    // The last element is the last of the buffer, in both directions.
    const many = cl.buffer(Int32Array.from({ length: 62 }, (_, i) => i));
    await kernels.strided!.run({ global: 8, local: 8 }, many, 21, local(Int32Array, 21));
    found.push(Array.from(await many.read()));
    await kernels.from_local!.run({ global: 4, local: 4 }, out, 3, local(Int32Array, 4));
    await then();
    const structs = cl.buffer(Int32Array.from({ length: 600 }, (_, i) => i));
    await kernels.large!.run({ global: 1 }, structs, 1);
    found.push(Array.from(await structs.read()));
    results.push(found);
    cl.close();
  }
  expect(results[1]).toEqual(results[0]);
});

/** The library reads words, which may end after the last texel. */
test.each([
  ['r8ui', Uint8Array, 1],
  ['rg8ui', Uint8Array, 2],
  ['rgba8ui', Uint8Array, 4],
  ['r16ui', Uint16Array, 1],
  ['rgba16ui', Uint16Array, 4],
] as const)('all texels of an image of the format %s are read', async (format, Content, channels) => {
  const { cl, kernels } = await benchOf(true);
  const [width, height] = [5, 3];
  const texels = new Content(width * height * channels).map((_, i) => i + 1);
  const image = cl.image({ type: '2d', format, width, height }, texels);
  const out = cl.buffer(Uint32Array, width * height * 4);
  await kernels.texels!.run({ global: [width, height] }, image, out);
  const found = Array.from(await out.read()).filter((_, i) => i % 4 < channels);
  expect(found).toEqual(Array.from(texels));
  cl.close();
});

test('drivers do not have it', () => {
  expect(() => findDevice('software').createContext({ robust: 1 } as never)).toThrow(
    /`options.robust` must be/,
  );
});
