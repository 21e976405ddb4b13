// SPDX-License-Identifier: MIT
// The work itself, which knows nothing of Electron.
import { open } from 'anycl';

const SOURCE = `
  kernel void brightness(global uchar4 *pixels, float factor) {
    size_t i = get_global_id(0);
    float4 p = convert_float4(pixels[i]);
    pixels[i] = convert_uchar4_sat_rte((float4)(p.xyz * factor, p.w));
  }`;

export class Brightness {
  static async create(options) {
    const cl = await open(options);
    return new Brightness(cl, (await cl.build(SOURCE)).kernels.brightness);
  }

  constructor(cl, kernel) {
    this.cl = cl;
    this.kernel = kernel;
  }

  get device() {
    return { name: this.cl.device.name, type: this.cl.device.type };
  }

  /** @returns RGBA pixels, brighter by `factor` */
  async apply(pixels, factor) {
    if (!(pixels instanceof Uint8Array) || pixels.length % 4 !== 0) throw new Error('pixels are RGBA bytes');
    if (!Number.isFinite(factor) || factor < 0) throw new Error('the factor is a number from 0 on');
    if (pixels.length === 0) return pixels;
    const memory = this.cl.buffer(pixels);
    try {
      await this.kernel.clone().run({ global: pixels.length / 4 }, memory, factor);
      return await memory.read();
    } finally {
      memory.release();
    }
  }

  close() {
    this.cl.close();
  }
}
