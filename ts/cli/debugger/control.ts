// SPDX-License-Identifier: MIT
//
// The control of a debugged launch: breakpoints, steps, and which work-item runs. The selected work-item runs until it stops or waits
// at a barrier; then the others of its group run up to that barrier. The terminal and the adapter both use it.

import type { DebugLaunch } from '../../backend/software/launch/debug-launch';
import type { Fault } from '../../base/faults';
import type { DebugItem } from '../../jit/debug/debug-item';
import type { SourcePosition } from '../../jit/ir/ir';
import { countHolds, holds, interpolate } from './expression';

export interface Breakpoint {
  readonly file: string;
  readonly line: number;
  /** The launch stops only if this expression is true. */
  readonly condition?: string | undefined;
  /** Which arrivals count: a number, perhaps after an operator, such as `10`, `> 10` or `% 10`. */
  readonly hitCondition?: string | undefined;
  /** Is printed, with the values of the expressions in braces; the launch does not stop. */
  readonly logMessage?: string | undefined;
}

export type StepKind = 'in' | 'over' | 'out';
/** How a stopped launch goes on. */
export type Resumption = { readonly kind: 'continue' } | { readonly kind: 'step'; readonly step: StepKind };

export type Stop =
  | { readonly reason: 'entry' | 'breakpoint' | 'step' | 'pause' }
  | { readonly reason: 'fault'; readonly fault: Fault }
  /** A condition cannot be evaluated. */
  | { readonly reason: 'condition'; readonly message: string }
  | { readonly reason: 'end' };

/** Instructions after which the event loop runs. */
const SLICE = 20_000;

interface Start {
  readonly item: DebugItem;
  readonly depth: number;
  readonly place: SourcePosition | undefined;
}

export class DebugControl {
  breakpoints: readonly Breakpoint[] = [];
  /** Global ids: stops only in this work-item. */
  only: readonly number[] | undefined;
  stopsOnFaults = true;
  /** Takes the messages of breakpoints that do not stop. */
  onLog: (text: string) => void = () => {};
  /** How often each breakpoint was reached with its condition true. */
  private readonly hits = new WeakMap<Breakpoint, number>();
  private selected: DebugItem;
  private isPaused = false;
  private isStopped = false;
  private fault: Fault | undefined;
  /** The line and depth of each work-item, to detect when it reaches another line. */
  private readonly lines = new WeakMap<DebugItem, string>();

  constructor(readonly launch: DebugLaunch) {
    this.selected = launch.items[0]!;
  }

  get item(): DebugItem {
    return this.selected;
  }

  get items(): readonly DebugItem[] {
    return this.launch.items;
  }

  select(item: DebugItem): void {
    this.selected = item;
  }

  pause(): void {
    this.isPaused = true;
  }

  /** Ends `run`, soon. */
  terminate(): void {
    this.isStopped = true;
  }

  /** To be called by the launch's listener. */
  report(fault: Fault): void {
    if (this.stopsOnFaults) this.fault ??= fault;
  }

  /** Whether the selected work-item is where a breakpoint stops it. */
  isAtBreakpoint(): boolean {
    const { position } = this.selected;
    return position !== undefined && this.breakpointAt(this.selected, position) !== undefined;
  }

  /** Runs to the first line of the kernel, in the first work-item or in the chosen one. */
  async start(): Promise<Stop> {
    return this.run({ kind: 'step', step: 'in' }, 'entry');
  }

  async run(resumption: Resumption, reason: 'step' | 'entry' = 'step'): Promise<Stop> {
    this.isPaused = false;
    const { selected } = this;
    // A work-item that has not begun has no frame yet: its first line is one of the kernel.
    const start = { item: selected, depth: Math.max(1, selected.frames.length), place: selected.position };
    for (let count = 1; ; count++) {
      if (count % SLICE === 0) await new Promise((resolve) => setImmediate(resolve));
      if (this.isStopped) return { reason: 'end' };
      const item = this.next();
      if (!item) return { reason: 'end' };
      const stop = this.stopAt(item, resumption, start, reason);
      if (stop) {
        this.selected = item;
        return stop;
      }
      this.launch.step(item);
      if (this.fault) {
        const { fault } = this;
        this.fault = undefined;
        this.selected = item;
        return { reason: 'fault', fault };
      }
    }
  }

  /** The work-item that goes on: the selected one, unless it waits or has ended. */
  private next(): DebugItem | undefined {
    const { launch } = this;
    for (;;) {
      if (this.selected.status === 'running') return this.selected;
      const running = launch.items.find(({ status }) => status === 'running');
      if (running) {
        // One that has ended does not come back.
        if (this.selected.status === 'done') this.selected = running;
        return running;
      }
      if (launch.items.some(({ status }) => status === 'waiting')) launch.release();
      else {
        if (!launch.nextGroup()) return undefined;
        this.selected = launch.items[0]!;
      }
    }
  }

  private stopAt(
    item: DebugItem,
    resumption: Resumption,
    start: Start,
    reason: 'step' | 'entry',
  ): Stop | undefined {
    if (this.isPaused) return { reason: 'pause' };
    const { position } = item;
    if (!position?.line) return undefined;
    const key = `${position.file} ${position.line} ${item.frames.length}`;
    const isNew = this.lines.get(item) !== key;
    this.lines.set(item, key);
    if (this.only && !this.only.every((id, d) => item.global[d] === id)) return undefined;
    const isStart = item === start.item && isSameLine(position, start.place);
    if (reason === 'entry') return { reason };
    if (resumption.kind === 'step' && this.isStepped(item, resumption.step, start, position)) {
      // The line is reached now: its breakpoints count, and print their messages.
      if (isNew) this.breakpointAt(item, position);
      return { reason };
    }
    if (!isNew || (isStart && item.frames.length === start.depth && resumption.kind === 'step'))
      return undefined;
    return this.breakpointAt(item, position);
  }

  private isStepped(item: DebugItem, step: StepKind, start: Start, position: SourcePosition): boolean {
    const isOther = item !== start.item;
    // While the work-item waits, others run; when it has ended, another one is stepped.
    if (isOther) return start.item.status === 'done';
    const depth = item.frames.length;
    if (step === 'out') return depth < start.depth;
    if (depth < start.depth) return true;
    if (depth > start.depth) return step === 'in';
    return !isSameLine(position, start.place);
  }

  private breakpointAt(item: DebugItem, { file, line }: SourcePosition): Stop | undefined {
    for (const breakpoint of this.breakpoints) {
      if (breakpoint.line !== line || breakpoint.file !== file) continue;
      const context = { item, frame: 0, memory: this.launch };
      try {
        const { condition, logMessage } = breakpoint;
        if (condition !== undefined && !holds(condition, context)) continue;
        if (!this.isHit(breakpoint)) continue;
        if (logMessage === undefined) return { reason: 'breakpoint' };
        this.onLog(interpolate(logMessage, context));
      } catch (error) {
        return { reason: 'condition', message: (error as Error).message };
      }
    }
    return undefined;
  }

  private isHit(breakpoint: Breakpoint): boolean {
    const hit = (this.hits.get(breakpoint) ?? 0) + 1;
    this.hits.set(breakpoint, hit);
    const { hitCondition } = breakpoint;
    return hitCondition === undefined || countHolds(hitCondition, hit);
  }
}

const isSameLine = (a: SourcePosition | undefined, b: SourcePosition | undefined) =>
  a?.line === b?.line && a?.file === b?.file;
