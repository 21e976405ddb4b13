// SPDX-License-Identifier: MIT
//
// printf's format (6.15.14) as clang reads it: conversions with their flags, width, precision and lengths.

export type FormatLength = '' | 'hh' | 'h' | 'hl' | 'l' | 'll' | 'q' | 'L' | 'z' | 'j' | 't';

/** A width or precision: a number in the format, or an argument (`*`, `*1$`). */
export interface Amount {
  readonly at: number;
  /** Index of the argument, from 0 on; undefined for a number. */
  readonly argument: number | undefined;
}

export interface Flag {
  readonly flag: string;
  readonly at: number;
}

export interface Conversion {
  /** Offset of the `%`. */
  readonly at: number;
  /** Offset after it. */
  readonly end: number;
  readonly flags: readonly Flag[];
  readonly width: Amount | undefined;
  readonly precision: Amount | undefined;
  readonly vector: number | undefined;
  readonly length: FormatLength;
  readonly lengthAt: number;
  readonly specifier: string;
  /** Index of its argument, from 0 on; undefined for `%%` and `%m`, which take none. */
  readonly argument: number | undefined;
  /** Its argument is named by position: `%1$d`. */
  readonly isPositional: boolean;
}

/** The place where a format is invalid. */
export interface FormatProblem {
  readonly problem: 'incomplete' | 'nul' | 'zero-position';
  readonly at: number;
}

const LENGTHS: readonly FormatLength[] = ['hh', 'hl', 'h', 'll', 'l', 'q', 'L', 'z', 'j', 't'];
/** Conversions without an argument. */
const WITHOUT_ARGUMENT = '%m';

/** Reads the conversions one after the other. */
export class FormatReader {
  private at = 0;
  /** The argument that the next conversion without a position takes. */
  private argument = 0;

  /** One character for each byte. */
  constructor(private readonly text: string) {}

  /** The next conversion; undefined at the end. */
  next(): Conversion | FormatProblem | undefined {
    const { text } = this;
    const start = text.indexOf('%', this.at);
    const nul = text.indexOf('\0', this.at);
    if (nul >= 0 && (start < 0 || nul < start)) return { problem: 'nul', at: nul };
    if (start < 0) return undefined;
    this.at = start + 1;
    const incomplete: FormatProblem = { problem: 'incomplete', at: start };
    const position = this.match(/(\d+)\$/y);
    if (position !== undefined && Number(position[1]) === 0)
      return { problem: 'zero-position', at: start + 1 };
    const isPositional = position !== undefined;
    const flags: Flag[] = [];
    while ("-+ #0'".includes(text[this.at] ?? '\n')) flags.push({ flag: text[this.at]!, at: this.at++ });
    const width = this.amount(this.at);
    let precision: Amount | undefined;
    if (text[this.at] === '.') {
      const dot = this.at++;
      if (this.at >= text.length) return incomplete;
      precision = this.amount(dot) ?? { at: dot, argument: undefined };
    }
    const vector = this.match(/v(\d+)/y);
    const lengthAt = this.at;
    const length = LENGTHS.find((each) => text.startsWith(each, lengthAt)) ?? '';
    this.at += length.length;
    if (this.at >= text.length) return incomplete;
    const specifier = text[this.at]!;
    if (specifier === '\0') return { problem: 'nul', at: this.at };
    this.at += this.bytesOfCharacter();
    const takesOne = !WITHOUT_ARGUMENT.includes(specifier);
    const argument = !takesOne ? undefined : position ? Number(position[1]) - 1 : this.argument++;
    return {
      at: start,
      end: this.at,
      flags,
      width,
      precision,
      vector: vector && Number(vector[1]),
      length,
      lengthAt,
      specifier,
      argument,
      isPositional,
    };
  }

  private match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found === null) return undefined;
    this.at += found[0].length;
    return found;
  }

  private amount(at: number): Amount | undefined {
    if (this.match(/\d+/y) !== undefined) return { at, argument: undefined };
    if (this.text[this.at] !== '*') return undefined;
    this.at++;
    const position = this.match(/(\d+)\$/y);
    return { at, argument: position ? Number(position[1]) - 1 : this.argument++ };
  }

  /** A character that is not a conversion may have several bytes in UTF-8. */
  private bytesOfCharacter(): number {
    const first = this.text.charCodeAt(this.at);
    const length = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    return Math.min(length, this.text.length - this.at);
  }
}
