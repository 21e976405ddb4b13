// SPDX-License-Identifier: MIT
import type { Answer, Question, QuestionName, Questions } from './messages';

type Answering = {
  readonly [K in QuestionName]?: (
    ask: Questions[K]['ask'],
  ) => Questions[K]['answer'] | Promise<Questions[K]['answer']>;
};

/** Makes this thread answer, one question after the other. */
export function answerWith(answers: Answering): void {
  let last: Promise<unknown> = Promise.resolve();
  self.onmessage = ({ data }: MessageEvent<Question>) => {
    last = last.then(() => answer(answers, data));
  };
}

async function answer(answers: Answering, { id, name, ask }: Question): Promise<void> {
  try {
    const compute = answers[name] as ((ask: unknown) => unknown) | undefined;
    if (!compute) throw new Error(`this thread does not know '${name}'`);
    const given: Answer = { id, answer: await compute(ask) };
    self.postMessage(given);
  } catch (error) {
    const given: Answer = { id, error: error instanceof Error ? error.message : String(error) };
    self.postMessage(given);
  }
}
