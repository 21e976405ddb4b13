// SPDX-License-Identifier: MIT
//
// Starts a trace of this process (ANYCL_TRACE, docs/adr/0032-traces-by-decoration.md). Loaded only when there is one.
import { isMainThread, threadId } from 'node:worker_threads';
import type { Host } from '../../base/host';
import { ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import type { TraceEvent } from '../../trace/events';
import { tracePage } from '../../trace/page';
import { parseTrace } from '../../trace/parse';
import { Trace } from '../../trace/trace';
import { SpoolFile } from './spool-file';

export { decorateBackend } from '../../trace/decorate';
export { decorateHost, decorateToolchain } from '../../trace/decorate-host';

/** Signals that end a process unless it listens for them. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * @param pattern the file's path; %p in it is the process's number. Other threads than the main one have files of their own.
 * @param listener is given the events as well
 */
export function startTrace(
  host: Host,
  pattern: string | undefined,
  listener?: (events: readonly TraceEvent[]) => void,
): Trace {
  const file = pattern === undefined ? undefined : new TraceFile(pattern);
  const write = (events: readonly TraceEvent[]): void => {
    listener?.(events);
    file?.write(events);
  };
  const trace = new Trace({ write }, () => host.now());
  if (!file) return trace;
  const end = (): void => {
    trace.end();
    file.end(trace.recorder.dropped);
  };
  process.on('exit', end);
  if (isMainThread) for (const signal of SIGNALS) endBy(signal, end);
  return trace;
}

/** Writing it must not make a program fail. */
class TraceFile {
  private readonly path: string;
  private readonly spool: SpoolFile;
  private failed = false;

  constructor(pattern: string) {
    this.path = ownPath(pattern.replaceAll('%p', String(process.pid)));
    this.spool = openSpool(this.path);
  }

  write(events: readonly TraceEvent[]): void {
    this.guarded(() => this.spool.append(events.map((event) => JSON.stringify(event))));
  }

  end(dropped: number): void {
    if (dropped > 0) console.error(`anycl: the trace in ${this.path} lacks the last ${dropped} events`);
    const convert = this.path.endsWith('.html')
      ? (text: string) => tracePage(parseTrace(text), { title: processName() })
      : undefined;
    this.guarded(() => this.spool.finish(convert));
  }

  private guarded(step: () => void): void {
    if (this.failed) return;
    try {
      step();
    } catch (error) {
      this.failed = true;
      console.error(`anycl: the trace in ${this.path} is not complete: ${(error as Error).message}`);
    }
  }
}

/** Ends the trace, and then the process if nobody else listens for the signal. */
function endBy(signal: NodeJS.Signals, end: () => void): void {
  const listener = (): void => {
    end();
    process.off(signal, listener);
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  process.on(signal, listener);
}

function ownPath(path: string): string {
  if (isMainThread) return path;
  const dot = path.lastIndexOf('.');
  return `${path.slice(0, dot)}.thread-${threadId}${path.slice(dot)}`;
}

function processName(): string {
  const script = process.argv[1]?.split(/[\\/]/).at(-1);
  return script ?? 'node';
}

function openSpool(path: string): SpoolFile {
  if (!/\.(?:json|html)$/.test(path))
    throw refused(`'${path}' must end in .json, for Perfetto, or in .html, for a page`);
  try {
    return new SpoolFile(path, '{"displayTimeUnit":"ms","traceEvents":[\n', '\n]}\n');
  } catch (error) {
    throw refused(`'${path}' cannot be written: ${(error as Error).message}`);
  }
}

const refused = (why: string): OpenCLError =>
  new OpenCLError(ErrorCode.INVALID_VALUE, 'clGetPlatformIDs', `the trace's file (ANYCL_TRACE) ${why}`);
