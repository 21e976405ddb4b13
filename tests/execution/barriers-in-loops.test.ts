// SPDX-License-Identifier: MIT
//
// Loops around barriers whose conditions all work-items agree on, although the compiler cannot know it. Each work-item's counters
// must be those of the iteration in which it reached the barrier. Plainly and with checks, against JavaScript.
import { openSync, type Session } from '../../ts';

const GROUP = 32;
const COUNT = 2 * GROUP;

const KERNELS: Record<string, { source: string; result: (n: number) => number }> = {
  'a jump into a loop': {
    source: `int s = 1, d = 11;
      if (in[n]) { if (g == 77) out[0] = 1; goto into; }
      while (d-- > 0) { barrier(CLK_LOCAL_MEM_FENCE); s += 1; into: ; }
      out[g] = s * 100;`,
    result: () => 1200,
  },
  'a barrier in some iterations': {
    source: `int i = 0, s = 0, last = 0;
      for (;;) {
        i++;
        if ((in[g] + i) % 3 == 0) { s += i * 10; last = i; barrier(CLK_LOCAL_MEM_FENCE); s += i; }
        if (i > n + in[g]) break;
        s++;
      }
      out[g] = s * 100 + last;`,
    result: (n) => {
      let [s, last] = [0, 0];
      for (let i = 1; ; i++) {
        if ((7 + i) % 3 === 0) {
          s += i * 11;
          last = i;
        }
        if (i > n + 7) return s * 100 + last;
        s++;
      }
    },
  },
  'a barrier before the loop ends': {
    source: `int i = 0, s = 0; float f = 0.5f; long w = 3;
      while (true) {
        if (in[g] + i > n + 20) { s += i + (int)w + (int)(f * 2); barrier(CLK_LOCAL_MEM_FENCE); break; }
        i += 2; w = w * 3 + i; f += 1.5f;
      }
      out[g] = s + i;`,
    result: (n) => {
      let [i, w, f] = [0, 3, 0.5];
      for (; 7 + i <= n + 20; f += 1.5) {
        i += 2;
        w = w * 3 + i;
      }
      return (i + w + f * 2 + i) | 0;
    },
  },
};

describe.each([undefined, 'all'] as const)('checks: %s', (check) => {
  let session: Session;
  beforeAll(() => {
    session = openSync({ device: 'software', ...(check && { check }) });
  });
  afterAll(() => session.close());

  test.each(Object.entries(KERNELS))('%s', async (_, { source, result }) => {
    const { kernels } = session.buildSync(
      `kernel void k(global const int *in, global int *out, int n) { int g = get_global_id(0); ${source} }`,
    );
    const input = session.buffer(new Int32Array(COUNT).fill(7));
    const out = session.buffer(Int32Array, COUNT);
    for (const n of [0, 3, 4, 5])
      for (const local of [1, 4, 8, 16, GROUP]) {
        await kernels.k!.run({ global: COUNT, local }, input, out, n);
        expect([n, local, ...new Set(await out.read())]).toEqual([n, local, result(n)]);
      }
  });
});
