// SPDX-License-Identifier: MIT
//
// A trace in numbers: what each device did, why it was idle, and what the program waited for.
import { type Category, HOST_PID, START } from './events';
import { type Interval, intersection, length, union, without } from './intervals';
import type { ProcessModel, Span, TraceModel } from './parse';

/** All commands of one name on one device. */
export interface CommandRow {
  readonly device: string;
  readonly name: string;
  readonly category: Category;
  readonly count: number;
  readonly ms: number;
  readonly mean_ms: number;
  readonly max_ms: number;
  /** Of the trace's length. */
  readonly share: number;
  /** Bytes that were moved; of kernels, the size of all their buffers and images. 0 where they are not known. */
  readonly bytes: number;
  /** 10^9 bytes a second. */
  readonly gb_per_s: number;
  /** On the software device: how much of its threads' time the kernel's work-groups took. */
  readonly occupancy?: number;
}

/** All waits of one name. */
export interface WaitRow {
  readonly name: string;
  readonly count: number;
  readonly ms: number;
  readonly mean_ms: number;
  /** In how much of the time no device ran anything. */
  readonly idle_ms: number;
}

/** A part of some time, and its use. */
export interface Part {
  readonly what: string;
  readonly category: Category | 'idle' | 'program';
  readonly ms: number;
}

export interface DeviceSummary {
  readonly name: string;
  readonly busy_ms: number;
  /** Of the trace's length. */
  readonly busy: number;
  /** What the device did, and what the host did while it was idle; together the trace's length. */
  readonly parts: readonly Part[];
}

export interface Summary {
  readonly ms: number;
  readonly devices: readonly DeviceSummary[];
  readonly commands: readonly CommandRow[];
  /** Builds and the stages of compilation. */
  readonly builds: readonly { readonly name: string; readonly count: number; readonly ms: number }[];
  /** How long the program waited for devices, and what these did meanwhile. */
  readonly waits: {
    readonly ms: number;
    readonly share: number;
    readonly parts: readonly Part[];
    /** In which calls, the longest in all first. */
    readonly rows: readonly WaitRow[];
  };
}

/** What a device does as one of its commands. */
const isCommand = ({ cat }: Span): boolean => cat === 'kernel' || cat === 'transfer' || cat === 'command';

const millis = (intervals: readonly Interval[]): number => length(intervals) / 1000;

export function summarize(model: TraceModel): Summary {
  const whole = [{ start: model.start, end: model.end }];
  const host = model.processes.find(({ pid }) => pid === HOST_PID);
  const devices = model.processes.filter((process) => process !== host && spansOf(process).some(isCommand));
  const hostSpans = host ? spansOf(host) : [];
  const total = millis(whole);
  const waitSpans = hostSpans.filter(({ cat }) => cat === 'wait');
  const waits = union(waitSpans);
  const busy = union(devices.flatMap((device) => spansOf(device).filter(isCommand)));
  return {
    ms: total,
    devices: devices.map((device) => deviceSummary(device, hostSpans, whole)),
    commands: devices.flatMap((device) => commandRows(device, total)),
    builds: grouped(hostSpans.filter(({ cat }) => cat === 'build' || cat === 'compile')).map(
      ([name, spans]) => ({ name, count: spans.length, ms: totalOf(spans) }),
    ),
    waits: {
      ms: millis(waits),
      share: total > 0 ? millis(waits) / total : 0,
      parts: [
        ...divide(
          waits,
          devices.flatMap((device) => spansOf(device).filter(isCommand)),
        ),
        ...idleParts(without(waits, busy), hostSpans, ['build', 'compile']),
      ],
      rows: waitRows(waitSpans, busy),
    },
  };
}

const waitRows = (spans: readonly Span[], busy: readonly Interval[]): readonly WaitRow[] =>
  grouped(spans).map(([name, list]) => {
    const ms = totalOf(list);
    const idle_ms = millis(without(union(list), busy));
    return { name, count: list.length, ms, mean_ms: ms / list.length, idle_ms };
  });

const spansOf = ({ tracks }: ProcessModel): readonly Span[] => tracks.flatMap(({ spans }) => spans);
const totalOf = (spans: readonly Span[]): number =>
  spans.reduce((sum, { start, end }) => sum + end - start, 0) / 1000;

