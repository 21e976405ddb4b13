// SPDX-License-Identifier: MIT
import { answerInfo, type InfoAnswers } from '../../cl/encode-info';
import type { InfoTable } from '../../cl/info-values';

/** Answers queries from a table; other keys are INVALID_VALUE. */
export function answer<T extends InfoTable>(table: T, answers: InfoAnswers<T>, param: number): Uint8Array {
  return answerInfo(table, answers, 'clGetInfo', param);
}

export abstract class NullObject {
  private readonly destructors: (() => void)[] = [];

  onDestroy(callback: () => void): void {
    this.destructors.push(callback);
  }

  release(): void {
    for (const callback of this.destructors.reverse()) queueMicrotask(callback);
  }
}
