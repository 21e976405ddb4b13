// SPDX-License-Identifier: MIT
//
// The meaning of a `Location`. All files and macro expansions are placed one after the other in one space of offsets, so that a
// location is a plain number. Lines are counted only when a position is requested.
import type { Location, Position } from './diagnostic';

/** A file as it was included: the same file included twice has two entries. */
interface FileEntry {
  readonly kind: 'file';
  readonly start: Location;
  readonly name: string;
  readonly original: string;
  /** The text after trigraphs and line splicing, which locations refer to. */
  readonly text: string;
  /** Offsets in `text` before which characters were removed, with the number of characters removed up to there. */
  readonly splices: readonly Splice[];
  /** The `#include` of it; 0 for the main file. */
  readonly includedAt: Location;
  lineStarts: readonly number[] | undefined;
  /** `#line` directives, in order. */
  readonly overrides: LineOverride[];
}

interface Splice {
  readonly at: number;
  readonly removed: number;
}

interface LineOverride {
  /** The physical line after the directive, counted from 1. */
  readonly physicalLine: number;
  readonly line: number;
  readonly file: string | undefined;
}

/** The expansion of one macro's replacement list, or of one argument in it. */
interface ExpansionEntry {
  readonly kind: 'expansion';
  readonly start: Location;
  /** Where the characters are written: in the macro's definition, or for an argument in the call. */
  readonly spelling: Location;
  /** The replaced token: the macro's name, or for an argument the parameter in the expanded definition. */
  readonly expansion: Location;
  readonly macro: string;
  readonly isArgument: boolean;
}

type Entry = FileEntry | ExpansionEntry;

/** A source file for `addFile`, spliced: its lexer works on `text`. */
export interface MappedFile {
  readonly name: string;
  readonly start: Location;
  readonly text: string;
  /** Offsets in `text` of the characters that stand for trigraphs; absent if there are none. */
  readonly trigraphs?: readonly number[] | undefined;
}

/** A location resolved to a file. */
export interface FilePosition extends Position {
  readonly includedAt: Location;
  /** The whole line, without its end. */
  readonly sourceLine: string;
}

export interface FileOffset {
  readonly file: string;
  /** In UTF-16 units, in the text as it was given. */
  readonly offset: number;
  /** The file that is compiled, not one that it includes and not the options. */
  readonly isMain: boolean;
}