/** By name, the longest in all first. */
function grouped(spans: readonly Span[]): readonly (readonly [name: string, spans: readonly Span[]])[] {
  const groups = new Map<string, Span[]>();
  for (const span of spans) {
    const group = groups.get(span.name);
    if (group) group.push(span);
    else groups.set(span.name, [span]);
  }
  return [...groups].sort(([, a], [, b]) => totalOf(b) - totalOf(a));
}

/** Divides some time among spans, by their names. Where spans overlap, the time counts for the first name. */
function divide(time: readonly Interval[], spans: readonly Span[]): Part[] {
  let left: readonly Interval[] = time;
  return grouped(spans).flatMap(([what, group]) => {
    const own = union(group);
    const ms = millis(intersection(left, own));
    left = without(left, own);
    return ms > 0 ? [{ what, category: group[0]!.cat, ms }] : [];
  });
}

function deviceSummary(
  device: ProcessModel,
  hostSpans: readonly Span[],
  whole: readonly Interval[],
): DeviceSummary {
  const commands = spansOf(device).filter(isCommand);
  const busy = union(commands);
  const total = millis(whole);
  return {
    name: device.name,
    busy_ms: millis(busy),
    busy: total > 0 ? millis(busy) / total : 0,
    parts: [
      ...divide(busy, commands),
      ...idleParts(without(whole, busy), hostSpans, ['build', 'compile', 'start', 'call', 'wait']),
    ],
  };
}

/** What a host's span is a reason of: its category, but for the start of a device, which is drawn with the builds. */
type Reason = Category | 'start';
const reasonOf = ({ name, cat }: Span): Reason => (name === START ? 'start' : cat);

const IDLE: Readonly<Partial<Record<Reason, string>>> = {
  build: 'idle: the program builds',
  compile: 'idle: the program builds',
  start: 'idle: the device starts',
  call: 'idle: the program calls anycl',
  wait: 'idle: the program waits, but nothing runs here',
};

/** What the host did in some idle time, the first of `reasons` that fits. */
function idleParts(
  idle: readonly Interval[],
  hostSpans: readonly Span[],
  reasons: readonly Reason[],
): Part[] {
  let left = idle;
  const parts = new Map<string, Part>();
  const add = (what: string, category: Part['category'], ms: number): void => {
    if (ms > 0) parts.set(what, { what, category, ms: ms + (parts.get(what)?.ms ?? 0) });
  };
  for (const reason of reasons) {
    const spans = union(hostSpans.filter((span) => reasonOf(span) === reason));
    const category = reason === 'compile' || reason === 'start' ? 'build' : reason;
    add(IDLE[reason] ?? reason, category, millis(intersection(left, spans)));
    left = without(left, spans);
  }
  add(
    reasons.includes('wait')
      ? 'idle: the program does something else'
      : 'time in which no device ran anything',
    'program',
    millis(left),
  );
  return [...parts.values()];
}

function commandRows(device: ProcessModel, total: number): readonly CommandRow[] {
  const spans = spansOf(device);
  const groupTimes = new Map(
    grouped(spans.filter(({ cat }) => cat === 'groups')).map(([name, list]) => [name, totalOf(list)]),
  );
  return grouped(spans.filter(isCommand)).map(([name, list]) => {
    const ms = totalOf(list);
    const bytes = list.reduce((sum, { args }) => sum + (Number(args.bytes) || 0), 0);
    const inGroups = groupTimes.get(name);
    const occupied =
      list[0]!.cat === 'kernel' && inGroups !== undefined && device.threads > 0 && ms > 0
        ? { occupancy: Math.min(1, inGroups / (ms * device.threads)) }
        : {};
    return {
      device: device.name,
      name,
      category: list[0]!.cat,
      count: list.length,
      ms,
      mean_ms: ms / list.length,
      max_ms: list.reduce((most, { start, end }) => Math.max(most, end - start), 0) / 1000,
      share: total > 0 ? ms / total : 0,
      bytes,
      gb_per_s: ms > 0 ? bytes / ms / 1e6 : 0,
      ...occupied,
    };
  });
}
