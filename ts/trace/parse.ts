// SPDX-License-Identifier: MIT
//
// Reads traces: anycl's own, and those of other programs as far as they have the same form.
import { type Arguments, CATEGORIES, type Category, type SpanEvent } from './events';

export interface Span {
  readonly name: string;
  readonly cat: Category;
  /** Microseconds. */
  readonly start: number;
  readonly end: number;
  readonly args: Arguments;
}

export interface TrackModel {
  readonly name: string;
  /** In the order of their starts. */
  readonly spans: readonly Span[];
}

export interface ProcessModel {
  readonly pid: number;
  readonly name: string;
  /** Of the software device; 0 where it is not known. */
  readonly threads: number;
  readonly tracks: readonly TrackModel[];
}

export interface TraceModel {
  readonly processes: readonly ProcessModel[];
  /** Of the first and the last span, in microseconds. */
  readonly start: number;
  readonly end: number;
}

type Fields = Readonly<Record<string, unknown>>;

/** @throws Error that says what is wrong, if the text is not a trace */
export function parseTrace(text: string): TraceModel {
  const document = parseDocument(text);
  const events = Array.isArray(document) ? document : (document as Fields | null)?.traceEvents;
  if (!Array.isArray(events)) throw new Error('there is no list `traceEvents`');
  return modelOf(events);
}

/** @param events as they are in the file */
export function modelOf(events: readonly object[]): TraceModel {
  const processes = new Map<number, { name: string; threads: number; tids: string[] }>();
  const tracks = new Map<string, { name: string; order: number; spans: Span[] }>();
  const processOf = (pid: number) => {
    const known = processes.get(pid) ?? { name: `process ${pid}`, threads: 0, tids: [] };
    processes.set(pid, known);
    return known;
  };
  const trackOf = (pid: number, tid: number) => {
    const key = `${pid} ${tid}`;
    const known = tracks.get(key);
    if (known) return known;
    const made = { name: `track ${tid}`, order: tid, spans: [] };
    tracks.set(key, made);
    processOf(pid).tids.push(key);
    return made;
  };
  for (const event of events as readonly Fields[]) {
    const { ph, name, pid, tid, args = {} } = event as Fields & { args?: Fields };
    if (typeof pid !== 'number' || typeof tid !== 'number') continue;
    if (ph === 'M' && name === 'process_name') processOf(pid).name = String(args.name);
    else if (ph === 'M' && name === 'process_labels')
      processOf(pid).threads = Number.parseInt(String(args.labels), 10) || 0;
    else if (ph === 'M' && name === 'thread_name') trackOf(pid, tid).name = String(args.name);
    else if (ph === 'M' && name === 'thread_sort_index') trackOf(pid, tid).order = Number(args.sort_index);
    else if (isSpan(event)) trackOf(pid, tid).spans.push(spanOf(event));
  }
  const all = [...tracks.values()].flatMap(({ spans }) => spans);
  return {
    processes: [...processes]
      .sort(([a], [b]) => a - b)
      .map(([pid, { name, threads, tids }]) => ({
        pid,
        name,
        threads,
        tracks: tids
          .map((key) => tracks.get(key)!)
          .sort((a, b) => a.order - b.order)
          .map((track) => ({ name: track.name, spans: track.spans.sort((a, b) => a.start - b.start) })),
      })),
    start: all.reduce((least, { start }) => Math.min(least, start), all[0]?.start ?? 0),
    end: all.reduce((most, { end }) => Math.max(most, end), all[0]?.end ?? 0),
  };
}

/** A file that ends in the middle of a line is read up to the line before. */
function parseDocument(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const cut = text.lastIndexOf(',\n');
    const isObject = text.trimStart().startsWith('{');
    if (cut < 0) throw new Error(`it is not JSON: ${(error as Error).message}`);
    try {
      return JSON.parse(`${text.slice(0, cut)}]${isObject ? '}' : ''}`);
    } catch {
      throw new Error(`it is not JSON: ${(error as Error).message}`);
    }
  }
}

const isSpan = ({ ph, ts, dur }: Fields): boolean =>
  ph === 'X' && typeof ts === 'number' && typeof dur === 'number';

function spanOf(event: Fields): Span {
  const { name, cat, ts, dur, args } = event as unknown as SpanEvent;
  const known = CATEGORIES.includes(cat) ? cat : 'command';
  return { name: String(name), cat: known, start: ts, end: ts + dur, args: args ?? {} };
}
