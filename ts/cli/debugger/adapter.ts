// SPDX-License-Identifier: MIT
//
// `anycl debug-adapter`: the Debug Adapter Protocol over standard input and output. Its threads are the work-items of the current
// work-group.
import { basename } from 'node:path';
import { parseChecks } from '../../base/checks';
import type { DebugItem } from '../../jit/debug/debug-item';
import type { SourcePosition } from '../../jit/ir/ir';
import type { Breakpoint, Resumption, Stop } from './control';
import { evaluate } from './expression';
import {
  type FrameArguments,
  type LaunchArguments,
  MessageReader,
  messageText,
  type Request,
  type SetBreakpointsArguments,
  type SetVariableArguments,
} from './protocol';
import { DebugSession } from './start';
import { assign, childrenOf, type DebugValue, type NamedValue, scalarOf, textOf } from './values';

const CAPABILITIES = {
  supportsConfigurationDoneRequest: true,
  supportsConditionalBreakpoints: true,
  supportsHitConditionalBreakpoints: true,
  supportsLogPoints: true,
  supportsEvaluateForHovers: true,
  supportsSetVariable: true,
  supportsExceptionInfoRequest: true,
  supportsTerminateRequest: true,
  exceptionBreakpointFilters: [{ filter: 'faults', label: 'Reports of checks', default: true }],
};

/** The id of a frame is its thread's id times this, plus the frame's depth. */
const MOST_FRAMES = 1000;
const MOST_THREADS = 256;

const REASONS = {
  entry: 'entry',
  breakpoint: 'breakpoint',
  step: 'step',
  pause: 'pause',
  fault: 'exception',
  condition: 'breakpoint',
} as const;

/** Serves until the client disconnects or standard input ends. */
export function debugAdapter(): Promise<void> {
  return new Promise((resolve) => {
    const onClose = () => {
      // A client may wait for the end of the process before it closes its side.
      process.stdin.destroy();
      resolve();
    };
    const adapter = new DebugAdapter((message) => process.stdout.write(messageText(message)), onClose);
    const reader = new MessageReader((message) => void adapter.receive(message));
    process.stdin.on('data', (bytes: Buffer) => reader.add(bytes));
    process.stdin.on('end', () => adapter.close());
  });
}

type Answer = object | undefined | Promise<object | undefined>;

class DebugAdapter {
  private session: DebugSession | undefined;
  private seq = 1;
  private launched: LaunchArguments | undefined;
  private isRunning = false;
  private isClosed = false;
  private faultText = '';
  private readonly breakpoints = new Map<string, readonly Breakpoint[]>();
  /** The children of each variables reference. References are valid until the kernel continues. */
  private references: (() => readonly NamedValue[])[] = [];

  constructor(
    private readonly send: (message: object) => void,
    private readonly onClose: () => void,
  ) {}

  private readonly requests: Readonly<Record<string, (given: never) => Answer>> = {
    initialize: () => CAPABILITIES,
    launch: (given: LaunchArguments) => this.launch(given),
    setBreakpoints: (given: SetBreakpointsArguments) => this.setBreakpoints(given),
    setExceptionBreakpoints: ({ filters }: { readonly filters: readonly string[] }) => {
      this.debugged.control.stopsOnFaults =
        filters.includes('faults') && this.launched?.stopOnFaults !== false;
      return undefined;
    },
    configurationDone: () => this.start(),
    threads: () => this.threads(),
    stackTrace: (given: { readonly threadId: number }) => this.stackTrace(given.threadId),
    scopes: (given: { readonly frameId: number }) => this.scopes(given.frameId),
    variables: (given: { readonly variablesReference: number }) => this.variables(given.variablesReference),
    setVariable: (given: SetVariableArguments) => this.setVariable(given),
    evaluate: (given: FrameArguments) => this.evaluate(given),
    continue: () => this.go({ kind: 'continue' }, undefined, { allThreadsContinued: true }),
    next: (given: { readonly threadId: number }) => this.go({ kind: 'step', step: 'over' }, given.threadId),
    stepIn: (given: { readonly threadId: number }) => this.go({ kind: 'step', step: 'in' }, given.threadId),
    stepOut: (given: { readonly threadId: number }) => this.go({ kind: 'step', step: 'out' }, given.threadId),
    pause: () => {
      this.debugged.control.pause();
      return undefined;
    },
    exceptionInfo: () => ({ exceptionId: 'fault', description: this.faultText, breakMode: 'always' }),
    source: () => ({ content: '' }),
    terminate: () => this.end(),
    disconnect: () => this.end(),
  };

