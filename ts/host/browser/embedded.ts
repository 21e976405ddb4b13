// SPDX-License-Identifier: MIT
//
// The built-in library. The build puts its bytes into the bundle, in this module's place (scripts/build/embed.mjs): a browser has
// no file to read it from.

export const library = (): Uint8Array => {
  throw new Error('the sources have no built-in library: build ts/browser.ts with scripts/build/browser.mjs');
};
