// SPDX-License-Identifier: MIT
//
// Events of a trace, in the form that Chrome's and Perfetto's trace viewers read ("Trace Event Format").

export type Argument = string | number | boolean | readonly (number | string)[];
export type Arguments = Readonly<Record<string, Argument>>;

/** What a span was spent on. */
export const CATEGORIES = [
  'kernel',
  'transfer',
  'command',
  'build',
  'compile',
  'call',
  'wait',
  'groups',
] as const;
/** The name of the span in which a device is made ready. */
export const START = 'start the device';
export type Category = (typeof CATEGORIES)[number];

/** A span of time. Times are microseconds since the trace began. */
export interface SpanEvent {
  readonly ph: 'X';
  readonly name: string;
  readonly cat: Category;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur: number;
  readonly args?: Arguments;
}

/** The arrow from the call that enqueued a command to the command's run: its start (s) and its end (f). */
export interface FlowEvent {
  readonly ph: 's' | 'f';
  readonly name: string;
  readonly cat: 'enqueue';
  readonly id: number;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  /** The arrow ends at the span around it. */
  readonly bp?: 'e';
}

/** Names and orders processes and threads: here the host and the devices, and their tracks. */
export interface MetadataEvent {
  readonly ph: 'M';
  readonly name:
    | 'process_name'
    | 'process_labels'
    | 'process_sort_index'
    | 'thread_name'
    | 'thread_sort_index';
  readonly pid: number;
  readonly tid: number;
  readonly args: Arguments;
}

export type TraceEvent = SpanEvent | FlowEvent | MetadataEvent;

/** The process that stands for the host. */
export const HOST_PID = 1;
