// SPDX-License-Identifier: MIT
//
// Worker threads of Node.js, as the device uses them.
import { MessageChannel, type MessagePort, Worker, type WorkerOptions } from 'node:worker_threads';
import type { HostWorker } from '../../base/host';

export class NodeWorker implements HostWorker {
  private readonly worker: Worker;

  /**
   * @param code a file, or with the option `eval` its text
   * @param port the port that the thread reads from, if that is not its port to the parent
   */
  constructor(
    code: string,
    data: unknown,
    special: WorkerOptions = {},
    private readonly port?: MessagePort,
  ) {
    const options = { workerData: data, execArgv: [], trackUnmanagedFds: false };
    this.worker = new Worker(code, { ...options, ...special });
    this.worker.unref();
  }

  post(message: unknown): void {
    (this.port ?? this.worker).postMessage(message);
  }

  /**
   * A thread's ports are closed when its stack has been unwound: no code of the thread runs any more. Taking down its heap takes longer
   * by far, on Node.js 20 some 15 ms of CPU time.
   */
  async terminate(): Promise<void> {
    const { port } = this;
    const ended = this.worker.terminate();
    if (!port) await ended;
    else await Promise.race([ended, new Promise<void>((resolve) => port.once('close', resolve))]);
  }

  onMessage(listener: (message: unknown) => void): void {
    this.worker.on('message', listener);
    // By default a listener keeps the process alive.
    this.worker.unref();
  }

  onError(listener: (error: Error) => void): void {
    this.worker.on('error', listener);
  }

  keepAlive(on: boolean): void {
    if (on) this.worker.ref();
    else this.worker.unref();
  }
}

/** The data that a thread of the device starts with. */
export interface DeviceThreadStart {
  /** The port for messages that the thread reads one at a time, when it needs them. */
  readonly port: MessagePort;
  readonly data: unknown;
}

export function startOfThread(data: unknown): {
  readonly start: DeviceThreadStart;
  readonly port: MessagePort;
} {
  const { port1, port2 } = new MessageChannel();
  return { start: { port: port2, data }, port: port1 };
}
