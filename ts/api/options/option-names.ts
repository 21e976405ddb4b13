// SPDX-License-Identifier: MIT
//
// Names of options. Unknown names are refused; the error suggests the nearest known name.

/** The names of some options. */
export interface OptionNames {
  readonly list: readonly string[];
  /** Whether a name is in the list. Launches compare it with each name in turn, which V8 inlines. */
  readonly has: (name: string) => boolean;
}

/** The first name in `options` that is not known; undefined if there is none. Allocates nothing. */
export function unknownName(options: object, known: OptionNames): string | undefined {
  for (const name in options)
    if (!known.has(name) && (options as Readonly<Record<string, unknown>>)[name] !== undefined) return name;
  return undefined;
}

/** The rest of a sentence about an unknown name. */
export function unknownNameDetail(name: string, known: OptionNames): string {
  const near = nearestName(name, known.list);
  const list = known.list.map((each) => `\`${each}\``).join(', ');
  return `is not an option${near ? `: did you mean \`${near}\`?` : '.'} Known ${known.list.length === 1 ? 'is' : 'are'} ${list}`;
}

/**
 * The nearest name: one that differs in a few letters, or only in case or punctuation, or has the same
 * beginning.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const given = plain(name);
  const most = Math.max(1, Math.floor(given.length / 3));
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const each of known) {
    const other = plain(each);
    const isBeginning = given.length >= 3 && (other.startsWith(given) || given.startsWith(other));
    const distance = isBeginning ? Math.min(1, most) : editDistance(given, other);
    if (distance <= most && (best === undefined || distance < best.distance)) best = { name: each, distance };
  }
  return best?.name;
}

/** The number of letters to insert, delete, replace, or swap with the next one. */
function editDistance(a: string, b: string): number {
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, i) => i)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min(row[j - 1]! + 1, last[j]! + 1, last[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, before[j - 2]! + 1);
      row.push(least);
    }
    [before, last] = [last, row];
  }
  return last[b.length]!;
}
