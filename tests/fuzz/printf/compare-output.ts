// SPDX-License-Identifier: MIT
//
// What the kernels of random-printf.ts printed, against what C printed.
import type { PrintfProgram } from './random-printf';

/** The texts of one program by launch and work-item. */
type Texts = Map<string, string[]>;

export interface Output {
  readonly programs: ReadonlyMap<number, Texts>;
  /** What is in no record. */
  readonly rest: string;
}

const RECORD = /@(\d+)\.(\d+)\.(\d+);([^@~]*)~/g;

/** One character for each byte. */
export function outputOf(text: string): Output {
  const programs = new Map<number, Texts>();
  let end = 0;
  let rest = '';
  for (const match of text.matchAll(RECORD)) {
    const [record, seed, launch, item, shown] = match;
    rest += text.slice(end, match.index);
    end = match.index + record.length;
    const texts = programs.get(Number(seed)) ?? new Map<string, string[]>();
    programs.set(Number(seed), texts);
    const key = `launch ${launch}, item ${item}`;
    // Launches follow each other: an item of an earlier one is not written later.
    if (Number(launch) < Number([...texts.keys()].at(-1)?.match(/\d+/)?.[0] ?? 0)) rest += `late: ${key}`;
    texts.set(key, [...(texts.get(key) ?? []), shown!]);
  }
  return { programs, rest: rest + text.slice(end) };
}

/** The first difference, or undefined. */
export function differenceIn(program: PrintfProgram, expected: Output, actual: Output): string | undefined {
  const wanted = expected.programs.get(program.seed) ?? new Map<string, string[]>();
  const found = actual.programs.get(program.seed) ?? new Map<string, string[]>();
  for (const key of found.keys()) if (!wanted.has(key)) return `${key} prints, and should not`;
  for (const [key, texts] of wanted) {
    const own = found.get(key) ?? [];
    if (own.length > texts.length) return `${key}: ${own.length} records instead of ${texts.length}`;
    if (own.length < texts.length && !program.overflows)
      return `${key}: ${own.length} records instead of ${texts.length}`;
    const at = own.findIndex((text, i) => text !== texts[i]);
    if (at >= 0) return `${key}, record ${at}: ${around(own[at]!, texts[at]!)}`;
  }
  return undefined;
}

/** The place at which two texts differ. */
function around(actual: string, expected: string): string {
  let at = 0;
  while (actual[at] === expected[at]) at++;
  const shown = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 40), at + 40));
  return `at byte ${at}: ${shown(actual)} instead of ${shown(expected)}`;
}
