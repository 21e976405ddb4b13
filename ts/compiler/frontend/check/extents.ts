// SPDX-License-Identifier: MIT
//
// Source ranges of messages.
import type { Location, SourceRange } from '../../diagnostics/diagnostic';
import type * as Syntax from '../ast/syntax';

export interface Extent {
  readonly location: Location;
  readonly begin: Location;
  readonly end: Location;
}

/** The syntax of the two operands, for messages that underline both. */
export type Sides = readonly [Syntax.Expr, Syntax.Expr];

/** The ranges of nodes, for a message to underline. */
export function underline(...nodes: { readonly begin: Location; readonly end: Location }[]): {
  ranges: SourceRange[];
} {
  return { ranges: nodes.map((node) => ({ begin: node.begin, end: node.end })) };
}
