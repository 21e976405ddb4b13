// SPDX-License-Identifier: MIT
//
// A device of another machine, as PoCL's remote client is told of it: a server's address and the device's place among its devices.

export interface RemoteAddress {
  readonly host: string;
  readonly port: number;
  /** Place among the server's devices, of all platforms. */
  readonly device: number;
  /** Where the other servers reach this one; without it, servers know nothing of each other. */
  readonly peer?: string | undefined;
}

/** The port that `pocld` listens on unless it is given one. */
const DEFAULT_PORT = 10998;
const PATTERN =
  /^(?<host>[A-Za-z0-9._-]{1,255})(?::(?<port>\d{1,5}))?(?:\/(?<device>\d{1,3}))?(?:#(?<peer>[A-Za-z0-9._-]{1,255}))?$/;

/** What an address looks like, for messages. */
export const REMOTE_ADDRESS_FORM = "'host:port/device', such as 'render-1:10998/0'; no IPv6 address";

/** Undefined for a text that is not an address. Left out: port 10998, device 0. */
export function parseRemoteAddress(text: string): RemoteAddress | undefined {
  const { host, port = DEFAULT_PORT, device = 0, peer } = PATTERN.exec(text)?.groups ?? {};
  // The server listens on the next two ports as well.
  if (host === undefined || Number(port) < 1 || Number(port) > 65533) return undefined;
  return { host, port: Number(port), device: Number(device), peer };
}

export const remoteAddressText = ({ host, port, device }: RemoteAddress): string =>
  `${host}:${port}/${device}`;
