// SPDX-License-Identifier: MIT
//
// What the bytes of a texel mean, and which bytes a colour may become (OpenCL C, "Mapping Image Channels" and 8.3, "Conversion Rules").
import { halfBits, halfValue } from '../../../ts/base/half';

export type Kind = 'float' | 'int' | 'uint';
export type Texel = readonly [number, number, number, number];

interface Channel {
  readonly bytes: 1 | 2 | 4;
  readonly kind: Kind;
  readonly load: (view: DataView, at: number) => number;
  /** What is stored for a value, as far as the specification decides: whether these bytes are right. */
  readonly accepts: (value: number, view: DataView, at: number) => boolean;
}

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);
/** The error that the specification allows for normalized integers, and that of the product as a float. */
const NORMALIZED_ERROR = 0.6 + 0.01;

function normalized(bytes: 1 | 2, signed: boolean): Channel {
  const scale = 2 ** (bytes * 8 - (signed ? 1 : 0)) - 1;
  const raw = (view: DataView, at: number) =>
    bytes === 1
      ? signed
        ? view.getInt8(at)
        : view.getUint8(at)
      : signed
        ? view.getInt16(at, true)
        : view.getUint16(at, true);
  return {
    bytes,
    kind: 'float',
    load: (view, at) => Math.max(raw(view, at) / scale, -1),
    accepts(value, view, at) {
      const exact = Number.isNaN(value) ? 0 : clamp(value * scale, signed ? -scale - 1 : 0, scale);
      return Math.abs(raw(view, at) - exact) <= NORMALIZED_ERROR;
    },
  };
}

function integer(bytes: 1 | 2 | 4, signed: boolean): Channel {
  const name = `get${signed ? 'Int' : 'Uint'}${bytes * 8}` as 'getInt8' | 'getInt16' | 'getUint16';
  const load = (view: DataView, at: number) => view[name](at, true);
  const least = signed ? -(2 ** (bytes * 8 - 1)) : 0;
  const most = 2 ** (bytes * 8 - (signed ? 1 : 0)) - 1;
  return {
    bytes,
    kind: signed ? 'int' : 'uint',
    load,
    accepts: (value, view, at) => load(view, at) === clamp(value, least, most),
  };
}

const same = (a: number, b: number) => Object.is(a, b) || (a === 0 && b === 0);
const FLOAT: Channel = {
  bytes: 4,
  kind: 'float',
  load: (view, at) => view.getFloat32(at, true),
  accepts: (value, view, at) => same(view.getFloat32(at, true), Math.fround(value)),
};
const HALF: Channel = {
  bytes: 2,
  kind: 'float',
  load: (view, at) => halfValue(view.getUint16(at, true)),
  accepts: (value, view, at) => same(halfValue(view.getUint16(at, true)), halfValue(halfBits(value))),
};

const CHANNELS: Readonly<Record<string, Channel>> = {
  '8': normalized(1, false),
  '16': normalized(2, false),
  '8snorm': normalized(1, true),
  '16snorm': normalized(2, true),
  '8ui': integer(1, false),
  '16ui': integer(2, false),
  '32ui': integer(4, false),
  '8i': integer(1, true),
  '16i': integer(2, true),
  '32i': integer(4, true),
  '16f': HALF,
  '32f': FLOAT,
};

/** The components (r, g, b, a) of each channel, and the border's alpha. */
const ORDERS: Readonly<Record<string, { readonly components: readonly number[]; readonly border: 0 | 1 }>> = {
  r: { components: [0], border: 1 },
  a: { components: [3], border: 0 },
  rg: { components: [0, 1], border: 1 },
  ra: { components: [0, 3], border: 0 },
  rgba: { components: [0, 1, 2, 3], border: 0 },
  bgra: { components: [2, 1, 0, 3], border: 0 },
  argb: { components: [3, 0, 1, 2], border: 0 },
  abgr: { components: [3, 2, 1, 0], border: 0 },
  srgba: { components: [0, 1, 2, 3], border: 0 },
  sbgra: { components: [2, 1, 0, 3], border: 0 },
  intensity: { components: [0], border: 0 },
  luminance: { components: [0], border: 1 },
  depth: { components: [0], border: 0 },
};

export class Format {
  readonly order: string;
  readonly channel: Channel;
  readonly pixelBytes: number;
  readonly border: Texel;
  private readonly components: readonly number[];

  constructor(readonly name: string) {
    const [, order, type] = /^([a-z]+?)(\d.*)$/.exec(name)!;
    const { components, border } = ORDERS[order!]!;
    this.order = order!;
    this.channel = CHANNELS[type!]!;
    this.components = components;
    this.pixelBytes = components.length * this.channel.bytes;
    this.border = [0, 0, 0, border];
  }

  get kind(): Kind {
    return this.channel.kind;
  }

  /** The colours, but not alpha, are stored by sRGB's curve. */
  get isSrgb(): boolean {
    return this.order === 'srgba' || this.order === 'sbgra';
  }

  /** Numbers may be rounded when they are read. */
  get isExact(): boolean {
    return this.channel === FLOAT || this.channel === HALF || this.kind !== 'float';
  }

  load(view: DataView, at: number): Texel {
    const texel: [number, number, number, number] = [0, 0, 0, 1];
    for (const [k, component] of this.components.entries()) {
      const value = this.channel.load(view, at + k * this.channel.bytes);
      texel[component] = this.isSrgb && component < 3 ? linear(value) : value;
    }
    const [value] = texel;
    if (this.order === 'intensity') return [value, value, value, value];
    if (this.order === 'luminance') return [value, value, value, 1];
    return texel;
  }

  /** Whether a colour may be stored as these bytes. */
  accepts(color: Texel, view: DataView, at: number): boolean {
    return this.components.every((component, k) => {
      const isLinear = !this.isSrgb || component === 3;
      const value = isLinear ? color[component]! : nonlinear(color[component]!);
      return this.channel.accepts(value, view, at + k * this.channel.bytes);
    });
  }
}

const linear = (c: number) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);

function nonlinear(c: number): number {
  if (!(c > 0)) return 0;
  if (c >= 1) return 1;
  return c < 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055;
}
