// SPDX-License-Identifier: MIT
import type { Host } from '../../base/host';
import type { Command } from './command';

/** The longest that timers take. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Commands that run, and may run for a limited time. */
export class Deadlines {
  /** When each one has begun, in milliseconds of the host's clock. */
  private readonly begun = new Map<Command, number>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly host: Host,
    private readonly expire: (command: Command) => void,
  ) {}

  /** A command's time begins, unless it has begun before. */
  start(command: Command): void {
    const { limitMs } = command;
    if (command.done || limitMs === undefined || this.begun.has(command)) return;
    const begun = this.now;
    this.begun.set(command, begun);
    command.whenDone(() => this.begun.delete(command));
    this.setTimer();
  }

  /** A command that runs has another limit now. */
  changed(): void {
    this.setTimer();
  }

  /** Milliseconds until the next one is due: Infinity if there is none. */
  get next(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const [command, begun] of this.begun) next = Math.min(next, begun + command.limitMs!);
    return Math.max(0, next - this.now);
  }

  /** Ends the commands that are due. */
  check(): void {
    if (this.begun.size === 0) return;
    const { now } = this;
    for (const [command, begun] of this.begun) {
      if (begun + command.limitMs! > now) continue;
      this.begun.delete(command);
      this.expire(command);
    }
  }

  private get now(): number {
    return Number(this.host.now()) / 1e6;
  }

  private setTimer(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.begun.size === 0) return;
    this.timer = setTimeout(
      () => {
        this.check();
        this.setTimer();
      },
      Math.min(Math.ceil(this.next), LONGEST_TIMER_MS),
    );
    // The command itself keeps the process alive.
    (this.timer as { unref?(): void }).unref?.();
  }
}
