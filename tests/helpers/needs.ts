// SPDX-License-Identifier: MIT
//
// Tests with requirements that a machine may not meet. There they are skipped, and their titles end with "[needs …]", which
// scripts/skipped-reporter.cjs gathers at the end of a run.

/** `test` if `there` is true; otherwise skipped, with the requirement in its title. */
export const testNeeding = (what: string, there: boolean): jest.It =>
  there ? test : labelled(test.skip as jest.It, what);

export const describeNeeding = (what: string, there: boolean): jest.Describe =>
  there ? describe : labelled(describe.skip as jest.Describe, what);

function labelled<T extends jest.It | jest.Describe>(skip: T, what: string): T {
  const label = (title: unknown) => `${String(title)} [needs ${what}]`;
  const labelling =
    (define: (title: string, ...rest: unknown[]) => unknown) =>
    (title: unknown, ...rest: unknown[]) =>
      define(label(title), ...rest);
  const each = (...table: unknown[]) =>
    labelling((skip.each as unknown as (...table: unknown[]) => (title: string) => unknown)(...table));
  const define = labelling(skip as unknown as (title: string) => unknown);
  return Object.assign(define, { each, skip: define }) as unknown as T;
}
