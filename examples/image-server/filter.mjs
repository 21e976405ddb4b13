// SPDX-License-Identifier: MIT
// Images through kernels, with a limit on what is on its way.
import { readFileSync } from 'node:fs';

export const FILTERS = ['none', 'grey', 'sharpen'];

/** Too much is on its way already. */
export class BusyError extends Error {}

export class ImageFilter {
  #kernels;
  #running = 0;

  static async create(cl, options = {}) {
    const source = readFileSync(new URL('filters.cl', import.meta.url), 'utf8');
    const filter = new ImageFilter(cl, options);
    filter.#kernels = (await cl.build(source)).kernels;
    return filter;
  }

  constructor(cl, { atATime = 4 } = {}) {
    this.cl = cl;
    this.atATime = atATime;
  }

  /** Takes a place before the work begins, or throws BusyError; the function that it returns gives it back. */
  enter() {
    if (this.#running >= this.atATime) throw new BusyError('too many images are on their way');
    this.#running++;
    return () => {
      this.#running--;
    };
  }

  /** @returns the pixels (RGBA) of the image in another size, filtered */
  async apply(image, { width, height, filter }) {
    const from = this.cl.image({ format: 'rgba8', width: image.width, height: image.height }, image.data);
    const resized = this.cl.image({ format: 'rgba8', width, height });
    const target = this.cl.image({ format: 'rgba8', width, height });
    try {
      // Kernel objects of its own: arguments are set on the object, and other requests run meanwhile.
      const last = this.#run('resize', from, resized);
      if (filter === 'none') return await resized.read({ waitFor: [last] });
      return await target.read({ waitFor: [this.#run(filter, resized, target)] });
    } finally {
      for (const memory of [from, resized, target]) memory.release();
    }
  }

  #run(name, from, to) {
    return this.#kernels[name].clone().run({ global: [to.width, to.height] }, from, to);
  }
}
