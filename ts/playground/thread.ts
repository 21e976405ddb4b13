// SPDX-License-Identifier: MIT
import type { Answer, Question, QuestionName, Questions } from './messages';

/** Why a question has no answer: a newer one replaced it, or the time limit passed. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
}

interface Waiting {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
}

/** A worker of the page that answers questions. It is started when it is first asked, and again after it was ended. */
export class Thread {
  private worker: Worker | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private nextId = 0;

  constructor(private readonly script: string) {}

  /** @param limitMs ends the worker if there is no answer by then */
  ask<K extends QuestionName>(
    name: K,
    ask: Questions[K]['ask'],
    limitMs?: number,
  ): Promise<Questions[K]['answer']> {
    const worker = this.start();
    const id = this.nextId++;
    const question: Question = { id, name, ask };
    return new Promise<Questions[K]['answer']>((resolve, reject) => {
      const timer =
        limitMs === undefined
          ? undefined
          : setTimeout(() => this.end(`stopped after ${limitMs / 1000} s`), limitMs);
      const done = () => clearTimeout(timer);
      this.waiting.set(id, {
        resolve: (answer) => {
          done();
          resolve(answer);
        },
        reject: (error) => {
          done();
          reject(error);
        },
      });
      worker.postMessage(question);
    });
  }

  get isBusy(): boolean {
    return this.waiting.size > 0;
  }

  /** Terminates the worker. Its open questions get no answer. */
  end(why: string): void {
    this.worker?.terminate();
    this.worker = undefined;
    for (const { reject } of this.waiting.values()) reject(new Unanswered(why));
    this.waiting.clear();
  }

  private start(): Worker {
    if (this.worker) return this.worker;
    const worker = new Worker(new URL(this.script, document.baseURI), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      const waiting = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if (data.error === undefined) waiting?.resolve(data.answer as never);
      else waiting?.reject(new Error(data.error));
    };
    worker.onerror = (event) => this.end(`the thread failed: ${event.message}`);
    this.worker = worker;
    return worker;
  }
}
