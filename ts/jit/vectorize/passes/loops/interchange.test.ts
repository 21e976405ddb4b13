// SPDX-License-Identifier: MIT
import { optimizedKernel } from '../../../../../tests/helpers/optimized-kernel';
import { Analyses } from '../../../analyses/analyses';
import { runPasses } from '../../../pass';
import { RANGE_PASSES } from '../../../pass-lists';

function isInterchanged(body: string): boolean {
  const func =
    optimizedKernel(`kernel void k(global const float *restrict a, global const float *restrict b, global float *restrict out,
    global const int *index, int n) { int i = get_global_id(0), j = get_global_id(1); ${body} }`);
  const signature = { name: 'k', arguments: [], dispatchBytes: 256, staticLocalBytes: 0 };
  runPasses(RANGE_PASSES, new Analyses(func), { signature: signature as never, fuse: true }, { check: true });
  return func.interchanged;
}

test('where neighbours along y access neighbouring elements', () => {
  expect(isInterchanged('out[i * n + j] = a[i * n + j] + b[i * n + j];')).toBe(true);
  expect(isInterchanged('if (i < n && j < n) out[i * n + j] = a[i * n + j - 1] + a[(i + 1) * n + j];')).toBe(
    true,
  );
  expect(isInterchanged('out[i * get_global_size(1) + j] = a[i] * b[j];')).toBe(true);
  expect(
    isInterchanged(
      'float s = 0; for (int k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j]; out[i * n + j] = s;',
    ),
  ).toBe(true);
  expect(isInterchanged('if (j <= i) ((global float4 *)out)[i * n + j] = 0;')).toBe(true);
});

test('not where lanes along x are as good, or others gain', () => {
  expect(isInterchanged('out[j * n + i] = a[j * n + i];')).toBe(false);
  expect(isInterchanged('out[i * n + j] = a[j * n + i];')).toBe(false);
  expect(isInterchanged('out[i * 4 + j] = a[i * 4 + j];')).toBe(false);
  expect(isInterchanged('out[i * n + j] = a[index[i * n + j]] + a[index[j]] + b[index[i]];')).toBe(false);
  expect(isInterchanged('out[i] = a[i];')).toBe(false);
});

test('not where work-items would leave loops one by one that they leave together', () => {
  expect(isInterchanged('float s = 0; for (int k = 0; k < j; k++) s += b[k]; out[i * n + j] = s;')).toBe(
    false,
  );
  expect(isInterchanged('float s = 0; for (int k = 0; k < i; k++) s += b[k]; out[i * n + j] = s;')).toBe(
    true,
  );
});

test('not where groups or the order of work-items can be observed', () => {
  expect(isInterchanged('out[i * n + j] = get_local_id(0);')).toBe(false);
  expect(isInterchanged('out[i * n + j] = 1; printf("%d\\n", i);')).toBe(false);
  expect(isInterchanged('out[i * n + j] = 1; barrier(CLK_LOCAL_MEM_FENCE);')).toBe(false);
});
