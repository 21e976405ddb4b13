// SPDX-License-Identifier: MIT
//
// `anycl playground`: serves the static files of dist/playground on this machine.
import { createReadStream, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { folder as packageFolder } from '../host/node/place';
import { inputError, usageError } from './exit';

export interface PlaygroundFlags {
  port?: string;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.webp': 'image/webp',
};

/** Of the compiler, the device and the built-in library, which the rest of the package has too. */
const SHARED = '.mjs';

/** The page may share memory with its threads; nobody may frame it or load from it; it loads nothing from elsewhere. */
const HEADERS = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy':
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; frame-ancestors 'none'",
};

/** Serves until the process is ended. */
export async function playground({ port = '0' }: PlaygroundFlags): Promise<void> {
  const wanted = Number(port);
  if (!/^\d+$/.test(port) || wanted > 65535)
    throw usageError(`--port takes a number up to 65535, not '${port}'`);
  const files = join(packageFolder, 'playground');
  if (!statSync(join(files, 'index.html'), { throwIfNoEntry: false }))
    throw inputError(`anycl: the playground's files are missing: ${files}`);
  const server = createServer((request, response) => serve(files, request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(inputError(`anycl: cannot listen on port ${port}: ${error.message}`)),
    );
    // Of this machine alone.
    server.listen(wanted, '127.0.0.1', resolve);
  });
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : wanted;
  process.stdout.write(`The playground is at http://127.0.0.1:${bound}/ (Ctrl+C ends it)\n`);
}

function serve(files: string, { url = '/', method }: IncomingMessage, response: ServerResponse): void {
  const name = url === '/' ? 'index.html' : url.slice(1).replace(/[?#].*$/, '');
  const type = TYPES[extname(name)];
  const folder = extname(name) === SHARED ? packageFolder : files;
  const file = type && /^[\w.-]+$/.test(name) ? join(folder, name) : undefined;
  const size = file && statSync(file, { throwIfNoEntry: false })?.size;
  if ((method !== 'GET' && method !== 'HEAD') || file === undefined || size === undefined) {
    response.writeHead(404, { ...HEADERS, 'Content-Type': 'text/plain' }).end('not found\n');
    return;
  }
  response.writeHead(200, {
    ...HEADERS,
    'Content-Type': type,
    'Content-Length': size,
    'Cache-Control': 'no-cache',
  });
  if (method === 'HEAD') response.end();
  else createReadStream(file).pipe(response);
}