  async receive({ seq, command, arguments: given }: Request): Promise<void> {
    const response = { type: 'response', request_seq: seq, command };
    try {
      const handler = Object.hasOwn(this.requests, command) ? this.requests[command] : undefined;
      if (!handler) throw new Error(`the adapter does not know the request '${command}'`);
      const body = await handler((given ?? {}) as never);
      this.emit({ ...response, success: true, ...(body ? { body } : {}) });
      this.after(command);
    } catch (error) {
      this.emit({ ...response, success: false, message: (error as Error).message });
      if (command === 'launch') this.event('terminated');
    }
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.session?.control.terminate();
    // A run in progress closes the session at its end.
    if (!this.isRunning) this.session?.close();
    this.onClose();
  }

  private after(command: string): void {
    if (command === 'launch') this.event('initialized');
    if (command === 'disconnect') this.close();
  }

  private get debugged(): DebugSession {
    if (!this.session) throw new Error('nothing is launched');
    return this.session;
  }

  private emit(message: object): void {
    if (!this.isClosed) this.send({ seq: this.seq++, ...message });
  }

  private event(event: string, body: object = {}): void {
    this.emit({ type: 'event', event, body });
  }

  private output(category: 'console' | 'stdout' | 'stderr', output: string): void {
    if (output !== '') this.event('output', { category, output });
  }

  // --- the run

  private async launch(given: LaunchArguments): Promise<undefined> {
    const { program, kernel, args = [], buildOptions, print, check, workItem } = given;
    const checks = check === undefined ? undefined : parseChecks(check);
    if (check !== undefined && !checks) throw new Error(`'${check}' is not a list of checks`);
    const global = sizes(given.global);
    if (!program || !global) throw new Error('a launch needs `program` and `global`');
    this.session = await DebugSession.open(
      {
        file: program,
        kernel,
        global,
        local: sizes(given.local),
        offset: sizes(given.offset),
        buildOptions,
        args,
        print,
        checks,
      },
      { print: (text) => this.output('stdout', text) },
    );
    this.session.control.only = workItem;
    this.session.control.onLog = (text) => this.output('console', `${text}\n`);
    this.session.control.stopsOnFaults = given.stopOnFaults !== false;
    this.launched = given;
    return undefined;
  }

  private async start(): Promise<undefined> {
    const { control } = this.debugged;
    // The response comes before the first event.
    setImmediate(() => void this.run(() => control.start(), this.launched?.stopOnEntry === true));
    return undefined;
  }

  private async go(resumption: Resumption, thread: number | undefined, body: object = {}): Promise<object> {
    const { control } = this.debugged;
    if (this.isRunning) throw new Error('the kernel is running');
    if (thread !== undefined) control.select(this.itemOf(thread));
    setImmediate(() => void this.run(() => control.run(resumption), true));
    return body;
  }

  private async run(step: () => Promise<Stop>, stops: boolean): Promise<void> {
    this.references = [];
    this.isRunning = true;
    const { control } = this.debugged;
    try {
      let stop = await step();
      if (stop.reason === 'entry' && !stops) {
        const isBreakpoint = control.isAtBreakpoint();
        stop = isBreakpoint ? { reason: 'breakpoint' } : await control.run({ kind: 'continue' });
      }
      this.isRunning = false;
      if (stop.reason === 'end') await this.ended();
      else this.stopped(stop);
    } catch (error) {
      this.isRunning = false;
      this.output('stderr', `${(error as Error).message}\n`);
      this.event('terminated');
    }
    if (this.isClosed) this.session?.close();
  }

  private stopped(stop: Exclude<Stop, { reason: 'end' }>): void {
    const { control } = this.debugged;
    const text =
      stop.reason === 'fault'
        ? this.debugged.faultText(stop.fault)
        : stop.reason === 'condition'
          ? `the breakpoint's condition: ${stop.message}`
          : '';
    this.faultText = text;
    if (text !== '') this.output('stderr', `${text}\n`);
    this.event('stopped', {
      reason: REASONS[stop.reason],
      threadId: threadOf(control.item),
      allThreadsStopped: true,
      ...(stop.reason === 'fault' ? { description: stop.fault.kind, text: stop.fault.message } : {}),
    });
  }

  private async ended(): Promise<void> {
    if (this.isClosed) return;
    this.output('stdout', await this.debugged.results());
    this.event('exited', { exitCode: 0 });
    this.event('terminated');
  }

  private end(): undefined {
    this.session?.control.terminate();
    if (!this.isRunning) this.event('terminated');
    return undefined;
  }

  private setBreakpoints({ source, breakpoints = [] }: SetBreakpointsArguments): object {
    const session = this.debugged;
    const path = source.path ?? '';
    const found = breakpoints.map(({ line, condition, hitCondition, logMessage }) => {
      const place = session.lineOf(path, line);
      return place && { ...place, condition, hitCondition, logMessage };
    });
    this.breakpoints.set(
      path,
      found.flatMap((each) => each ?? []),
    );
    session.control.breakpoints = [...this.breakpoints.values()].flat();
    return {
      breakpoints: found.map((each) =>
        each
          ? { verified: true, line: each.line }
          : { verified: false, message: 'no code is at this line or after it' },
      ),
    };
  }

