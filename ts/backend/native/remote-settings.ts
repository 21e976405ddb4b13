// SPDX-License-Identifier: MIT
//
// Devices of other machines (docs/guides/remote.md). PoCL's remote client reads their addresses from the environment, once, when a
// program first asks for devices. So they are set before, and cannot be changed.
import type { Socket } from 'node:net';
import { isMainThread } from 'node:worker_threads';
import { parseRemoteAddress, type RemoteAddress, remoteAddressText } from '../../base/remote-address';
import { ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { environment, setEnvironment } from '../../host/node/environment';
import { load } from '../../host/node/place';
import { answersInTime } from './remote-probe';

/**
 * As the address at which other servers reach one: a name that resolves nowhere, and that no name server is asked for, since the part of
 * a name has at most 63 letters. PoCL connects all servers of a program with each other, and when one ends, the others end the
 * program's sessions. Contexts here mostly have one device, so servers need no connections; who wants them names the address.
 * An address that is refused would end the session too.
 */
const NO_PEER = 'none'.padStart(64, '-');

/** How long a server may take to accept a connection. */
const PATIENCE_MS = 5000;
/** How long a server may take to list its devices, with the start of a process and of the other drivers here. */
const ANSWER_MS = 10_000;

const DEVICES = 'POCL_DEVICES';
const parameters = (index: number): string => `POCL_REMOTE${index}_PARAMETERS`;

const refuse = (code: number, detail: string): OpenCLError => new OpenCLError(code, 'clGetDeviceIDs', detail);

/** The addresses in PoCL's variables, whoever set them; in the order of its remote devices. */
export function configuredAddresses(): readonly string[] {
  const names = (environment(DEVICES) ?? '').split(' ').filter((name) => name === 'remote');
  return names.map((_, i) => {
    const text = environment(parameters(i)) ?? '';
    const address = parseRemoteAddress(text.replace(/#.*$/, ''));
    return address ? remoteAddressText(address) : text;
  });
}

/** Whether the servers of the devices may send data to each other. */
export const havePeers = (): boolean =>
  !configuredAddresses().some((_, i) => environment(parameters(i))?.endsWith(`#${NO_PEER}`));

/**
 * Tells PoCL's remote client of devices. No driver may have been asked for devices yet.
 * @throws OpenCLError INVALID_OPERATION in a worker, whose environment is a copy that drivers do not see
 */
export function configure(addresses: readonly RemoteAddress[]): void {
  if (!isMainThread)
    throw refuse(
      ErrorCode.INVALID_OPERATION,
      `drivers do not see the environment of a worker thread: name remote devices in the main thread first, or start the process with ${DEVICES} and ${parameters(0)}`,
    );
  const known = configuredAddresses();
  const all = [...known, ...addresses.map(remoteAddressText).filter((text) => !known.includes(text))];
  // PoCL lists the processor by itself only while the variable is not set. Its name there was pthread before PoCL 4.
  const local = environment(DEVICES) ?? 'cpu pthread';
  setEnvironment(DEVICES, [local, ...all.slice(known.length).map(() => 'remote')].join(' '));
  const peers = new Map(addresses.map((address) => [remoteAddressText(address), address.peer]));
  for (const [i, text] of all.entries())
    if (i >= known.length) setEnvironment(parameters(i), `${text}#${peers.get(text) ?? NO_PEER}`);
}

/**
 * Makes sure that the servers answer: PoCL's client gives up all of its devices if one of them does not listen, and waits for ever for
 * one that accepts its connection and is silent. `library`: the loader of drivers, as for `createNativeBackend`.
 * @throws OpenCLError DEVICE_NOT_AVAILABLE that names those that do not
 */
export async function checkServers(
  addresses: readonly RemoteAddress[],
  library: string | undefined,
  patience = ANSWER_MS,
): Promise<void> {
  const servers = new Map(addresses.map((address) => [`${address.host}:${address.port}`, address]));
  const silent = await Promise.all(
    [...servers].map(async ([name, address]) => {
      const problem = (await dial(address.host, address.port)) ?? (await ask(address, library, patience));
      return problem === undefined ? [] : [`${name} (${problem})`];
    }),
  );
  if (silent.flat().length > 0)
    throw refuse(
      ErrorCode.DEVICE_NOT_AVAILABLE,
      `no pocld answers at ${silent.flat().join(', ')}: see docs/guides/remote.md for how to start one`,
    );
}

/** Why a server cannot be reached; undefined if it can. */
function dial(host: string, port: number): Promise<string | undefined> {
  // Loaded here: few programs have remote devices.
  const { connect } = load()('node:net') as typeof import('node:net');
  return new Promise((resolve) => {
    const socket: Socket = connect({ host, port });
    const end = (problem?: string) => {
      socket.destroy();
      resolve(problem);
    };
    socket.setTimeout(PATIENCE_MS, () => end(`no answer for ${PATIENCE_MS / 1000} s`));
    socket.once('connect', () => end());
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  });
}

/** Why a server that accepts connections cannot be used; undefined if it can. */
async function ask(
  address: RemoteAddress,
  library: string | undefined,
  patience: number,
): Promise<string | undefined> {
  const variables = { [DEVICES]: 'remote', [parameters(0)]: `${remoteAddressText(address)}#${NO_PEER}` };
  const isHeard = await answersInTime(variables, library, patience);
  return isHeard ? undefined : `it accepts connections, and says nothing for ${patience / 1000} s`;
}

/** Why PoCL shows fewer devices than were named; `versions`: of all platforms. */
export function whyMissing(missing: readonly string[], versions: readonly string[]): OpenCLError {
  const remote = versions.some((version) => /\bPoCL .*\bREMOTE\b/.test(version));
  const reason = remote
    ? `PoCL’s client refused them: does each server have this many devices, and the client’s version of PoCL? POCL_DEBUG=err,remote says more`
    : `none of the drivers has PoCL’s remote client (PoCL 7.2 or newer, built with ENABLE_REMOTE_CLIENT); there are ${versions.join(', ') || 'none'}`;
  return refuse(
    ErrorCode.DEVICE_NOT_FOUND,
    `no remote device ${missing.join(', ')}: ${reason}. Drivers look for devices once in a process`,
  );
}
