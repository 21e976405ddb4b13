// SPDX-License-Identifier: MIT
import { imported } from '../../tests/trace/import';
import { ClockMap } from './clock-map';
import type { SpanEvent, TraceEvent } from './events';
import { intersection, length, union, without } from './intervals';
import { tracePage } from './page';
import { modelOf, parseTrace } from './parse';
import { Recorder } from './recorder';
import { summarize } from './summary';
import { summaryText } from './summary-text';

const spansIn = (events: readonly TraceEvent[]): SpanEvent[] =>
  events.filter((event): event is SpanEvent => event.ph === 'X');

function recording() {
  const events: TraceEvent[] = [];
  const recorder = new Recorder({ write: (more) => events.push(...more) }, () => 0n);
  return { events, recorder };
}

describe('the recorder', () => {
  test('gives spans that overlap lanes of their own', () => {
    const { events, recorder } = recording();
    const track = recorder.hostTrack('awaits', 'overlapping');
    recorder.span(track, 'a', 'wait', 0n, 5_000_000n);
    recorder.span(track, 'b', 'wait', 1_000_000n, 2_000_000n);
    recorder.span(track, 'c', 'wait', 6_000_000n, 7_000_000n);
    recorder.flush();
    const [a, b, c] = spansIn(events);
    expect(a!.tid).toBe(c!.tid);
    expect(b!.tid).not.toBe(a!.tid);
    expect(a).toMatchObject({ ts: 0, dur: 5000, name: 'a', pid: 1 });
  });

  test('lets the commands of a queue begin after one another, whatever the clocks say', () => {
    const { events, recorder } = recording();
    const track = recorder.track(recorder.process('device'), 'queue', 'ordered');
    recorder.span(track, 'a', 'kernel', 0n, 5_000_000n);
    recorder.span(track, 'b', 'kernel', 4_000_000n, 6_000_000n);
    recorder.flush();
    const [a, b] = spansIn(events);
    expect(b).toMatchObject({ tid: a!.tid, ts: 5000, dur: 1000 });
  });

  test('lets arrows lead to the spans where these are, in whole nanoseconds', () => {
    const { events, recorder } = recording();
    const calls = recorder.hostTrack('program', 'nested');
    const queue = recorder.track(recorder.process('device'), 'queue', 'ordered');
    // Commands that begin before the one before them ends, of uneven lengths, some without any.
    for (let id = 0; id < 60; id++) {
      const at = BigInt(id) * 7_919n + 3n;
      const from = recorder.span(calls, 'enqueue', 'call', at, at + 1_234n, { id });
      recorder.flow('s', id, calls, from);
      const to = recorder.span(queue, 'run', 'kernel', at + 500n, at + (id % 3 === 0 ? 500n : 8_101n), {
        id,
      });
      recorder.flow('f', id, queue, to);
    }
    recorder.flush();
    const { arrows, errors } = imported(events);
    expect(errors).toEqual([]);
    expect(arrows).toHaveLength(60);
    expect(arrows.every(({ id, from, to }) => from.args?.id === id && to.args?.id === id)).toBe(true);
  });
});

describe('the map of clocks', () => {
  test('follows from when commands were queued', () => {
    const clock = new ClockMap(undefined);
    clock.narrow(1000n, 90n, 1100n);
    clock.narrow(2000n, 1050n, 2010n);
    // Between 950 and 960, where both agree.
    expect(clock.toHost(0n)).toBe(955n);
  });

  test('is the timers’ where commands agree with them, and not where they do not', () => {
    const good = new ClockMap({ device: 0n, host: 1005n });
    good.narrow(1000n, 0n, 1100n);
    expect(good.toHost(1n)).toBe(1006n);
    const other = new ClockMap({ device: 0n, host: 99_000_000_000n });
    other.narrow(1000n, 0n, 1100n);
    expect(other.toHost(0n)).toBe(1050n);
  });

  test('starts again when the clocks have drifted apart', () => {
    const clock = new ClockMap(undefined);
    clock.narrow(1000n, 0n, 1010n);
    clock.narrow(3000n, 1000n, 3010n);
    expect(clock.toHost(0n)).toBe(2005n);
  });
});

test('sets of times', () => {
  const of = (...list: [number, number][]) => list.map(([start, end]) => ({ start, end }));
  expect(union(of([5, 7], [0, 2], [1, 3], [4, 4]))).toEqual(of([0, 3], [5, 7]));
  expect(without(of([0, 10]), of([2, 3], [5, 6]))).toEqual(of([0, 2], [3, 5], [6, 10]));
  expect(intersection(of([0, 4], [6, 9]), of([3, 7]))).toEqual(of([3, 4], [6, 7]));
  expect(length(of([0, 4], [6, 9]))).toBe(7);
});

