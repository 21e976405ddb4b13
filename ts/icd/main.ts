// SPDX-License-Identifier: MIT
//
// The process behind libanycl-icd: the software device for one program in any language. dist/icd-server.cjs loads it;
// native/icd starts it with the socket, the staging memory and the path of its own library. It ends when the client closes the socket.
// With `--platform` it only writes the platform's properties, which the build stores in dist/icd-platform.bin.
import { SoftwareBackend } from '../backend/software';
import { defaultToolchain } from '../backend/software/build/default-toolchain';
import { platformInfo } from '../cl/info-keys.gen';
import { OpenCLError } from '../cl/opencl-error';
import { NodeHost } from '../host/node/node-host';
import { Channel } from './channel';
import { platformAnswer } from './handlers/info';
import { Server } from './server';
import { loadSharing } from './sharing';
import { Staging } from './staging';
import { Writer } from './wire';

const SOCKET = 3;
const STAGING = 4;

/** The host of this process. The client prints what kernels write. */
class ServerHost extends NodeHost {
  print: (bytes: Uint8Array) => void = () => {};

  override writeOut(bytes: Uint8Array): void {
    this.print(bytes);
  }

  /** As with other drivers, `#include` finds every file that the process may read. */
  override readSource(path: string): Uint8Array | undefined {
    return super.readSource(path, ['/']);
  }
}

const host = new ServerHost();
const backend = new SoftwareBackend(host, defaultToolchain, 'spir64');
const platform = backend.platforms()[0]!;

export function serve(): void {
  const library = process.argv[2];
  const sharing = library === undefined ? undefined : loadSharing(library);
  const server = new Server(platform, new Staging(STAGING), sharing, host.settings.debug.has('calls'));
  server.channel = new Channel(
    SOCKET,
    (message) => server.receive(message),
    () => process.exit(0),
  );
  host.print = (bytes) => server.notify('printed', { text: bytes });
}

/** Writes the platform's properties: for each key its number, the size of the answer, and the answer. */
function writePlatform(): void {
  const out = new Writer();
  for (const [param] of Object.values(platformInfo)) {
    try {
      const answer = platformAnswer(platform, param);
      out.u32(param);
      out.bytes(answer);
    } catch (error) {
      // A key of an extension that the platform does not have.
      if (!(error instanceof OpenCLError)) throw error;
    }
  }
  process.stdout.write(out.take());
}

if (process.argv[2] === '--platform') writePlatform();
else serve();
