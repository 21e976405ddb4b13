// SPDX-License-Identifier: MIT
import { type Arguments, type Category, HOST_PID, type TraceEvent } from './events';

/** Where a recorder's events go. */
export interface TraceSink {
  write(events: readonly TraceEvent[]): void;
}

/**
 * `nested`: spans contain each other, as calls do. `ordered`: each begins after the previous one ends; overlaps are errors of the
 * clocks, so a span starts at the end of the previous one. `overlapping`: spans that overlap get further lanes.
 */
export type TrackKind = 'nested' | 'ordered' | 'overlapping';

/** A row of the picture. Spans that overlap get further lanes below it, as viewers require. */
export interface Track {
  readonly pid: number;
  readonly name: string;
  readonly kind: TrackKind;
  readonly after: boolean;
  readonly lanes: { readonly tid: number; end: number }[];
}

/** Where a span begins: its lane, and microseconds since the trace began. */
export interface SpanPlace {
  readonly tid: number;
  readonly ts: number;
}

/** Events that are kept before they are handed to the sink. */
const MOST_WAITING = 512;
/** No viewer can show a longer trace, so later events are only counted. */
const MOST_EVENTS = 1_000_000;
/** Added to the order of tracks that are shown below others. */
const AFTER = 1_000_000;
/** Microseconds: a smaller overlap of spans is an error of the clocks. */
const TOUCHING = 1;
/** Microseconds: the shortest time that a trace can express. */
const SHORTEST = 0.001;

/** Turns what happens into events, with processes, tracks and lanes. Its memory is bounded. */
export class Recorder {
  private readonly origin: bigint;
  private waiting: TraceEvent[] = [];
  private events = 0;
  private pids = 0;
  private tids = 0;
  private ids = 0;
  /** Events that were not recorded, because there are too many. */
  dropped = 0;

  constructor(
    private readonly sink: TraceSink,
    readonly now: () => bigint,
  ) {
    this.origin = now();
    this.process('host');
  }

  /** A group of tracks: the host, or a device. Returns its number. */
  process(name: string): number {
    const pid = ++this.pids;
    this.put({ ph: 'M', name: 'process_name', pid, tid: 0, args: { name } });
    this.put({ ph: 'M', name: 'process_sort_index', pid, tid: 0, args: { sort_index: pid } });
    return pid;
  }

  /** Adds a label to the name of a process. */
  label(pid: number, labels: string): void {
    this.put({ ph: 'M', name: 'process_labels', pid, tid: 0, args: { labels } });
  }

  /** @param after whether it is shown below the other tracks of its process */
  track(pid: number, name: string, kind: TrackKind, after = false): Track {
    return { pid, name, kind, after, lanes: [] };
  }

  hostTrack(name: string, kind: TrackKind): Track {
    return this.track(HOST_PID, name, kind);
  }

  nextId(): number {
    return ++this.ids;
  }

  /**
   * Times are nanoseconds of the host's clock. Returns the lane that the span is in, and where it begins there: arrows that start or
   * end at the span need both, as viewers look for the span that is open at an arrow's time.
   */
  span(
    track: Track,
    name: string,
    cat: Category,
    start: bigint | number,
    end: bigint | number,
    args?: Arguments,
  ): SpanPlace {
    let ts = round(this.micros(start));
    let until = Math.max(ts, round(this.micros(end)));
    const lane = this.lane(track, ts);
    if (track.kind !== 'nested') {
      ts = Math.max(ts, lane.end);
      // Of two spans that begin at one time, a viewer could not tell at which an arrow ends.
      until = Math.max(until, round(ts + SHORTEST));
      lane.end = Math.max(lane.end, until);
    }
    const dur = round(until - ts);
    this.put({
      ph: 'X',
      name,
      cat,
      pid: track.pid,
      tid: lane.tid,
      ts,
      dur,
      ...(args ? { args } : {}),
    });
    return { tid: lane.tid, ts };
  }

  /** The arrow of command `id` starts or ends where a span of the track begins. */
  flow(ph: 's' | 'f', id: number, track: Track, { tid, ts }: SpanPlace): void {
    this.put({
      ph,
      name: 'enqueue',
      cat: 'enqueue',
      id,
      pid: track.pid,
      tid,
      ts,
      ...(ph === 'f' ? { bp: 'e' } : {}),
    });
  }

  flush(): void {
    if (this.waiting.length === 0) return;
    const { waiting } = this;
    this.waiting = [];
    this.sink.write(waiting);
  }

  private lane(track: Track, start: number): { readonly tid: number; end: number } {
    const { lanes } = track;
    const free = track.kind === 'overlapping' ? lanes.find(({ end }) => end <= start + TOUCHING) : lanes[0];
    if (free) return free;
    const lane = { tid: ++this.tids, end: Number.NEGATIVE_INFINITY };
    lanes.push(lane);
    const name = lanes.length > 1 ? `${track.name} (${lanes.length})` : track.name;
    this.put({ ph: 'M', name: 'thread_name', pid: track.pid, tid: lane.tid, args: { name } });
    this.put({
      ph: 'M',
      name: 'thread_sort_index',
      pid: track.pid,
      tid: lane.tid,
      args: { sort_index: lane.tid + (track.after ? AFTER : 0) },
    });
    return lane;
  }

  private micros(time: bigint | number): number {
    return typeof time === 'bigint' ? Number(time - this.origin) / 1000 : (time - Number(this.origin)) / 1000;
  }

  private put(event: TraceEvent): void {
    if (this.events >= MOST_EVENTS && event.ph !== 'M') {
      this.dropped++;
      return;
    }
    this.events++;
    this.waiting.push(event);
    if (this.waiting.length >= MOST_WAITING) this.flush();
  }
}

/** To nanoseconds. The end of a span is its rounded start and duration, so both are made of rounded times. */
const round = (micros: number): number => Math.round(micros * 1000) / 1000;
