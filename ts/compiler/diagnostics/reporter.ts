// SPDX-License-Identifier: MIT
//
// Collects the messages of one compilation: fills in the table's texts, finds positions, and applies `-w`, `-Werror`,
// `-Wname` and the limit on errors.
import type { Deferral } from './deferral';
import type { Diagnostic, Location, SourceRange } from './diagnostic';
import { format, type Message, type MessageValue } from './message';
import { type MessageCode, type MessagePlaceholders, messageOf } from './messages';
import type { SourceMap } from './source-map';
import { namesOf } from './warning-groups';
import { WarningPragmas } from './warning-pragmas';

/** The options about warnings. */
export interface WarningOptions {
  /** `-w` */
  readonly none: boolean;
  /** `-Werror` */
  readonly asErrors: boolean;
  /** `-Weverything` */
  readonly all: boolean;
  /** `-Wname` (true) and `-Wno-name` (false); the last one of a name applies. */
  readonly flags: ReadonlyMap<string, boolean>;
  /** `-Werror=name` (true) and `-Wno-error=name` (false) */
  readonly errorFlags: ReadonlyMap<string, boolean>;
}

export const DEFAULT_WARNINGS: WarningOptions = {
  none: false,
  asErrors: false,
  all: false,
  flags: new Map(),
  errorFlags: new Map(),
};

export interface Extra {
  /** Underlined on the message's line. */
  readonly ranges?: readonly SourceRange[];
  readonly notes?: readonly Note[];
}

/** A note that explains another message. Made by `note`. */
export interface Note {
  readonly code: MessageCode;
  readonly location: Location;
  readonly args: Readonly<Record<string, MessageValue>>;
  readonly ranges: readonly SourceRange[];
}

/** A message's arguments: one value for each placeholder of its text; absent if it has none. */
type Arguments<C extends MessageCode, More> = [MessagePlaceholders<C>] extends [never]
  ? [args?: Readonly<Record<never, never>>, more?: More]
  : [args: Readonly<Record<MessagePlaceholders<C>, MessageValue>>, more?: More];

/** `note('previous-definition', location)`, for `Extra.notes`. */
export function note<C extends MessageCode>(
  code: C,
  location: Location,
  ...[args, ranges]: Arguments<C, readonly SourceRange[]>
): Note {
  return { code, location, args: args ?? NO_ARGUMENTS, ranges: ranges ?? NO_RANGES };
}

/** The compilation ends after this many errors, as in clang. */
const ERROR_LIMIT = 20;
/** clang has no limit for warnings, but memory is limited. */
const WARNING_LIMIT = 2000;
/** Notes of one macro backtrace. */
const BACKTRACE_LIMIT = 6;
const NO_ARGUMENTS = {};
const NO_RANGES: readonly SourceRange[] = [];

/** The option for a warning, by its own name or that of a group. */
function said(flags: ReadonlyMap<string, boolean>, flag: string | undefined): boolean | undefined {
  if (flags.size === 0 || flag === undefined) return undefined;
  for (const name of namesOf(flag)) {
    const value = flags.get(name);
    if (value !== undefined) return value;
  }
  return undefined;
}

export class Reporter {
  /** In the order in which they were reported. */
  readonly diagnostics: Diagnostic[] = [];
  /** Whether there are errors: then the unit must not be lowered. */
  errors = 0;
  private warnings = 0;
  /** A fatal error or too many errors: nothing more is reported, and readers of tokens should stop. */
  stopped = false;
  private readonly seen = new Set<string>();
  /** Receives messages that are reported only in reachable code; without it they are reported at once. */
  deferral: Deferral | undefined;
  readonly warningPragmas = new WarningPragmas();

  constructor(
    readonly sources: SourceMap,
    private readonly options: WarningOptions = DEFAULT_WARNINGS,
  ) {}

  /**
   * Reports a message of the table. `report('undeclared-identifier', at, { name })`. The same message at the same place is
   * reported once.
   */
  report<C extends MessageCode>(code: C, location: Location, ...[args, extra]: Arguments<C, Extra>): void {
    if (this.stopped) return;
    const message = messageOf(code);
    const severity = this.severityOf(message, location);
    if (severity === undefined) return;
    if (message.whereReached && this.deferral !== undefined) {
      this.deferral.hold(() => this.give(code, severity, location, args, extra));
    } else this.give(code, severity, location, args, extra);
  }

  private give(
    code: MessageCode,
    severity: 'fatal' | 'error' | 'warning',
    location: Location,
    args: Readonly<Record<string, MessageValue>> | undefined,
    extra: Extra | undefined,
  ): void {
    if (this.stopped) return;
    const key = `${location} ${code} ${args ? Object.values(args).join(' ') : ''}`;
    if (this.seen.has(key)) return;
    this.seen.add(key);

    if (severity === 'warning') {
      if (++this.warnings > WARNING_LIMIT) return;
    } else if (++this.errors > ERROR_LIMIT) {
      this.errors--;
      this.stopped = true;
      this.diagnostics.push(plain('too-many-errors'));
      return;
    }
    const diagnostic = this.build(code, severity, location, args ?? NO_ARGUMENTS, extra);
    this.diagnostics.push(diagnostic);
    if (severity === 'fatal') this.stopped = true;
  }

  /** Withdraws an error that a later one explains. */
  withdraw(diagnostic: Diagnostic): void {
    const at = this.diagnostics.indexOf(diagnostic);
    if (at < 0) return;
    this.diagnostics.splice(at, 1);
    this.errors--;
  }

