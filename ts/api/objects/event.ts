// SPDX-License-Identifier: MIT

import type { BackendEvent } from '../../backend/backend-objects';
import type { Coverage } from '../../base/coverage';
import type { Fault } from '../../base/faults';
import { ErrorCode, ProfilingInfo } from '../../cl/constants.gen';
import { eventInfo } from '../../cl/info-keys.gen';
import { InternalOpenCLError, OpenCLError } from '../../cl/opencl-error';
import { StopCode } from '../../cl/stop-codes';
import { guard } from '../checks/guard';
import { type CallSite, type Calls, callSite, framesOf } from '../errors/call-site';
import { callerFrames, throwTidily } from '../errors/caller-stack';
import { describe, ofAnotherContext, withArticle } from '../errors/describe';
import { illegalReceiver } from '../errors/refusals';
import { type InfoOf, queryInfo } from '../info/info';
import { handleFor, isConstructed, isReleased, releasedError, withCause } from '../internals';
import { unlessAborted, type Waiting } from '../options/abort';
import { isPlain } from '../options/plain-object';
import type { Context } from './context';
import { checkConstructor, Handle } from './handle';
import { memoryPressure } from './memory-pressure';
import type { CommandQueue } from './queue';

/** Properties by name, without `CL_EVENT_`. */
export type EventInfo = InfoOf<typeof eventInfo, { CONTEXT: Context; COMMAND_QUEUE: CommandQueue | null }>;

/** Times of a command in nanoseconds of the device's clock. */
export interface ProfilingTimes {
  /** When it was enqueued. */
  readonly queued: bigint;
  /** When it was given to the device. */
  readonly submitted: bigint;
  /** When it began to run. */
  readonly started: bigint;
  /** When it was complete. */
  readonly ended: bigint;
  /** From start to end, in milliseconds. */
  readonly durationMs: number;
}

/** The state of a command; `failed` for those that ended with an error. */
export type EventStatus = 'queued' | 'submitted' | 'running' | 'complete' | 'failed';

const STATUS: Readonly<Record<number, EventStatus>> = {
  3: 'queued',
  2: 'submitted',
  1: 'running',
  0: 'complete',
};

/**
 * The state of an enqueued command. Await it for the command's completion. It rejects with the command's OpenCLError,
 * whose stack shows where the command was enqueued. An event that is not awaited fails silently, as in OpenCL.
 *
 * @example
 * ```ts
 * const { twice } = (await cl.build('kernel void twice(global float *x) { x[get_global_id(0)] *= 2; }')).kernels;
 * const x = cl.buffer(new Float32Array(1000));
 * const event = twice.run({ global: 1000 }, x);
 * await event;
 * console.log(event.status, event.profile.durationMs >= 0); // complete true
 * ```
 */
export class Event<T = void> extends Handle<BackendEvent> implements PromiseLike<T> {
  /** The context whose commands can wait for it. */
  readonly context: Context;
  readonly #queue: CommandQueue | undefined;
  readonly #functionName: string;
  readonly #result: (() => T) | undefined;
  readonly #enqueued: CallSite;
  #completion: Promise<T> | undefined;
  /** Why it was ended, if a signal has ended it. */
  #cause: unknown;
  /** The handle again: V8 reads a private field of one class several times faster than one that all objects share. */
  #backend: BackendEvent | undefined;

  /** @internal */
  constructor(
    handle: BackendEvent,
    functionName: string,
    /** Where it was enqueued; a context for user events and those of other APIs. */
    origin: CommandQueue | Context,
    result?: () => T,
    /** For kernels: the call sites of the launches. */
    runs?: Calls,
  ) {
    // Backends release unreferenced events themselves, because there are hundreds of thousands of them.
    super(handle, ErrorCode.INVALID_EVENT, false);
    // As for every object, but here V8 sees only the handles of events.
    if (typeof handle?.onComplete !== 'function') checkConstructor(undefined, new.target);
    this.#backend = handle;
    if (isQueue(origin)) {
      this.context = origin.context;
      this.#queue = origin;
    } else this.context = origin;
    this.#functionName = functionName;
    this.#result = result;
    this.#enqueued = callSite(Event as never, runs);
  }

  /** @internal */
  override get [isReleased](): boolean {
    return this.#backend === undefined;
  }

  /** @internal */
  override [handleFor](functionName: string): BackendEvent {
    const handle = this.#backend;
    if (handle === undefined) throw this[releasedError](functionName);
    return handle;
  }

