// SPDX-License-Identifier: MIT
//
// A stream of jobs over several devices.
import { checkArguments } from '../api/checks/guard';
import type { Session } from '../api/open';
import { Channel, Pool } from './channel';
import * as kinds from './checks';
import type { Source } from './regroup';
import { checkOpen, isDeviceFault, isTeam, type Member, type Team, TeamError } from './team';

/** Options of `schedule`. */
export interface JobOptions {
  /** Jobs that a device has at a time; default 2, so that the data of one is transferred while another runs. */
  readonly perDevice?: number;
}

/**
 * Runs jobs on the devices of a team, each on the next device that is free. Results come in the order of the jobs. A job is taken
 * from the source only when a device is free and earlier results have been taken.
 *
 * If a device fails (`isDeviceFault`), its job runs again on another device, and the device gets no more jobs: `team.failures` names it.
 * Any other error belongs to the job, and is thrown in place of its result.
 * @throws TeamError if no device is left; OpenCLError INVALID_CONTEXT if the team was closed
 */
export function schedule<Job, Result>(
  team: Team,
  jobs: Source<Job>,
  run: (session: Session, job: Job) => Promise<Result>,
  options: JobOptions = {},
): AsyncGenerator<Result, void, undefined> {
  const checks = { team: isTeam, jobs: kinds.source, run: kinds.func, options: jobOptions };
  const [, , , own] = checkArguments('schedule', 'schedule', checks, [team, jobs, run, options]);
  checkOpen(team, 'schedule');
  return results(team, jobs, run, own);
}

const jobOptions = kinds.options({ perDevice: kinds.count });

async function* results<Job, Result>(
  team: Team,
  jobs: Source<Job>,
  run: (session: Session, job: Job) => Promise<Result>,
  { perDevice = 2 }: JobOptions,
): AsyncGenerator<Result, void, undefined> {
  const seats = new Seats(team, perDevice);
  /** The most jobs that are in flight, or whose results were not taken. */
  const room = new Pool(Array.from({ length: seats.count }, (_, i) => i));
  const done = new Channel<{ readonly place: number; readonly result: Result }>();
  let isStopped = false;
  const pump = async (): Promise<void> => {
    try {
      const source = toAsync(jobs);
      for (;;) {
        const place = await room.take();
        if (place === undefined || isStopped) break;
        const next = await source.next();
        if (next.done || isStopped) break;
        const { value: job } = next;
        done.send(seats.use((session) => run(session, job)).then((result) => ({ place, result })));
      }
      await source.return(undefined);
    } catch (error) {
      done.send(Promise.reject(error));
    }
    done.end();
  };
  void pump();
  try {
    for (let next = await done.receive(); next; next = await done.receive()) {
      yield next.item.result;
      room.give(next.item.place);
    }
  } finally {
    isStopped = true;
    room.close();
  }
}

/** The jobs that the devices of a team can have at a time: some seats for each device. */
class Seats {
  readonly count: number;
  private readonly free: Pool<Member>;

  /** @throws TeamError if every device has failed */
  constructor(
    private readonly team: Team,
    perDevice: number,
  ) {
    const members = team.members.filter(({ failure }) => !failure);
    const seats = members.flatMap((member) => new Array<Member>(perDevice).fill(member));
    if (seats.length === 0) throw this.noneLeft();
    this.count = seats.length;
    this.free = new Pool(seats);
  }

  /** Runs a job on the next free device, and on another one if that device fails. */
  async use<Result>(run: (session: Session) => Promise<Result>): Promise<Result> {
    for (;;) {
      const member = await this.free.take();
      if (!member) throw this.noneLeft();
      try {
        if (!member.failure) return await run(member.session);
      } catch (error) {
        if (!isDeviceFault(error)) throw error;
        member.failure ??= { device: member.session.device, error: error as Error };
      } finally {
        this.giveBack(member);
      }
    }
  }

  /** A seat of a failed device is not given again. After the last device has failed, no job waits for a seat. */
  private giveBack(member: Member): void {
    if (!member.failure) this.free.give(member);
    else if (this.team.members.every(({ failure }) => failure)) this.free.close();
  }

  private noneLeft(): TeamError {
    return new TeamError('no device is left', this.team.failures);
  }
}

async function* toAsync<T>(source: Source<T>): AsyncGenerator<T, void, undefined> {
  yield* source;
}
