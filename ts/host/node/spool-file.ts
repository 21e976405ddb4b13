// SPDX-License-Identifier: MIT
//
// A JSON document with one long array, which is written while it grows. Beside the target is `TARGET.PID.part`, which is complete
// JSON after each write: the end of the array is written with each addition and overwritten by the next. A process that is killed
// leaves that file. In the end it takes the target's place in one step.
import { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';

export class SpoolFile {
  private readonly part: string;
  private file: number | undefined;
  /** Where the end of the array is. */
  private position = 0;
  private isEmpty = true;

  /**
   * @param head the document up to the array's first element
   * @param tail what follows its last one
   * @throws the error of the file system where the file cannot be made
   */
  constructor(
    private readonly target: string,
    head: string,
    private readonly tail: string,
  ) {
    this.part = `${target}.${process.pid}.part`;
    this.file = openSync(this.part, 'w', 0o644);
    this.put(head);
  }

  /** Adds elements, each as JSON. Throws where the disk is full; what was there before stays. */
  append(elements: readonly string[]): void {
    if (elements.length === 0) return;
    this.put(`${this.isEmpty ? '' : ',\n'}${elements.join(',\n')}`);
    this.isEmpty = false;
  }

  /** Puts the document where it belongs; `convert` makes another one of it. Only the first call does. */
  finish(convert?: (text: string) => string): void {
    if (this.file === undefined) return;
    closeSync(this.file);
    this.file = undefined;
    if (!convert) {
      renameSync(this.part, this.target);
      return;
    }
    const temporary = `${this.part}.new`;
    writeFileSync(temporary, convert(readFileSync(this.part, 'utf8')));
    renameSync(temporary, this.target);
    rmSync(this.part);
  }

  private put(text: string): void {
    if (this.file === undefined) return;
    const bytes = Buffer.from(`${text}${this.tail}`);
    for (let done = 0; done < bytes.length; )
      done += writeSync(this.file, bytes, done, bytes.length - done, this.position + done);
    this.position += bytes.length - Buffer.byteLength(this.tail);
  }
}
