// SPDX-License-Identifier: MIT
//
// Several devices that work together, of one platform or of several: each has a context of its own.
import { checkArguments } from '../api/checks/guard';
import { kind } from '../api/checks/kinds';
import { throwIllegalConstructor } from '../api/errors/refusals';
import type { Device } from '../api/objects/device';
import type { Kernel } from '../api/objects/kernel';
import { platforms } from '../api/objects/platform';
import { open, Session } from '../api/open';
import { remoteDevices } from '../api/remote';
import { showAs } from '../base/show-as';
import { ErrorCode } from '../cl/constants.gen';
import { OpenCLError } from '../cl/opencl-error';
import * as kinds from './checks';
import { Pace } from './shares';

/** A device of a team that failed, and why. */
export interface DeviceFailure {
  /** The device that failed. */
  readonly device: Device;
  /** Its error. */
  readonly error: Error;
}

/** Codes of errors of a device, not of a job. */
const DEVICE_FAULTS: ReadonlySet<number> = new Set([
  ErrorCode.DEVICE_NOT_AVAILABLE,
  ErrorCode.MEM_OBJECT_ALLOCATION_FAILURE,
  ErrorCode.OUT_OF_RESOURCES,
  ErrorCode.CONTEXT_TERMINATED_KHR,
]);

/** Whether an error says that a device, and not the job, is at fault. */
export const isDeviceFault = (error: unknown): boolean =>
  error instanceof OpenCLError && DEVICE_FAULTS.has(error.code);

/** Two machines may have the same device. One that was lost may not tell its name. */
function nameOf(device: Device): string {
  const { remote } = device;
  try {
    return remote === undefined ? device.name : `${device.name} at ${remote}`;
  } catch {
    return remote ?? 'a device that was lost';
  }
}

/**
 * Devices failed, and no other one was left to do their work.
 *
 * @example
 * ```ts
 * try {
 *   throw new TeamError('no device is left', []);
 * } catch (error) {
 *   if (error instanceof TeamError) for (const { device, error: why } of error.failures) console.log(device.name, why);
 * }
 * ```
 */
export class TeamError extends Error {
  /** Always `TeamError`. */
  override readonly name = 'TeamError';

  constructor(
    message: string,
    /** Each device that failed, and why. */
    readonly failures: readonly DeviceFailure[],
  ) {
    super(
      `${message}: ${failures.map(({ device, error }) => `${nameOf(device)}: ${error.message}`).join('; ')}`,
      {
        cause: failures[0]?.error,
      },
    );
  }

  /** For JSON.stringify and loggers, which omit `message` of other errors. */
  toJSON(): Record<string, unknown> {
    const { name, message } = this;
    const failures = this.failures.map(({ device, error }) => ({
      device: nameOf(device),
      error: error instanceof OpenCLError ? error : { name: error.name, message: error.message },
    }));
    return { name, message, failures };
  }
}

/** A member of a team. */
export interface Member {
  /** The session on its device. */
  readonly session: Session;
  /** Why it takes no more work. */
  failure: DeviceFailure | undefined;
}

/** Options of `openTeam`. */
export interface TeamOptions {
  /** Default: all devices that there are. */
  readonly over?: readonly (Device | Session)[];
  /** Devices of other machines, as `remoteDevices` takes them; with `over`, they are added to it. */
  readonly remote?: readonly string[];
}

/**
 * A kernel that was built for each device of a team.
 *
 * @example
 * ```ts
 * const team = await openTeam({ over: [cl] });
 * const twice = await team.kernel('kernel void twice(global float *x) { x[get_global_id(0)] *= 2; }', 'twice');
 * console.log(twice.name, twice.kernels.size);       // twice 1
 * team.close();
 * ```
 */
export class TeamKernel {
  /** Work-items a millisecond that each device does, transfers included; later slices count more. */
  readonly speeds = new Map<Member, number>();
  private readonly paces = new Map<Member, Pace>();

  /** @internal */
  constructor(
    /** The team that it was built for. */
    readonly team: Team,
    /** The name of its function. */
    readonly name: string,
    /** The kernel on each device. */
    readonly kernels: ReadonlyMap<Member, Kernel>,
  ) {}

