// SPDX-License-Identifier: MIT
import { compiledModule } from '../../../tests/helpers/compiled-module';
import { Program } from '../frontend/program';
import { optimize } from '../pipeline';
import { privatizedArguments } from './privatize-atomics';

/** The names of the arguments that may be privatized. */
function privatized(body: string, options = ''): string[] {
  const text = `struct S { global int *p; };
  kernel void k(global int *bins, global int *other, global const int *x, local int *l, global struct S *far,
                              read_only image2d_t image) {
    int i = get_global_id(0);
    ${body}
  }`;
  const module = compiledModule({ name: 'k.cl', text, options, target: 'spir' });
  const program = new Program(module, { moduleOf: () => undefined });
  const { func, signature } = program.translate('k');
  optimize(func, { signature, constants: program.image, fuse: false });
  return privatizedArguments(func, signature).map(
    ({ argument, rmw }) => `${signature.arguments[argument]!.name} ${rmw}`,
  );
}

test('arguments that are only added to, or only combined by one kind of operation', () => {
  expect(privatized('atomic_inc(&bins[x[i]]);')).toEqual(['bins add']);
  expect(privatized('atomic_inc(&bins[x[i]]); atomic_sub(bins + 7, i);')).toEqual(['bins add']);
  expect(privatized('atomic_max(&bins[x[i]], i); atomic_or(other, i);')).toEqual(['bins smax', 'other or']);
  expect(privatized('for (int j = i; j < x[0]; j++) if (x[j] > 3) atomic_inc(&bins[x[j]]);')).toEqual([
    'bins add',
  ]);
});

test('not where the kernel could tell: a result that is used, a read, a write, an operation that does not commute', () => {
  expect(privatized('other[i] = atomic_inc(&bins[x[i]]);')).toEqual([]);
  expect(privatized('atomic_inc(&bins[x[i]]); other[i] = bins[i];')).toEqual([]);
  expect(privatized('atomic_inc(&bins[x[i]]); if (i == 0) bins[9] = 0;')).toEqual([]);
  expect(privatized('atomic_inc(&bins[x[i]]); atomic_max(&bins[0], i);')).toEqual([]);
  expect(privatized('atomic_xchg(&bins[x[i]], i);')).toEqual([]);
  expect(privatized('atomic_cmpxchg(&bins[x[i]], 0, i);')).toEqual([]);
  expect(privatized('atomic_inc((global int *)(bins == 0 ? other : bins));')).toEqual([]);
});

test('a counter that somebody polls is not collected', () => {
  const poll = 'while (atomic_load_explicit((global atomic_int *)bins, memory_order_relaxed) < 8) ;';
  expect(privatized(`atomic_inc(bins); ${poll}`, '-cl-std=CL3.0')).toEqual([]);
  expect(privatized('atomic_inc(bins); while (atomic_add(bins, 0) < 8) ;')).toEqual([]);
});

test('memory in local memory and addresses from memory are left alone', () => {
  expect(privatized('atomic_inc(&l[x[i]]); other[i] = l[0];')).toEqual([]);
  expect(privatized('atomic_inc(&bins[x[i]]); other[i] = far[i].p[0];')).toEqual([]);
});

test('an order stronger than relaxed counts only beside atomics that are not collected', () => {
  const add = 'atomic_fetch_add((global atomic_int *)&bins[x[i]], 1);';
  const relaxed = 'atomic_fetch_add_explicit((global atomic_int *)&bins[x[i]], 1, memory_order_relaxed);';
  const flag = 'atomic_store_explicit((global atomic_int *)other, 1, memory_order_relaxed);';
  const release = 'atomic_store_explicit((global atomic_int *)other, 1, memory_order_release);';
  const fence = 'atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);';
  expect(privatized(add, '-cl-std=CL3.0')).toEqual(['bins add']);
  expect(privatized(add + flag, '-cl-std=CL3.0')).toEqual([]);
  expect(privatized(relaxed + flag, '-cl-std=CL3.0')).toEqual(['bins add']);
  expect(privatized(relaxed + release, '-cl-std=CL3.0')).toEqual([]);
  expect(privatized(relaxed + fence + flag, '-cl-std=CL3.0')).toEqual([]);
});
