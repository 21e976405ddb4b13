// SPDX-License-Identifier: MIT
//
// The process behind libanycl-icd: the software device for one program in any language. scripts/build.mjs bundles it to
// dist/icd-server.cjs; native/icd starts it with the two files below, and it ends when the program closes the socket.
import { SoftwareBackend } from '../backend/software';
import { defaultToolchain } from '../backend/software/default-toolchain';
import { NodeHost } from '../host/node/node-host';
import { Channel } from './channel';
import { Server } from './server';
import { Staging } from './staging';

const SOCKET = 3;
const STAGING = 4;

/** The process that the device lives in, but that what kernels print is the program's. */
class ServerHost extends NodeHost {
  print: (text: string) => void = () => {};

  override writeOut(text: string): void {
    this.print(text);
  }
}

const host = new ServerHost();
const backend = new SoftwareBackend(host, defaultToolchain);
const server = new Server(backend.platforms()[0]!, new Staging(STAGING));
server.channel = new Channel(
  SOCKET,
  (message) => server.receive(message),
  () => process.exit(0),
);
host.print = (text) => server.notify('printed', { text: Buffer.from(text) });