  /** @internal A device did this many work-items in this many milliseconds. */
  measure(member: Member, work: number, ms: number): void {
    let pace = this.paces.get(member);
    if (!pace) {
      pace = new Pace();
      this.paces.set(member, pace);
    }
    pace.add(work, ms);
    this.speeds.set(member, pace.speed);
  }
}

/** Opens devices to work together. `close()` closes the sessions that this function opened. */
export async function openTeam(options: TeamOptions = {}): Promise<Team> {
  const [{ over, remote }] = checkArguments('openTeam', 'openTeam', { options: kinds.teamOptions }, [
    options,
  ]);
  const others = remote ? await remoteDevices(remote) : [];
  const wanted = remote
    ? [...(over ?? []), ...others]
    : (over ?? platforms().flatMap((platform) => platform.devices));
  if (wanted.length === 0)
    throw new OpenCLError(ErrorCode.INVALID_VALUE, 'openTeam', '`options.over` names no device');
  const own: Session[] = [];
  const sessions: Session[] = [];
  try {
    for (const each of wanted) {
      const session = each instanceof Session ? each : await open({ device: each });
      if (session !== each) own.push(session);
      sessions.push(session);
    }
  } catch (error) {
    for (const session of own) session.close();
    throw error;
  }
  return new Team(MADE, sessions, own);
}

/** Only `openTeam` has this value, so only it can construct a team. */
const MADE = Symbol('made');

/**
 * Several devices that work together; `openTeam` makes it.
 *
 * @example
 * ```ts
 * const team = await openTeam({ over: [cl] });
 * const twice = await team.kernel('kernel void twice(global float *x) { x[get_global_id(0)] *= 2; }', 'twice');
 * const x = new Float32Array([1, 2, 3, 4]);
 * await split(twice, { global: 4 }, part.readWrite(x));
 * console.log(x);                                  // Float32Array(4) [ 2, 4, 6, 8 ]
 * team.close();
 * ```
 */
export class Team {
  /** The devices with their sessions, those that failed included. */
  readonly members: readonly Member[];
  #closed = false;

  /** @internal */
  constructor(
    made: typeof MADE,
    sessions: readonly Session[],
    private readonly own: readonly Session[],
  ) {
    if (made !== MADE) throwIllegalConstructor(new.target);
    this.members = sessions.map((session) => ({ session, failure: undefined }));
  }

  /** Whether it was closed. */
  get closed(): boolean {
    return this.#closed;
  }

  /** The devices of its members, those that failed included. */
  get devices(): readonly Device[] {
    return this.members.map(({ session }) => session.device);
  }

  /** The devices that have failed so far; they get no more work. */
  get failures(): readonly DeviceFailure[] {
    return this.members.flatMap(({ failure }) => failure ?? []);
  }

  /**
   * Builds a kernel for each device, at the same time.
   * @throws OpenCLError BUILD_PROGRAM_FAILURE that names the device whose build failed, INVALID_CONTEXT if the team was closed
   */
  async kernel(source: string | Uint8Array, name: string, options = ''): Promise<TeamKernel> {
    checkOpen(this, 'Team.kernel');
    const built = await Promise.all(
      this.members.map(async (member) => {
        try {
          const program = await member.session.build(source, options);
          return [member, program.createKernel(name)] as const;
        } catch (error) {
          if (error instanceof Error) error.message = `${nameOf(member.session.device)}: ${error.message}`;
          throw error;
        }
      }),
    );
    return new TeamKernel(this, name, new Map(built));
  }

  /** Closes the sessions that the team opened. */
  close(): void {
    this.#closed = true;
    for (const session of this.own) session.close();
  }

  /** As `close`. */
  [Symbol.dispose](): void {
    this.close();
  }
}

/** Refuses a team that was closed. */
export function checkOpen(team: Team, functionName: string): void {
  if (team.closed)
    throw new OpenCLError(ErrorCode.INVALID_CONTEXT, functionName, 'the team was closed by `close()`');
}

export const isTeam = kind('a Team (of openTeam)', (value) => value instanceof Team);
export const isTeamKernel = kind('a TeamKernel (of team.kernel)', (value) => value instanceof TeamKernel);

showAs('Team', Team, ({ devices }) => ({ devices: devices.map(nameOf).join(', ') }));
showAs('TeamKernel', TeamKernel, ({ name, team }) => ({
  name,
  devices: team.devices.map(nameOf).join(', '),
}));
