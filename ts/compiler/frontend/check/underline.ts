// SPDX-License-Identifier: MIT
//
// The source ranges that a message underlines.
import type { Location, SourceRange } from '../../diagnostics/diagnostic';

export function underline(...nodes: { readonly begin: Location; readonly end: Location }[]): {
  ranges: SourceRange[];
} {
  return { ranges: nodes.map((node) => ({ begin: node.begin, end: node.end })) };
}
