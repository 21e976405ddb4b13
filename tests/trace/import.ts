// SPDX-License-Identifier: MIT
//
// What Perfetto's importer makes of a trace in JSON: its rules, as its trace processor has them (json_trace_parser.cc, slice_tracker.cc,
// flow_tracker.cc, trace_sorter.h). Times are whole nanoseconds. Events are sorted by time; at one time longer spans come first, and
// arrows after spans. Spans of a thread are a stack: one that overlaps another without nesting is an error. An arrow starts and ends
// at the innermost span that is open on its thread.
import type { FlowEvent, SpanEvent, TraceEvent } from '../../ts/trace/events';

export interface Arrow {
  readonly id: number;
  readonly from: SpanEvent;
  readonly to: SpanEvent;
}

interface Open {
  readonly span: SpanEvent;
  readonly start: number;
  readonly end: number;
}

const nanoseconds = (micros: number): number => Math.round(micros * 1000);
const isTimed = (event: TraceEvent): event is SpanEvent | FlowEvent => event.ph !== 'M';
const durationOf = (event: SpanEvent | FlowEvent): number => (event.ph === 'X' ? nanoseconds(event.dur) : 0);

/** The arrows, and what the importer would report. */
export function imported(events: readonly TraceEvent[]): { arrows: Arrow[]; errors: string[] } {
  const errors: string[] = [];
  const arrows: Arrow[] = [];
  const stacks = new Map<number, Open[]>();
  const starts = new Map<number, SpanEvent>();
  const owners = new Map<number, number>();
  const sorted = events
    .filter(isTimed)
    .sort((a, b) => nanoseconds(a.ts) - nanoseconds(b.ts) || durationOf(b) - durationOf(a));
  for (const event of sorted) {
    const { pid, tid, name } = event;
    if (!Number.isFinite(event.ts) || tid === 0 || (owners.get(tid) ?? pid) !== pid)
      errors.push(`${name}: no place (process ${pid}, thread ${tid}, time ${event.ts})`);
    owners.set(tid, pid);
    const stack = stacks.get(tid) ?? [];
    stacks.set(tid, stack);
    if (event.ph === 'X') {
      const start = nanoseconds(event.ts);
      const end = start + durationOf(event);
      if (!(end >= start)) errors.push(`${name}: no duration`);
      while (stack.length > 0 && stack.at(-1)!.end <= start) stack.pop();
      const around = stack.at(-1);
      if (around && end > around.end) errors.push(`${name} overlaps ${around.span.name} at ${event.ts}`);
      stack.push({ span: event, start, end });
      continue;
    }
    const span = stack.at(-1)?.span;
    const from = starts.get(event.id);
    if (!span) errors.push(`arrow ${event.id}: no span at its ${event.ph}`);
    else if (event.ph === 's') {
      if (from) errors.push(`arrow ${event.id} starts twice`);
      starts.set(event.id, span);
    } else if (!from) errors.push(`arrow ${event.id} ends before it starts`);
    else if (event.bp !== 'e') errors.push(`arrow ${event.id} does not end at the span around it`);
    else arrows.push({ id: event.id, from, to: span });
  }
  return { arrows, errors };
}
