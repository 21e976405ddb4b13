// SPDX-License-Identifier: MIT
//
// Merges the messages of parser and checker: in the order of the source, without those of the parser that an error found by the
// checker explains.
import type { Diagnostic } from '../../diagnostics/diagnostic';
import type { Reporter } from '../../diagnostics/reporter';
import type { DoubtfulMessage } from '../parse/cursor';

/** Withdraws the doubtful messages if the checker found an error in their range. Empties `doubtful`. */
export function withdrawExplained(reporter: Reporter, doubtful: DoubtfulMessage[]): void {
  const { diagnostics, sources } = reporter;
  for (const { diagnostic, begin, end } of doubtful.splice(0)) {
    const from = sources.position(begin);
    const to = sources.position(end);
    if (!from || !to) continue;
    const explains = (each: Diagnostic): boolean => {
      const { severity, position } = each;
      if (each === diagnostic || severity !== 'error' || !position) return false;
      return position.file === from.file && !isBefore(position, from) && isBefore(position, to);
    };
    if (diagnostics.some(explains)) reporter.withdraw(diagnostic);
  }
}

interface Place {
  readonly line: number;
  readonly column: number;
}

const isBefore = (a: Place, b: Place): boolean =>
  a.line < b.line || (a.line === b.line && a.column < b.column);

/** Within one declaration the parser's messages come before the checker's: sorts those from `first` on by their lines. */
export function sortMessages(diagnostics: Diagnostic[], first: number): void {
  const tail = diagnostics.slice(first);
  const file = tail[0]!.position?.file;
  if (tail.some(({ position }) => position === undefined || position.file !== file)) return;
  tail.sort((a, b) => a.position!.line - b.position!.line);
  diagnostics.splice(first, tail.length, ...tail);
}
