// SPDX-License-Identifier: MIT

import { SYNTAX_ERROR } from '../cursor';
import type { Parser } from '../parser';

/** `a + b + c + …` grows to the left without nesting; later stages iterate over it. */
export const CHAIN_LIMIT = 100_000;

export function failLongChain(p: Parser): never {
  p.reporter.report('nesting-too-deep', p.token.location, { limit: CHAIN_LIMIT });
  throw SYNTAX_ERROR;
}
