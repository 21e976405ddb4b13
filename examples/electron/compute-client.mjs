// SPDX-License-Identifier: MIT
// Calls to the utility process. If it ends, the calls that wait fail, and the next one starts another process: on the software device,
// because a driver was probably the reason.
export class ComputeClient {
  #fork;
  #process;
  #waiting = new Map();
  #next = 0;
  #ended = 0;

  /** @param fork starts the process with these environment variables */
  constructor(fork) {
    this.#fork = fork;
  }

  call(name, ...args) {
    this.#process ??= this.#start();
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#process.postMessage({ id, call: name, args });
    });
  }

  stop() {
    this.#process?.kill();
  }

  #start() {
    const started = this.#fork(this.#ended > 0 ? { ANYCL_DEVICE: 'software' } : {});
    started.on('message', ({ id, result, error }) => {
      const call = this.#waiting.get(id);
      if (call === undefined) return; // It has failed: the process ended before its answer arrived.
      this.#waiting.delete(id);
      if (error === undefined) call.resolve(result);
      else call.reject(new Error(error));
    });
    started.on('exit', () => {
      this.#process = undefined;
      this.#ended++;
      for (const { reject } of this.#waiting.values())
        reject(new Error('the process with the device has ended'));
      this.#waiting.clear();
    });
    return started;
  }
}
