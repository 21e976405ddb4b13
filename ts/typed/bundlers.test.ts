// SPDX-License-Identifier: MIT
import { esbuild, rollup, webpack } from './bundlers';

test.each([
  ['esbuild', esbuild],
  ['rollup and vite', rollup],
  ['webpack', webpack],
] as const)('%s: options that would be ignored are refused', (_, plugin) => {
  const made = plugin as (options?: unknown) => object;
  expect(() => made({ buildOption: '-cl-std=CL3.0' })).toThrow(
    new TypeError(
      'anycl/bundler: `options.buildOption` is not an option: did you mean `buildOptions`? Known are `buildOptions`, `anycl`, `types`',
    ),
  );
  expect(() => made({ types: 'yes' })).toThrow('anycl/bundler: `types` is a boolean, not yes');
  expect(() => made(5)).toThrow('anycl/bundler: options are an object, not 5');
  expect(made({ buildOptions: undefined, types: true })).toBeInstanceOf(Object);
  expect(made()).toBeInstanceOf(Object);
});
