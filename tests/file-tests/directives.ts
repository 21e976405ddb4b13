// SPDX-License-Identifier: MIT
//
// Directives in comments of file tests: `// error: text` and `// warning: text` on the line that they are about, and
// `// options: …` anywhere.

export interface Expectation {
  readonly severity: 'error' | 'warning';
  readonly line: number;
  readonly text: string;
}

export interface Directives {
  readonly options: string;
  readonly expectations: readonly Expectation[];
}

export function readDirectives(source: string): Directives {
  const expectations: Expectation[] = [];
  let options = '';
  for (const [index, line] of source.split('\n').entries()) {
    options = /\/\/ options: (.*)$/.exec(line)?.[1] ?? options;
    // A line may have several, one comment after the other.
    for (const [, severity, text] of line.matchAll(
      /\/\/ (error|warning): (.*?)(?= \/\/ (?:error|warning): |$)/g,
    )) {
      expectations.push({
        severity: severity as Expectation['severity'],
        line: index + 1,
        text: text!.trim(),
      });
    }
  }
  return { options, expectations };
}