/** A line splice, or a trigraph (C99, 5.1.1.2): a backslash is one of them. What a splice joins is not a trigraph. */
const SPLICE_OR_TRIGRAPH = /(?:\\|\?\?\/)[ \t]*(?:\r\n|\n|\r)|\?\?([=()/<>!'-])/g;
const TRIGRAPHS: Readonly<Record<string, string>> = {
  '=': '#',
  '(': '[',
  ')': ']',
  '/': '\\',
  '<': '{',
  '>': '}',
  '!': '|',
  "'": '^',
  '-': '~',
};

export class SourceMap {
  private readonly entries: Entry[] = [];
  private next: Location = 1;
  private last = 0;

  /** Gives a file its locations: character i of the returned text is at `start + i`, its end at `start + length`. */
  addFile(name: string, original: string, includedAt: Location = 0): MappedFile {
    const splices: Splice[] = [];
    let text = original;
    let trigraphs: number[] | undefined;
    if (original.includes('\\') || original.includes('??')) {
      let removed = 0;
      text = original.replace(SPLICE_OR_TRIGRAPH, (match, third: string | undefined, offset: number) => {
        const at = offset - removed;
        if (third === undefined) {
          splices.push({ at, removed: removed + match.length });
          removed += match.length;
          return '';
        }
        trigraphs ??= [];
        trigraphs.push(at);
        removed += 2;
        splices.push({ at: at + 1, removed });
        return TRIGRAPHS[third]!;
      });
    }
    const start = this.next;
    this.next += text.length + 1;
    this.entries.push({
      kind: 'file',
      start,
      name,
      original,
      text,
      splices,
      includedAt,
      lineStarts: undefined,
      overrides: [],
    });
    return { name, start, text, trigraphs };
  }

  /**
   * Adds locations for `length` characters from `spelling` on that a macro expansion inserts. Character i is at the returned
   * location + i.
   */
  addExpansion(
    spelling: Location,
    length: number,
    expansion: Location,
    macro: string,
    isArgument: boolean,
  ): Location {
    const start = this.next;
    this.next += length + 1;
    this.entries.push({ kind: 'expansion', start, spelling, expansion, macro, isArgument });
    return start;
  }

  /** `#line`: the line after the physical line of `location` has the number `line` in `file`. */
  overrideLine(location: Location, line: number, file: string | undefined): void {
    const entry = this.fileOf(location);
    if (!entry) return;
    const previous = entry.overrides.at(-1)?.file;
    const physicalLine = lineOf(entry, location - entry.start) + 1;
    entry.overrides.push({ physicalLine, line, file: file ?? previous });
  }

  isMacro(location: Location): boolean {
    return this.entryOf(location)?.kind === 'expansion';
  }

  /** Where the character itself is written in a file. */
  spelling(location: Location): Location {
    for (;;) {
      const entry = this.entryOf(location);
      if (entry?.kind !== 'expansion') return location;
      location = entry.spelling + (location - entry.start);
    }
  }

  /** Whether this text is where the character itself is written. */
  isWritten(text: string, location: Location): boolean {
    const at = this.spelling(location);
    const entry = this.fileOf(at);
    return entry?.text.startsWith(text, at - entry.start) === true;
  }

  /** The place of the outermost macro call that produced it. */
  expansion(location: Location): Location {
    for (;;) {
      const entry = this.entryOf(location);
      if (entry?.kind !== 'expansion') return location;
      location = entry.expansion;
    }
  }

  /** The place to show to a reader: the outermost macro call, or for a macro's argument the argument itself. */
  reading(location: Location): Location {
    for (;;) {
      const entry = this.entryOf(location);
      if (entry?.kind !== 'expansion') return location;
      location = callerOf(entry, location);
    }
  }

  /** The macro expansion directly around a location; undefined in a file. */
  macroAt(location: Location):
    | {
        readonly name: string;
        readonly isArgument: boolean;
        readonly expansion: Location;
        readonly caller: Location;
      }
    | undefined {
    const entry = this.entryOf(location);
    if (entry?.kind !== 'expansion') return undefined;
    return {
      name: entry.macro,
      isArgument: entry.isArgument,
      expansion: entry.expansion,
      caller: callerOf(entry, location),
    };
  }

  /** The place after `#line` directives, of `reading`; undefined for "nowhere". */
  position(location: Location): Position | undefined {
    const at = this.reading(location);
    const entry = this.fileOf(at);
    return entry && positionIn(entry, at - entry.start);
  }

  /** Where a location in a file is in the file's own text, whatever `#line` says. */
  offsetOf(location: Location): FileOffset | undefined {
    const entry = this.fileOf(location);
    return (
      entry && {
        file: entry.name,
        offset: originalOffset(entry, location - entry.start),
        isMain: entry === this.entries[0],
      }
    );
  }

  /** The place of a location in a file (of `spelling`, `expansion` or `reading`) with its line. */
  filePosition(location: Location): FilePosition | undefined {
    const entry = this.fileOf(location);
    if (!entry) return undefined;
    const { file, line, column } = positionIn(entry, location - entry.start);
    const starts = linesOf(entry);
    const physical = lineOf(entry, location - entry.start);
    let end = physical < starts.length ? starts[physical]! : entry.original.length;
    while (end > starts[physical - 1]! && isLineEnd(entry.original.charCodeAt(end - 1))) end--;
    const sourceLine = entry.original.slice(starts[physical - 1]!, end);
    return { file, line, column, includedAt: entry.includedAt, sourceLine };
  }

  /** Whether both are on one physical line of one file. */
  onOneLine(a: Location, b: Location): boolean {
    const entry = this.fileOf(a);
    return (
      entry !== undefined &&
      entry === this.fileOf(b) &&
      lineOf(entry, a - entry.start) === lineOf(entry, b - entry.start)
    );
  }

  /** The `#include` lines that lead to a file's location, innermost first. */
  includeStack(location: Location): readonly Position[] {
    const stack: Position[] = [];
    for (let at = this.fileOf(location)?.includedAt ?? 0; at !== 0; ) {
      const entry = this.fileOf(at);
      if (!entry) break;
      stack.push(positionIn(entry, at - entry.start));
      at = entry.includedAt;
    }
    return stack;
  }

  private fileOf(location: Location): FileEntry | undefined {
    const entry = this.entryOf(location);
    return entry?.kind === 'file' ? entry : undefined;
  }

  private entryOf(location: Location): Entry | undefined {
    if (location <= 0 || location >= this.next) return undefined;
    const { entries, last } = this;
    if (
      entries[last]!.start <= location &&
      (last + 1 === entries.length || location < entries[last + 1]!.start)
    ) {
      return entries[last];
    }
    let low = 0;
    let high = entries.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (entries[middle]!.start <= location) low = middle;
      else high = middle - 1;
    }
    this.last = low;
    return entries[low];
  }
}

function callerOf(entry: ExpansionEntry, location: Location): Location {
  return entry.isArgument ? entry.spelling + (location - entry.start) : entry.expansion;
}

function isLineEnd(code: number): boolean {
  return code === 10 || code === 13;
}

function linesOf(file: FileEntry): readonly number[] {
  if (!file.lineStarts) {
    const starts = [0];
    const { original } = file;
    for (let i = 0; i < original.length; i++) {
      const code = original.charCodeAt(i);
      if (code === 10 || (code === 13 && original.charCodeAt(i + 1) !== 10)) starts.push(i + 1);
    }
    file.lineStarts = starts;
  }
  return file.lineStarts;
}

/** The number of elements that are at most `value`, of a sorted array. */
function countUpTo(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function originalOffset(file: FileEntry, offset: number): number {
  const { splices } = file;
  let low = 0;
  let high = splices.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (splices[middle]!.at <= offset) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? offset : offset + splices[low - 1]!.removed;
}

/** The physical line, from 1. */
function lineOf(file: FileEntry, offset: number): number {
  return countUpTo(linesOf(file), originalOffset(file, offset));
}

function positionIn(file: FileEntry, offset: number): Position {
  const at = originalOffset(file, offset);
  const starts = linesOf(file);
  const physical = countUpTo(starts, at);
  const column = at - starts[physical - 1]! + 1;
  for (let i = file.overrides.length - 1; i >= 0; i--) {
    const override = file.overrides[i]!;
    if (override.physicalLine <= physical) {
      return {
        file: override.file ?? file.name,
        line: override.line + (physical - override.physicalLine),
        column,
      };
    }
  }
  return { file: file.name, line: physical, column };
}
