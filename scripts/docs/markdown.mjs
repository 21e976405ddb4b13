// SPDX-License-Identifier: MIT

/** Text as HTML. Braces would be attributes, or expressions of Vue. */
export const escapeText = (text) =>
  text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/\{/g, '&#123;')
    .replace(/\[/g, '&#91;');

/** The name of a page, or of a heading on it: `CommandQueue` is command-queue on disk and commandqueue as a heading. */
export const slugOf = (name) => name.toLowerCase();
