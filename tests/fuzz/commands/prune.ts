// SPDX-License-Identifier: MIT
//
// Smaller programs for a fault: steps are taken out, and what needs them.
import { order } from './order';
import type { Abilities, Program, Step } from './program';
import { placesOf } from './uses';

/** The program without steps that refer to what is not there. */
export function prune(program: Program): Program {
  const memories = new Set<number>();
  const ids = new Set<number>();
  const queues = new Set(program.queues.map(({ id }) => id));
  const steps: Step[] = [];
  const opened = new Set(program.steps.flatMap((step) => (step.op === 'open' ? [step.gate] : [])));
  for (const step of program.steps) {
    // Nothing would ever complete what waits for it.
    if (step.op === 'gate' && !opened.has(step.id)) continue;
    const needs =
      'map' in step
        ? step.map
        : step.op === 'replay' || step.op === 'update'
          ? step.record
          : step.op === 'open'
            ? step.gate
            : undefined;
    if (needs !== undefined && !ids.has(needs)) continue;
    if ('queue' in step && !queues.has(step.queue)) continue;
    if (placesOf(step).some((memory) => !memories.has(memory))) continue;
    if (step.op === 'memory') memories.add(step.memory.id);
    if (step.op === 'release') memories.delete(step.memory);
    if (step.op === 'release queue') queues.delete(step.queue);
    ids.add(step.id);
    steps.push(step);
  }
  return { ...program, steps };
}

/** The smallest program found that is defined and for which `fails` is true. */
export async function reduceCommands(
  program: Program,
  abilities: Abilities,
  fails: (program: Program) => Promise<boolean>,
): Promise<Program> {
  let current = program;
  const attempt = async (steps: readonly Step[]): Promise<boolean> => {
    const smaller = prune({ ...current, steps });
    if (smaller.steps.length > steps.length || typeof order(smaller, abilities) === 'string') return false;
    if (!(await fails(smaller))) return false;
    current = smaller;
    return true;
  };
  for (let size = Infinity; current.steps.length < size; ) {
    size = current.steps.length;
    for (const chunk of [16, 8, 4, 2, 1])
      for (let at = current.steps.length - chunk; at >= 0; at -= chunk)
        await attempt([...current.steps.slice(0, at), ...current.steps.slice(at + chunk)]);
    for (let at = 0; at < current.steps.length; at++) {
      const plain = simpler(current.steps[at]!);
      if (plain) await attempt(current.steps.with(at, plain));
    }
  }
  return current;
}

/** A step without what it may do without. */
function simpler(step: Step): Step | undefined {
  const { gates, extra, listens, drops, ...rest } = step as Step & {
    gates?: unknown;
    extra?: unknown;
    listens?: unknown;
    drops?: unknown;
  };
  const hasSome = [gates, extra, listens, drops].some((member) => member !== undefined);
  if (hasSome) return rest as Step;
  if (step.op === 'record' && step.works.length > 1 && !step.mutable)
    return { ...step, works: step.works.slice(1) };
  if (step.op === 'batch' && step.launches.length > 1) return { ...step, launches: step.launches.slice(1) };
  return undefined;
}

/** A step on one line. */
export const textOf = ({ id, ...rest }: Step): string => `${id}: ${JSON.stringify(rest)}`;
