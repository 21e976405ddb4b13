// SPDX-License-Identifier: MIT
import { missingPrograms } from './build-addon';

const all = ['cmake', 'make', 'g++', 'npm'];
const without = (program: string) => (name: string) => name !== program && all.includes(name);

test.each(['linux', 'darwin', 'win32'])('nothing is missing where everything is, on %s', (platform) => {
  expect(missingPrograms(platform, (name) => all.includes(name))).toEqual([]);
});

test.each([
  ['cmake', /^CMake is not installed/],
  ['make', /^make is not installed/],
  ['g++', /^no C\+\+ compiler is installed: no c\+\+, g\+\+ or clang\+\+ in PATH/],
  ['npm', /^npm is not in PATH: it fetches cmake-js/],
])('without %s it says so, and how to install it', (program, message) => {
  expect(missingPrograms('linux', without(program))).toEqual([
    expect.stringMatching(message),
    expect.stringMatching(/apt install cmake make g\+\+/),
  ]);
});

test('Windows’ compiler need not be in PATH', () => {
  expect(missingPrograms('win32', (name) => name === 'cmake' || name === 'npm')).toEqual([]);
});
