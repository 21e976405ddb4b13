// SPDX-License-Identifier: MIT
//
// Names of options. Unknown names are refused; the error suggests the nearest known name.
import { editDistance } from './suggestions';

/** The names of some options. */
export interface OptionNames {
  readonly list: readonly string[];
  /** Whether a name is in the list. Launches compare it with each name in turn, which V8 inlines. */
  readonly has: (name: string) => boolean;
}

/** Names of options that are looked up less often than those of launches. */
export const optionNames = (...list: readonly string[]): OptionNames => ({
  list,
  has: (name) => list.includes(name),
});

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
    const distance = isBeginning ? Math.min(1, most) : editDistance(given, other, most + 1);
    if (distance <= most && (best === undefined || distance < best.distance)) best = { name: each, distance };
  }
  return best?.name;
}
