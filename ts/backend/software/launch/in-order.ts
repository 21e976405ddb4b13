// SPDX-License-Identifier: MIT

/** The steps of one, then those of the other. */
export function inOrder(
  first: Iterator<unknown> | undefined,
  second: Iterator<unknown> | undefined,
): Iterator<unknown> | undefined {
  if (!first || !second) return first ?? second;
  return {
    next: () => {
      const step = first.next();
      return step.done ? second.next() : step;
    },
  };
}
