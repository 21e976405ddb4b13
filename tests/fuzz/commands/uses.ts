// SPDX-License-Identifier: MIT
import type { Step, Work } from './program';

function memoriesOf(work: Work): readonly number[] {
  switch (work.op) {
    case 'write':
    case 'fill':
      return [work.to.memory];
    case 'read':
      return [work.from.memory];
    case 'copy':
      return [work.from.memory, work.to.memory];
    case 'migrate':
      return work.memories;
    case 'run':
      return work.launch.memories;
  }
}

/** The memories that must exist when the step is done. */
export function placesOf(step: Step): readonly number[] {
  switch (step.op) {
    case 'memory':
      if (step.memory.kind === 'image') return step.memory.over === undefined ? [] : [step.memory.over];
      return step.memory.kind === 'sub' ? [step.memory.parent] : [];
    case 'release':
      return [step.memory];
    case 'command':
      return memoriesOf(step.work);
    case 'batch':
      return step.launches.flatMap(({ memories }) => memories);
    case 'map':
      return [step.place.memory];
    case 'record':
      return step.works.flatMap(memoriesOf);
    case 'update':
      return step.launch.memories;
    default:
      return [];
  }
}
