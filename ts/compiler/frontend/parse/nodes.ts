// SPDX-License-Identifier: MIT
//
// Nodes for what could not be parsed.
import type { Location } from '../../diagnostics/diagnostic';
import type { Expr } from '../ast/syntax';
import type { Parser } from './parser';

export const errorAt = (begin: Location, end: Location): Expr => ({
  kind: 'error',
  location: begin,
  begin,
  end,
});

export function errorWithParts(p: Parser, begin: Location, parts: readonly Expr[]): Expr {
  return { kind: 'error', parts, location: begin, begin, end: p.previousEnd };
}
