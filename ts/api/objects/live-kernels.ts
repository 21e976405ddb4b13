// SPDX-License-Identifier: MIT
//
// Kernels keep their arguments' objects until they get others, so that a launch may follow the release of its buffer. Where memory is
// short, that is the first to go: no script has a use for it but such a launch.
import { dropReleased, isReleased } from '../internals';
import { memoryPressure } from './memory-pressure';

/** A kernel. */
interface Holder {
  readonly [isReleased]: boolean;
  [dropReleased](): void;
}

/** As many references may be of collected kernels before the list is looked through. */
const LEAST = 1024;

const live = new Set<WeakRef<Holder>>();
let limit = LEAST;

/** From now on, until it is collected. */
export function watchArguments(kernel: Holder): void {
  live.add(new WeakRef(kernel));
  if (live.size < limit) return;
  for (const reference of live) if (reference.deref()?.[isReleased] !== false) live.delete(reference);
  limit = Math.max(LEAST, 2 * live.size);
}

memoryPressure.beforeFailure(() => {
  for (const reference of live) {
    const kernel = reference.deref();
    if (kernel?.[isReleased] === false) kernel[dropReleased]();
    else live.delete(reference);
  }
});
