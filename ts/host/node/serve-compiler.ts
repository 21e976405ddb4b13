// SPDX-License-Identifier: MIT
import { parentPort } from 'node:worker_threads';
import { buffersOf, CompileServer } from '../../backend/software/compile-thread/compile-server';
import { NodeHost } from './node-host';

/** The loop of the compiler's thread. */
export function serveCompiler(): void {
  const port = parentPort!;
  const host = new NodeHost();
  const server = new CompileServer(host);
  port.on('message', (request) => {
    const reply = server.answer(request);
    if (reply) port.postMessage(reply, buffersOf(reply));
    host.flushCache();
  });
  port.postMessage(server.ready);
}