  // --- inspection while the kernel is stopped

  private itemOf(thread: number): DebugItem {
    const item = this.debugged.control.items[thread - 1];
    if (!item) throw new Error(`the group that runs has no work-item ${thread}`);
    return item;
  }

  private threads(): object {
    const { control } = this.debugged;
    const shown = control.items.slice(0, MOST_THREADS);
    if (!shown.includes(control.item)) shown.push(control.item);
    return {
      threads: shown.map((item) => ({
        id: threadOf(item),
        name: `work-item (${item.global.join(', ')})${item.status === 'running' ? '' : `, ${item.status}`}`,
      })),
    };
  }

  private stackTrace(thread: number): object {
    const { frames, position } = this.itemOf(thread);
    const stackFrames = [...frames].reverse().map(({ name }, at) => {
      const inner = frames[frames.length - at];
      return { id: thread * MOST_FRAMES + at, name, ...this.placeOf(inner ? inner.from : position) };
    });
    return { stackFrames, totalFrames: stackFrames.length };
  }

  private placeOf(place: SourcePosition | undefined): object {
    if (!place?.line) return { line: 0, column: 0 };
    const path = this.debugged.pathOf(place.file);
    return { source: { name: basename(path), path }, line: place.line, column: place.column };
  }

  private frameOf(id: number): { item: DebugItem; frame: number } {
    return { item: this.itemOf(Math.floor(id / MOST_FRAMES)), frame: id % MOST_FRAMES };
  }

  private scopes(id: number): object {
    const { item, frame } = this.frameOf(id);
    const ids = (list: readonly number[]) =>
      list.map((value, d) => ({ name: 'xyz'[d]!, value: idValue(value) }));
    const own = this.reference(() =>
      [...item.visible(item.frames[item.frames.length - 1 - frame])].map(([name, { variable, place }]) => ({
        name,
        value: { type: variable.type, place },
      })),
    );
    return {
      scopes: [
        { name: 'Variables', presentationHint: 'locals', variablesReference: own, expensive: false },
        { name: 'Global id', variablesReference: this.reference(() => ids(item.global)), expensive: false },
        { name: 'Local id', variablesReference: this.reference(() => ids(item.local)), expensive: false },
        { name: 'Group id', variablesReference: this.reference(() => ids(item.group)), expensive: false },
      ],
    };
  }

  private reference(children: () => readonly NamedValue[]): number {
    return this.references.push(children);
  }

  private variables(reference: number): object {
    const children = this.references[reference - 1]?.() ?? [];
    return { variables: children.map(({ name, value }) => ({ name, ...this.shown(value) })) };
  }

  /** The new value may be any expression of the work-item that stopped. */
  private setVariable({ variablesReference, name, value }: SetVariableArguments): object {
    const { control, launch } = this.debugged;
    const found = this.references[variablesReference - 1]?.().find((each) => each.name === name);
    if (!found) throw new Error(`there is no variable '${name}' here`);
    const result = evaluate(value, { item: control.item, frame: 0, memory: launch });
    const scalar = typeof result === 'object' ? scalarOf(result, launch) : result;
    if (scalar === undefined) throw new Error(`'${value}' is not a number`);
    const address = assign(found.value, scalar, launch);
    launch.wrote(address, found.value.type.size);
    return this.shown(found.value);
  }

  private shown(value: DebugValue): { value: string; type: string; variablesReference: number } {
    const { launch } = this.debugged;
    const { kind, name } = value.type;
    const hasParts = kind !== 'scalar' && kind !== 'opaque';
    return {
      value: textOf(value, launch),
      type: name,
      variablesReference: hasParts ? this.reference(() => childrenOf(value, launch)) : 0,
    };
  }

  private evaluate({ expression = '', frameId }: FrameArguments): object {
    const { control, launch } = this.debugged;
    const place = frameId === undefined ? { item: control.item, frame: 0 } : this.frameOf(frameId);
    const result = evaluate(expression, { ...place, memory: launch });
    if (typeof result !== 'object') return { result: String(result), variablesReference: 0 };
    const { value, ...more } = this.shown(result);
    return { result: value, ...more };
  }
}

const threadOf = (item: DebugItem) => item.linearId + 1;

const idValue = (id: number): DebugValue => ({
  type: { kind: 'scalar', name: 'size_t', size: 4, as: 'uint' },
  place: { values: [id] },
});

const sizes = (given: number | readonly number[] | undefined): readonly number[] | undefined =>
  typeof given === 'number' ? [given] : given;
