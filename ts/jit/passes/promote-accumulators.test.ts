// SPDX-License-Identifier: MIT
import { optimizedKernel, optimizedWithSignature } from '../../../tests/helpers/optimized-kernel';
import { dominatorsOf, naturalLoops } from '../ir/cfg';
import { type Func, type Inst, Op } from '../ir/ir';

const kernel = (
  body: string,
  parameters = 'global int *restrict out, global const int *p, local int *l, int n',
) => `kernel void k(${parameters}) { int x = get_global_id(0); ${body} }`;

/** The loads and stores in a kernel's loops, as letters. */
function accessesInLoops(func: Func): string {
  const inside = new Set(naturalLoops(dominatorsOf(func)).flatMap((loop) => [...loop.blocks]));
  const letters = ({ op }: Inst) => (op === Op.Load ? 'l' : op === Op.Store ? 's' : '');
  return [...inside]
    .flatMap((block) => block.insts.map(letters))
    .sort()
    .join('');
}

const inLoops = (body: string, parameters?: string): string =>
  accessesInLoops(optimizedKernel(kernel(body, parameters)));

test('an element that each iteration updates is read before the loop and written after it', () => {
  expect(inLoops('for (int i = 0; i < n; i++) out[x] += i;')).toBe('');
  expect(inLoops('for (int i = 0; i < n; i++) out[x] += p[i];')).toBe('l');
  expect(inLoops('for (int i = 0; i < n; i++) out[x] = p[i];')).toBe('l');
  expect(inLoops('for (int i = 0; i < n; i++) { out[2 * x] += i; out[2 * x + 1] ^= i; }')).toBe('');
});

test('so is one of an outer loop, and one that an inner loop updates in any case', () => {
  expect(inLoops('for (int i = 0; i < n; i++) { int j = 0; do out[x] += i * j; while (++j < n); }')).toBe('');
  // The element of an iteration is read and written once for each.
  const perRow = 'for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) out[i * n + x] += i * j;';
  expect(inLoops(perRow)).toBe('ls');
});

test('local and private memory, too', () => {
  expect(inLoops('for (int i = 0; i < n; i++) l[x] += i; out[x] = l[x ^ 1];')).toBe('');
  expect(inLoops('int a[8] = { n }; for (int i = 0; i < n; i++) a[x & 7] += i; out[x] = a[n & 7];')).toBe('');
});

test('a condition in the loop needs a store before it, or others might write there', () => {
  expect(inLoops('for (int i = 0; i < n; i++) if (i & x) out[x] += i;')).toBe('ls');
  expect(inLoops('out[x] = 0; for (int i = 0; i < n; i++) if (i & x) out[x] += i;')).toBe('');
  expect(inLoops('for (int i = 0; i < n; i++) { if (p[i] == x) break; out[x] += i; }')).toBe('lls');
  expect(inLoops('int i = 0; do { out[x] += i; if (p[i] == x) break; } while (++i < n);')).toBe('l');
  const told =
    'l[x] = 0; barrier(1); for (int i = 0; i < n; i++) if (i & x) l[x] += i; barrier(1); out[x] = l[n];';
  expect(inLoops(told)).toBe('ls');
});

test('not where others may see the stores, or the loop accesses the memory otherwise', () => {
  expect(inLoops('for (int i = 0; i < n; i++) { out[x] += i; barrier(2); }')).toBe('ls');
  expect(inLoops('for (int i = 0; i < n; i++) { out[x] += i; atomic_inc(out + n); }')).toBe('ls');
  expect(inLoops('for (int i = 0; i < n; i++) { out[x] += i; mem_fence(CLK_GLOBAL_MEM_FENCE); }')).toBe('ls');
  expect(inLoops('for (int i = 0; i < n; i++) out[x] += out[i];')).toBe('lls');
  expect(inLoops('for (int i = 0; i < n; i++) { out[x] += i; ((global char *)out)[x * 4] = 1; }')).toBe(
    'lss',
  );
  expect(inLoops('volatile global int *v = out; for (int i = 0; i < n; i++) v[x] += i;')).toBe('ls');
  expect(inLoops('for (;;) out[x] += n;')).toBe('ls');
});

test('memory of another argument is taken for separate only in code for separate arguments', () => {
  const text = kernel(
    'for (int i = 0; i < n; i++) out[x] += p[i];',
    'global int *out, global const int *p, int n',
  );
  for (const [separate, accesses] of [
    [false, 'lls'],
    [true, 'l'],
  ] as const) {
    const { func } = optimizedWithSignature(text, separate);
    expect(accessesInLoops(func)).toBe(accesses);
    expect(func.dependsOnSeparate).toBe(true);
  }
});