  /** Whether a warning is enabled, to avoid the work of detecting its cause. */
  wants(code: MessageCode): boolean {
    return !this.stopped && this.severityOf(messageOf(code)) !== undefined;
  }

  private severityOf(message: Message, location?: Location): 'fatal' | 'error' | 'warning' | undefined {
    if (message.severity === 'error' || message.severity === 'fatal') return message.severity;
    const { options } = this;
    if (options.none) return undefined;
    const { flag } = message;
    if (flag !== undefined && this.warningPragmas.any && location !== undefined) {
      const at = this.sources.expansion(location);
      const level = this.warningPragmas.level(at, namesOf(flag));
      if (level === 'ignored') return undefined;
      if (level !== undefined) return level;
    }
    const enabled = said(options.flags, flag) ?? (options.all || !message.offByDefault);
    if (!enabled) return undefined;
    return (said(options.errorFlags, flag) ?? options.asErrors) ? 'error' : 'warning';
  }

  private build(
    code: MessageCode,
    severity: 'fatal' | 'error' | 'warning' | 'note',
    location: Location,
    args: Readonly<Record<string, MessageValue>>,
    extra: Extra | undefined,
  ): Diagnostic {
    const { sources } = this;
    const message = messageOf(code);
    const ranges = extra?.ranges ?? NO_RANGES;
    const reading = sources.reading(location);
    const at = sources.filePosition(reading);
    const notes = this.backtrace(location, ranges);
    for (const each of extra?.notes ?? []) {
      notes.push(this.build(each.code, 'note', each.location, each.args, { ranges: each.ranges }));
    }
    const promoted = message.severity === 'warning' && severity === 'error';
    return {
      severity: severity === 'fatal' ? 'error' : severity,
      code,
      message: format(message.text, args),
      ...(severity === 'fatal' && { fatal: true }),
      ...(message.flag !== undefined && { flag: message.flag }),
      ...(promoted && { promoted }),
      ...(at && {
        position: { file: at.file, line: at.line, column: at.column },
        sourceLine: at.sourceLine,
        ...(at.includedAt !== 0 && { includedFrom: sources.includeStack(reading) }),
      }),
      ranges: at ? this.columns(reading, ranges, (range) => sources.reading(range)) : [],
      notes,
    };
  }

  /** The notes "expanded from macro", outermost first. Omits macros that merely pass their argument on. */
  private backtrace(location: Location, ranges: readonly SourceRange[]): Diagnostic[] {
    const { sources } = this;
    const frames: Location[] = [];
    let ignored = 0;
    for (let at = location; ; ) {
      const macro = sources.macroAt(at);
      if (!macro) break;
      frames.push(macro.isArgument ? macro.expansion : at);
      const inArgument = (other: Location) => sources.macroAt(other)?.expansion === macro.expansion;
      if (macro.isArgument && ranges.every((range) => inArgument(range.begin))) ignored = frames.length;
      at = macro.caller;
      // Reached a file: the last frame, an argument's place in the definition, may have callers of its own.
      if (!sources.isMacro(at)) at = sources.macroAt(frames.at(-1)!)?.caller ?? 0;
    }
    const notes = frames
      .slice(ignored)
      .reverse()
      .map((frame) => this.expansionNote(frame, ranges));
    if (notes.length <= BACKTRACE_LIMIT) return notes;
    const half = BACKTRACE_LIMIT / 2;
    return [
      ...notes.slice(0, half),
      plain('macro-expansions-skipped', { count: notes.length - BACKTRACE_LIMIT }),
      ...notes.slice(-half),
    ];
  }

  private expansionNote(frame: Location, ranges: readonly SourceRange[]): Diagnostic {
    const { sources } = this;
    const spelling = sources.spelling(frame);
    const at = sources.filePosition(spelling);
    return {
      severity: 'note',
      code: 'macro-expansion',
      message: format(messageOf('macro-expansion').text, { name: sources.macroAt(frame)?.name ?? '' }),
      ...(at && {
        position: { file: at.file, line: at.line, column: at.column },
        sourceLine: at.sourceLine,
        ...(at.includedAt !== 0 && { includedFrom: sources.includeStack(spelling) }),
      }),
      ranges: at ? this.columns(spelling, ranges, (range) => sources.spelling(range)) : [],
      notes: [],
    };
  }

  /** Ranges as columns of the line of `at`, clipped to it; ranges elsewhere are omitted. */
  private columns(
    at: Location,
    ranges: readonly SourceRange[],
    resolve: (location: Location) => Location,
  ): { begin: number; end: number }[] {
    const { sources } = this;
    const columns: { begin: number; end: number }[] = [];
    for (const range of ranges) {
      const begin = resolve(range.begin);
      // The end is after the last character, which may be after the macro's as well.
      const end = range.end > range.begin ? resolve(range.end - 1) + 1 : begin;
      if (!sources.onOneLine(at, begin)) continue;
      const from = sources.filePosition(begin)!;
      const to = sources.onOneLine(at, end) ? sources.filePosition(end)!.column : from.sourceLine.length + 1;
      if (to > from.column) columns.push({ begin: from.column, end: to });
    }
    return columns;
  }
}

/** A message without a place. */
function plain<C extends MessageCode>(code: C, ...[args]: Arguments<C, never>): Diagnostic {
  const message = messageOf(code);
  return {
    severity: message.severity === 'fatal' ? 'error' : message.severity,
    code,
    message: format(message.text, args ?? NO_ARGUMENTS),
    ...(message.severity === 'fatal' && { fatal: true }),
    ranges: [],
    notes: [],
  };
}
