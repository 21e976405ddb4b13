// SPDX-License-Identifier: MIT
//
// The servers of remote devices that may fall silent: a thread of the addon looks after each (native/src/remote/server_watch.h).
import { parseRemoteAddress } from '../../base/remote-address';
import type { Addon } from './addon';

const DEFAULT_TIMEOUT_S = 60;

export class RemoteServer {
  constructor(
    private readonly addon: Addon,
    private readonly watch: number,
    private readonly timeout: number,
  ) {}

  /** Something is awaited of it; `release` when it is not any more. */
  await(): void {
    this.addon.awaitServer(this.watch, 1);
  }

  release(): void {
    this.addon.awaitServer(this.watch, -1);
  }

  /** What is wrong with it, if it was awaited in vain. */
  get silence(): string | undefined {
    if (this.addon.serverLost(this.watch) === 0) return undefined;
    return `has given no sign of life for ${this.timeout} s (ANYCL_REMOTE_TIMEOUT)`;
  }
}

/** The servers of all devices. Devices of one server share it. */
export class RemoteServers {
  private readonly known = new Map<string, RemoteServer>();

  /** `timeout` in seconds; 0 for none */
  constructor(
    private readonly addon: Addon,
    private readonly timeout: number = DEFAULT_TIMEOUT_S,
  ) {}

  /** @param address `host:port/device`, or what a user's own variable says, which may be anything */
  of(address: string): RemoteServer | undefined {
    const parsed = parseRemoteAddress(address);
    if (!parsed || this.timeout === 0) return undefined;
    const { host, port } = parsed;
    const name = `${host}:${port}`;
    const server =
      this.known.get(name) ??
      new RemoteServer(
        this.addon,
        this.addon.watchServer(host, port, Math.ceil(this.timeout * 1000)),
        this.timeout,
      );
    this.known.set(name, server);
    return server;
  }
}
