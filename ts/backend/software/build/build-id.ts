// SPDX-License-Identifier: MIT

/** Set by the build: changes with every source file, so that no cache outlives the compiler that filled it. */
declare const ANYCL_BUILD: string | undefined;

/** Undefined if the sources run without a build. */
export const BUILD = typeof ANYCL_BUILD === 'undefined' ? undefined : ANYCL_BUILD;
