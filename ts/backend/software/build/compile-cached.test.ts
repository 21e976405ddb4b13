// SPDX-License-Identifier: MIT
import type { CacheEntry } from '../../../base/host';
import { finish } from '../../../base/steps';
import { compileSteps } from '../../../compiler/compile';
import { encode } from '../../../spirv/encode';
import type { Services } from '../services';

// scripts/build.mjs defines it; without it nothing is stored.
Object.assign(globalThis, { ANYCL_BUILD: 'a build' });

/** Whether a program is stored. */
async function isStored(text: string, options = ''): Promise<boolean> {
  const { compileCached } = await import('./compile-cached');
  const stored: CacheEntry[] = [];
  const services = {
    host: {
      cacheRead: () => undefined,
      cacheWrite: (entry: () => CacheEntry) => stored.push(entry()),
      readSource: () => undefined,
    },
    toolchain: { compile: compileSteps, encode },
  } as unknown as Services;
  expect(finish(compileCached(services, { text, options, target: 'spir' })).module).toBeDefined();
  return stored.length > 0;
}

test('programs are stored, but for those that tell the time', async () => {
  expect(await isStored('kernel void f(global int *p) { *p = 1; }')).toBe(true);
  expect(await isStored('#define TWO \\\n 2\nkernel void f(global int *p) { *p = TWO; }')).toBe(true);
  expect(await isStored('kernel void f(global char *p) { *p = __DATE__[0]; }')).toBe(false);
  expect(await isStored('kernel void f(global char *p) { *p = __TI\\\nME__[0]; }')).toBe(false);
  expect(await isStored('kernel void f(global char *p) { *p = __DA\\\r\nTE__[0]; }')).toBe(false);
  expect(await isStored('kernel void f(global char *p) { *p = NOW[0]; }', '-D NOW=__TIME__')).toBe(false);
});
