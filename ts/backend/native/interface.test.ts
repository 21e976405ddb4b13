// SPDX-License-Identifier: MIT
// An addon of other sources than the code that loads it, such as one that stayed in build/ through an update.
import { createNativeBackend } from '.';
import { openAddon } from './addon';
import { interfaceNumber } from './interface.gen';

let opened: object;
jest.mock('node-gyp-build', () =>
  Object.assign(() => opened, { path: () => '/package/build/Release/anycl.node' }),
);

const problem = (addon: object): string | undefined => {
  opened = addon;
  const backend = createNativeBackend();
  expect(backend.platforms()).toEqual([]);
  return backend.problem;
};

it.each([[{}], [{ interfaceNumber: interfaceNumber + 1 }], [{ submit() {} }]])(
  'an addon with another interface is not used, and the reason is told',
  (addon) => {
    const text = problem(addon);
    expect(text).toContain('/package/build/Release/anycl.node was built from another version of anycl');
    expect(text).toContain('npm run build:native');
  },
);

it('an addon with this interface is used', () => {
  const addon = { interfaceNumber };
  opened = addon;
  expect(openAddon()).toBe(addon);
});
