// SPDX-License-Identifier: MIT
//
// Coverage in lcov's format (geninfo(1)), which editors, genhtml and services of CI read.
import type { Coverage } from '../../base/coverage';

/** `pathOf` gives the path of a file as the compiler names it. */
export function lcovText(coverage: Coverage, pathOf: (file: string) => string): string {
  const files = new Set(coverage.lines.map(({ file }) => file));
  return [...files].map((file) => fileRecord(coverage, file, pathOf(file))).join('');
}

function fileRecord({ lines, branches, functions }: Coverage, file: string, path: string): string {
  const own = functions
    .filter(({ place }) => place?.file === file)
    .sort((a, b) => a.place!.line - b.place!.line);
  const records = own.map(({ name, place }) => `FN:${place!.line},${name}`);
  records.push(...own.map(({ name, count }) => `FNDA:${count},${name}`), ...totals('FN', own.map(countOf)));

  const taken: number[] = [];
  branches.forEach((branch, block) => {
    if (branch.place?.file !== file) return;
    const isReached = branch.taken.some((count) => count > 0);
    branch.taken.forEach((count, way) => {
      taken.push(count);
      records.push(`BRDA:${branch.place!.line},${block},${way},${isReached ? count : '-'}`);
    });
  });
  records.push(...totals('BR', taken));

  const here = lines.filter((line) => line.file === file);
  records.push(...here.map(({ line, count }) => `DA:${line},${count}`), ...totals('L', here.map(countOf)));
  return `TN:\nSF:${path}\n${records.join('\n')}\nend_of_record\n`;
}

const countOf = ({ count }: { readonly count: number }) => count;

/** How many were found, and how many were executed. */
const totals = (prefix: string, counts: readonly number[]): string[] => [
  `${prefix}F:${counts.length}`,
  `${prefix}H:${counts.filter((count) => count > 0).length}`,
];
