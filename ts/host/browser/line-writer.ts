// SPDX-License-Identifier: MIT

/**
 * Writes pieces of text to a console, which shows lines. A line without an end is shown in the event loop's
 * next iteration.
 */
export class LineWriter {
  private rest = '';
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly show: (line: string) => void) {}

  write(text: string): void {
    const lines = `${this.rest}${text}`.split('\n');
    this.rest = lines.pop()!;
    for (const line of lines) this.show(line);
    if (this.rest !== '') this.timer ??= setTimeout(this.flush, 0);
  }

  private readonly flush = (): void => {
    this.timer = undefined;
    const { rest } = this;
    this.rest = '';
    if (rest !== '') this.show(rest);
  };
}