  /** Releases the event; the command goes on. */
  override release(): void {
    if (!(#backend in Object(this))) throw illegalReceiver(this, 'Event.release');
    const handle = this.#backend;
    this.#backend = undefined;
    handle?.release();
  }

  /** Where the command is now (clGetEventInfo). */
  get status(): EventStatus {
    return STATUS[this[handleFor]('clGetEventInfo').status()] ?? 'failed';
  }

  /** Resolves when the command has completed; the same Promise each time. */
  get completed(): Promise<T> {
    this.#completion ??= new Promise((resolve, reject) => {
      const handle = this[handleFor]('clSetEventCallback');
      const settle = (status: number): void => {
        if (status < 0) reject(failure(this.#functionName, this.#enqueued, status, handle, this.#cause));
        else {
          try {
            resolve(this.#result ? this.#result() : (undefined as T));
          } catch (error) {
            reject(error);
          }
        }
      };
      handle.onComplete((status) => {
        const { turn } = memoryPressure;
        if (turn === undefined) settle(status);
        else turn.then(() => settle(status));
      });
    });
    return this.#completion;
  }

  /** What `await` calls: resolves with the result when the command is complete, rejects with its OpenCLError. */
  then<A = T, B = never>(
    onComplete?: ((value: T) => A | PromiseLike<A>) | null,
    onError?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.completed.then(onComplete, onError);
  }

  /** As a Promise's `catch`: resolves with what `onError` returns if the command fails. */
  catch<B = never>(onError?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.completed.catch(onError);
  }

  /** As a Promise's `finally`: calls `onEnd` when the command has completed or failed. */
  finally(onEnd?: (() => void) | null): Promise<T> {
    return this.completed.finally(onEnd);
  }

  /**
   * As awaiting the event, but rejects with the signal's reason when `signal` is aborted. The command continues:
   * `terminate` ends it.
   */
  async wait({ signal }: Waiting = {}): Promise<T> {
    return await unlessAborted(() => this.completed, signal);
  }

  /**
   * Ends the command, whether it runs or waits; what its kernel has enqueued, too. It fails with COMMAND_TERMINATED, as soon as
   * its threads have ended. On drivers, which cannot end commands, the event alone fails, and the command goes on. Nothing
   * happens to a command that is complete, nor to a user event.
   */
  terminate(): void {
    const handle = this[handleFor]('clTerminateContextKHR');
    handle.stop({ status: StopCode.COMMAND_TERMINATED, text: 'was ended with `event.terminate()`' });
  }

  /** @internal */
  [withCause](cause: unknown): void {
    this.#cause = cause;
  }

  /** Blocks the thread until the command has completed. */
  waitSync(): T {
    try {
      if (!(#functionName in Object(this))) throw illegalReceiver(this, 'Event.waitSync');
      const handle = this[handleFor]('clWaitForEvents');
      handle.waitSync();
      const status = handle.status();
      if (status < 0) throw failure(this.#functionName, this.#enqueued, status, handle, this.#cause);
      return this.#result ? this.#result() : (undefined as T);
    } catch (error) {
      // The error shows where the command was enqueued.
      throwTidily(error);
    }
  }

  /** Calls back once when the command reaches `status`, or has failed (clSetEventCallback). */
  on(status: 'submitted' | 'running' | 'complete', listener: (error?: OpenCLError) => void): this {
    const handle = this[handleFor]('clSetEventCallback');
    const type = { submitted: 2, running: 1, complete: 0 }[status];
    handle.onStatus(type, (reached) =>
      listener(
        reached < 0 ? failure(this.#functionName, this.#enqueued, reached, handle, this.#cause) : undefined,
      ),
    );
    return this;
  }

  /**
   * A property by its name without `CL_EVENT_`, or by number as bytes (clGetEventInfo).
   * @throws OpenCLError INVALID_VALUE for a key that the device does not know
   */
  info<K extends keyof EventInfo>(key: K): EventInfo[K];
  info(key: number): Uint8Array;
  info(key: keyof EventInfo | number): unknown {
    const read = (param: number) => this[handleFor]('clGetEventInfo').info(param);
    return queryInfo(eventInfo, key, 'clGetEventInfo', read, {
      CONTEXT: this.context,
      COMMAND_QUEUE: this.#queue ?? null,
    });
  }

  /**
   * The kernel's faults, in a context with checks (`check`). The list is complete when the event is. It is empty for
   * other commands.
   */
  get faults(): readonly Fault[] {
    return this[handleFor]('clGetEventInfo').faults ?? [];
  }

  /**
   * What the kernel has executed, in a context that counts it (`coverage`): lines, branches, functions, instructions and accesses.
   * Undefined until the event is complete, and for other commands.
   */
  get coverage(): Coverage | undefined {
    return this[handleFor]('clGetEventInfo').coverage;
  }

  /** Throws OUT_OF_RESOURCES with all reports if there are faults. */
  throwIfFaulty(): void {
    const { faults } = this;
    if (faults.length === 0) return;
    const text = faults.map((fault) => fault.text).join('\n');
    throw new OpenCLError(ErrorCode.OUT_OF_RESOURCES, this.#functionName, `the kernel has faults:\n${text}`);
  }

  /** Throws PROFILING_INFO_NOT_AVAILABLE unless the queue was made with `profiling: true` and the command is done. */
  get profile(): ProfilingTimes {
    const handle = this[handleFor]('clGetEventProfilingInfo');
    const time = (key: number): bigint => {
      const bytes = handle.profilingInfo(key);
      return new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true);
    };
    const started = time(ProfilingInfo.COMMAND_START);
    const ended = time(ProfilingInfo.COMMAND_END);
    return {
      queued: time(ProfilingInfo.COMMAND_QUEUED),
      submitted: time(ProfilingInfo.COMMAND_SUBMIT),
      started,
      ended,
      durationMs: Number(ended - started) / 1e6,
    };
  }
}

guard('Event', Event);

/** Not a method: private methods would add a mark to each of the hundreds of thousands of events. */
function failure(
  functionName: string,
  enqueued: CallSite,
  status: number,
  handle: BackendEvent,
  cause: unknown,
): OpenCLError {
  const detail = handle.failure ?? 'the command failed on the device';
  const error = handle.isInternalError
    ? new InternalOpenCLError(status, functionName, detail, undefined)
    : new OpenCLError(status, functionName, detail);
  const frames = framesOf(enqueued);
  if (cause !== undefined) Object.defineProperty(error, 'cause', { value: cause });
  if (frames) error.stack = `${error.name}: ${error.message}\n${callerFrames(frames)}`;
  return error;
}

/**
 * An event that the host completes (clCreateUserEvent). Commands can wait for it.
 *
 * @example
 * ```ts
 * const start = cl.context.createUserEvent();
 * const memory = cl.buffer(Int32Array, 1);
 * const filled = cl.queue.enqueueFill(memory, Int32Array.of(5), { waitFor: [start] });
 * start.complete();                                // only now the command may run
 * await filled;
 * ```
 */
export class UserEvent extends Event {
  /** @internal */
  constructor(handle: BackendEvent, context: Context) {
    super(handle, 'clCreateUserEvent', context);
  }

  /**
   * Completes the event, so that waiting commands can run. Throws INVALID_OPERATION if it was completed or failed before.
   */
  complete(): void {
    this[handleFor]('clSetUserEventStatus').setUserStatus(0);
  }

  /** Makes the waiting commands fail; `code` is a negative OpenCL error code. */
  fail(code: number = ErrorCode.OUT_OF_RESOURCES): void {
    const handle = this[handleFor]('clSetUserEventStatus');
    if (!Number.isInteger(code) || code >= 0) {
      throw new OpenCLError(
        ErrorCode.INVALID_VALUE,
        'clSetUserEventStatus',
        `the status must be negative, not ${code}`,
      );
    }
    handle.setUserStatus(code);
  }
}

guard('UserEvent', UserEvent);

/** The wait list of unchecked options, for a command of `context`. */
export function waitListOf(
  options: { readonly waitFor?: readonly Event<unknown>[] },
  context: Context,
  functionName: string,
): BackendEvent[] | undefined {
  if (!isPlain(options))
    throw new OpenCLError(
      ErrorCode.INVALID_VALUE,
      functionName,
      `\`options\` must be an object with \`waitFor\`, not ${describe(options)}`,
    );
  const { waitFor } = options;
  if (waitFor === undefined) return undefined;
  if (!Array.isArray(waitFor))
    throw new OpenCLError(
      ErrorCode.INVALID_EVENT_WAIT_LIST,
      functionName,
      `\`options.waitFor\` must be an array of events, not ${describe(waitFor)}`,
    );
  const events = Array.from(waitFor as readonly Event<unknown>[]);
  const handles = waitList(events, functionName);
  const foreign = events.findIndex((event) => event.context !== context);
  if (foreign < 0) return handles;
  throw new OpenCLError(
    ErrorCode.INVALID_CONTEXT,
    functionName,
    `\`options.waitFor[${foreign}]\` ${ofAnotherContext('Event')}`,
  );
}

/** The handles of a wait list; `undefined` if it is empty. */
export function waitList(
  events: readonly Event<unknown>[] | undefined,
  functionName: string,
): BackendEvent[] | undefined {
  if (events === undefined || events.length === 0) return undefined;
  return Array.from(events, (event, i) => {
    if (!(Event[isConstructed](event) && event instanceof Event)) {
      const detail = `\`options.waitFor[${i}]\` must be an Event (what enqueuing a command returns), not ${describe(event)}`;
      throw new OpenCLError(ErrorCode.INVALID_EVENT_WAIT_LIST, functionName, detail);
    }
    if (event.released) {
      const detail = `\`options.waitFor[${i}]\` is ${withArticle(event.constructor.name)} that was released`;
      throw new OpenCLError(ErrorCode.INVALID_EVENT_WAIT_LIST, functionName, detail);
    }
    return event[handleFor](functionName);
  });
}

/** A context has no context. */
const isQueue = (origin: CommandQueue | Context): origin is CommandQueue =>
  (origin as Partial<CommandQueue>).context !== undefined;
