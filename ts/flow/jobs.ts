// SPDX-License-Identifier: MIT
//
// A stream of jobs over several devices.
import { checkArguments } from '../api/checks/guard';
import type { Session } from '../api/open';
import { Channel, Pool } from './channel';
import * as kinds from './checks';
import type { Source } from './regroup';
import { isDeviceFault, isTeam, type Member, type Team, TeamError } from './team';

/** Options of `schedule`. */
export interface JobOptions {
  /** Jobs that a device has at a time; default 2, so that one is transferred while another runs. */
  readonly perDevice?: number;
}

/**
 * Runs jobs on the devices of a team, each on the next one that is free; results come in the order of the jobs. Jobs are taken
 * from their source only when a device is free and results are taken. A job whose device fails
 * (`isDeviceFault`) is run again on another one, and the device gets no more: `team.failures` names it. Any other error is the job's, and
 * is thrown where its result would have come. @throws TeamError if no device is left
 */
export function schedule<Job, Result>(
  team: Team,
  jobs: Source<Job>,
  run: (session: Session, job: Job) => Promise<Result>,
  options: JobOptions = {},
): AsyncGenerator<Result, void, undefined> {
  const checks = { team: isTeam, jobs: kinds.source, run: kinds.func, options: jobOptions };
  checkArguments('schedule', 'schedule', checks, [team, jobs, run, options]);
  return results(team, jobs, run, options);
}

const jobOptions = kinds.options({ perDevice: kinds.count });

async function* results<Job, Result>(
  team: Team,
  jobs: Source<Job>,
  run: (session: Session, job: Job) => Promise<Result>,
  { perDevice = 2 }: JobOptions,
): AsyncGenerator<Result, void, undefined> {
  const seats = team.members
    .filter(({ failure }) => !failure)
    .flatMap((member) => new Array<Member>(perDevice).fill(member));
  if (seats.length === 0) throw new TeamError('no device is left', team.failures);
  const free = new Pool(seats);
  /** The most jobs that are in flight, or whose results were not taken. */
  const room = new Pool(seats.map((_, i) => i));
  const done = new Channel<{ readonly place: number; readonly result: Result }>();
  let isStopped = false;
  const doJob = async (job: Job): Promise<Result> => {
    for (;;) {
      const member = await free.take();
      if (!member) throw new TeamError('no device is left', team.failures);
      if (member.failure) continue;
      try {
        const result = await run(member.session, job);
        free.give(member);
        return result;
      } catch (error) {
        if (!isDeviceFault(error)) {
          free.give(member);
          throw error;
        }
        member.failure ??= { device: member.session.device, error: error as Error };
        if (team.members.every(({ failure }) => failure)) free.close();
      }
    }
  };
  const pump = async (): Promise<void> => {
    try {
      const source = toAsync(jobs);
      for (;;) {
        const place = await room.take();
        if (place === undefined || isStopped) break;
        const next = await source.next();
        if (next.done || isStopped) break;
        done.send(doJob(next.value).then((result) => ({ place, result })));
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

async function* toAsync<T>(source: Source<T>): AsyncGenerator<T, void, undefined> {
  yield* source;
}
