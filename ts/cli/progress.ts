// SPDX-License-Identifier: MIT
//
// A line on the terminal during long work, erased at its end. It is not written to pipes.

/** Shorter work shows no line. */
export const FIRST_MS = 500;
const EACH_MS = 100;

interface Line {
  show(text: string): void;
  end(): void;
}

/** The terminal's line, or undefined where standard error is not a terminal. */
function terminalLine(): Line | undefined {
  const out = process.stderr;
  if (!out.isTTY) return undefined;
  let shown = false;
  return {
    show(text) {
      shown = true;
      out.write(`\r\u001b[K${text}`);
    },
    end() {
      if (shown) out.write('\r\u001b[K');
    },
  };
}

/** For work in steps: `run 3 of 10`. */
export function progress(what: string, total: number): { step(done: number): void; end(): void } {
  const line = terminalLine();
  if (!line) return { step: () => undefined, end: () => undefined };
  let next = performance.now() + FIRST_MS;
  return {
    step(done) {
      const now = performance.now();
      if (now < next) return;
      next = now + EACH_MS;
      line.show(`${what} ${done} of ${total}`);
    },
    end: line.end,
  };
}

/** For work on other threads whose end is not known beforehand: `building saxpy.cl, 3 s`. */
export async function whileWaiting<T>(what: string, work: Promise<T>): Promise<T> {
  const line = terminalLine();
  if (!line) return work;
  const started = performance.now();
  const show = () => line.show(`${what}, ${Math.floor((performance.now() - started) / 1000)} s`);
  const ticking = setInterval(show, FIRST_MS);
  try {
    return await work;
  } finally {
    clearInterval(ticking);
    line.end();
  }
}

/** For work on this thread, which no timer interrupts: the line is shown at once, if the work is expected to be long. */
export function whileBlocked<T>(what: string, isLong: boolean, work: () => T): T {
  const line = isLong ? terminalLine() : undefined;
  if (!line) return work();
  line.show(what);
  try {
    return work();
  } finally {
    line.end();
  }
}
