// SPDX-License-Identifier: MIT

/** Shorter work is not worth a line. */
const FIRST_MS = 500;
const EACH_MS = 100;

/** A line on the terminal for what takes long, wiped when it is done; nothing in a pipe. */
export function progress(what: string, total: number): { step(done: number): void; end(): void } {
  const out = process.stderr;
  if (!out.isTTY) return { step: () => undefined, end: () => undefined };
  let next = performance.now() + FIRST_MS;
  let shown = false;
  return {
    step(done) {
      const now = performance.now();
      if (now < next) return;
      next = now + EACH_MS;
      shown = true;
      out.write(`\r\u001b[K${what} ${done} of ${total}`);
    },
    end() {
      if (shown) out.write('\r\u001b[K');
    },
  };
}
