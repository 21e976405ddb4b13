// SPDX-License-Identifier: MIT
import type { KernelSignature } from './messages';

/** A parameter's default argument, in the grammar of `anycl run --arg`. */
function defaultArgument(type: string, workItems: number): string {
  const image = /\b(\w+) image\w+_t\b/.exec(type);
  if (image) return image[1] === '__read_only' ? 'image2d:rgba8=@photo.png' : 'image2d:rgba8[192,144]=zero';
  if (/\bsampler_t\b/.test(type)) return 'sampler:clamp-to-edge,nearest';
  const element = /(\w+) \*+$/.exec(type)?.[1];
  if (element === undefined) {
    const width = Number(/\d+$/.exec(type)?.[0] ?? 1);
    return `${type}=${Array(width).fill('1').join(',')}`;
  }
  if (/^__local\b/.test(type)) return `local:${element}[64]`;
  return `${element}[${workItems}]=${/\bconst\b/.test(type) ? 'range' : 'zero'}`;
}

/** Keeps what the user wrote for parameters whose type is the same as before. */
export function argumentsFor(
  { parameters }: KernelSignature,
  workItems: number,
  before: readonly { readonly type: string; readonly text: string }[],
): { readonly type: string; readonly text: string }[] {
  return parameters.map(({ type }, i) => {
    const old = before[i];
    return {
      type,
      text: old?.type === type || old?.type === '' ? old.text : defaultArgument(type, workItems),
    };
  });
}