/** A build, then two runs of a kernel and a read, which the program awaits. Milliseconds. */
function example(): TraceEvent[] {
  const { events, recorder } = recording();
  const at = (ms: number): bigint => BigInt(ms * 1e6);
  const pid = recorder.process('GPU <1>');
  recorder.label(pid, '2 threads');
  const queue = recorder.track(pid, 'queue', 'ordered');
  const thread = recorder.track(pid, 'thread 0', 'ordered', true);
  recorder.span(recorder.hostTrack('program', 'nested'), 'build', 'build', at(0), at(30));
  recorder.span(recorder.hostTrack('builds', 'overlapping'), 'start the device', 'build', at(10), at(40));
  recorder.span(recorder.hostTrack('awaits', 'overlapping'), 'await read', 'wait', at(50), at(100));
  recorder.span(queue, 'work', 'kernel', at(50), at(70), { bytes: 4e6 });
  recorder.span(queue, 'work', 'kernel', at(70), at(80), { bytes: 4e6 });
  recorder.span(queue, 'read', 'transfer', at(80), at(90), { bytes: 1e6 });
  recorder.span(thread, 'work', 'groups', at(50), at(65));
  recorder.flush();
  return events;
}

describe('the summary', () => {
  const summary = summarize(modelOf(example()));

  test('says what each device did, and what the program did while it was idle', () => {
    expect(summary.ms).toBe(100);
    expect(summary.devices[0]).toMatchObject({ busy_ms: 40, busy: 0.4 });
    const parts = Object.fromEntries(summary.devices[0]!.parts.map(({ what, ms }) => [what, ms]));
    expect(parts).toEqual({
      work: 30,
      read: 10,
      'idle: the program builds': 30,
      'idle: the device starts': 10,
      'idle: the program waits, but nothing runs here': 10,
      'idle: the program does something else': 10,
    });
  });

  test('has times, bandwidth and occupancy of each command', () => {
    expect(summary.commands[0]).toMatchObject({
      name: 'work',
      count: 2,
      ms: 30,
      mean_ms: 15,
      max_ms: 20,
      share: 0.3,
      bytes: 8e6,
      occupancy: 0.25,
    });
    expect(summary.commands[1]!.gb_per_s).toBeCloseTo(0.1);
    expect(summary.commands[1]).not.toHaveProperty('occupancy');
  });

  test('says what the program waited for', () => {
    expect(summary.waits.share).toBe(0.5);
    expect(summary.waits.parts.map(({ what, ms }) => [what, ms])).toEqual([
      ['work', 30],
      ['read', 10],
      ['time in which no device ran anything', 10],
    ]);
    expect(summaryText(summary)).toContain(
      'The program waited for devices in 50 % of 100 ms, during work (30.00 ms), read (10.00 ms), time in which no device ran anything (10.00 ms).',
    );
  });

  test('says in which calls the program waited, and whether devices worked meanwhile', () => {
    expect(summary.waits.rows).toEqual([{ name: 'await read', count: 1, ms: 50, mean_ms: 50, idle_ms: 10 }]);
    expect(summaryText(summary)).toContain(
      'It waited longest in “await read”: once, 50.00 ms in all, and no device was busy in 10.00 ms of that.',
    );
    const page = tracePage(modelOf(example()), { title: 'a' });
    expect(page).toContain(
      '<td>await read</td><td>1</td><td>50.00 ms</td><td>50.00 ms</td><td>10.00 ms</td>',
    );
  });

  test('is also a page that loads nothing, and shows names as they are', () => {
    const page = tracePage(modelOf(example()), { title: 'a & b' });
    expect(page).toContain('<h1>a &amp; b</h1>');
    expect(page).toContain('GPU &lt;1&gt;');
    expect(page).not.toMatch(/(?:src|href)=|https?:|@import/);
    const data = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page)![1]!;
    expect((JSON.parse(data) as { rows: unknown[] }).rows).toHaveLength(5);
  });
});

describe('reading', () => {
  const text = `{"traceEvents":[\n${example()
    .map((event) => JSON.stringify(event))
    .join(',\n')}\n]}`;

  test('takes a file that ends in the middle', () => {
    const cut = parseTrace(text.slice(0, text.lastIndexOf('"thread 0"')));
    expect(cut.processes.find(({ pid }) => pid === 2)!.tracks[0]!.spans).toHaveLength(3);
  });

  test.each([
    ['', 'it is not JSON'],
    ['[1, 2', 'it is not JSON'],
    ['{"a": 1}', 'there is no list `traceEvents`'],
    ['null', 'there is no list `traceEvents`'],
  ])('refuses %j', (wrong, why) => {
    expect(() => parseTrace(wrong)).toThrow(why);
  });
});
