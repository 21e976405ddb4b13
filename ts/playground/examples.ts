// SPDX-License-Identifier: MIT
//
// The examples of the playground.
import mandelbrot from '../../kernels/examples/mandelbrot.cl';
import saxpy from '../../kernels/examples/saxpy.cl';
import sobel from '../../kernels/examples/sobel.cl';
import type { Shared } from './share';

export interface Example extends Shared {
  readonly title: string;
}

const example = (
  title: string,
  source: string,
  kernel: string,
  global: string,
  ...args: string[]
): Example => ({
  title,
  source: source.replace(/^\/\/ SPDX.*\n/, ''),
  options: '',
  kernel,
  global,
  local: '',
  args,
});

const RIPPLES = `// Two drops in a pond, as colours.
kernel void ripples(global uchar4 *image, float time) {
  int x = get_global_id(0), y = get_global_id(1);
  float2 place = (float2)(x, y) / (float2)(get_global_size(0), get_global_size(1));
  float a = distance(place, (float2)(0.3f, 0.4f)), b = distance(place, (float2)(0.7f, 0.6f));
  float height = sin(60 * a - time) / (1 + 8 * a) + sin(60 * b - time) / (1 + 8 * b);
  float4 colour = mix((float4)(0.02f, 0.1f, 0.3f, 1), (float4)(0.7f, 0.95f, 1, 1), smoothstep(-0.6f, 1.0f, height));
  image[y * get_global_size(0) + x] = convert_uchar4_sat(colour * 255);
}
`;

const BLUR = `// A photograph through a sampler: each pixel is the mean of its neighbourhood.
kernel void blur(read_only image2d_t in, sampler_t s, write_only image2d_t out, int radius) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float4 sum = 0;
  for (int y = -radius; y <= radius; y++)
    for (int x = -radius; x <= radius; x++) sum += read_imagef(in, s, at + (int2)(x, y));
  write_imagef(out, at, sum / ((2 * radius + 1) * (2 * radius + 1)));
}
`;

const SUM = `// Each work-group adds its numbers in local memory.
kernel void sum(global const float *in, global float *out, local float *part) {
  int l = get_local_id(0);
  part[l] = in[get_global_id(0)];
  for (int step = get_local_size(0) / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < step) part[l] += part[l + step];
  }
  if (l == 0) out[get_group_id(0)] = part[0];
}
`;

const HELLO = `kernel void hello(void) {
  printf("work-item %d of %d\\n", (int)get_global_id(0), (int)get_global_size(0));
}
`;

const FAULT = `// Has two faults: switch "Look for faults" on to see them.
kernel void shift(global const float *in, global float *out) {
  int i = get_global_id(0);
  float sum;
  if (i > 0) sum = in[i - 1];
  out[i] = sum + in[i + 1];
}
`;

export const EXAMPLES: readonly Example[] = [
  example('Ripples', RIPPLES, 'ripples', '320,240', 'uchar4[76800]=zero', 'float=2'),
  example(
    'Mandelbrot set',
    mandelbrot,
    'mandelbrot',
    '320,240',
    'uchar4[76800]=zero',
    'float=-2.2',
    'float=-1.2',
    'float=0.01',
    'int=100',
  ),
  example(
    'Edges of a photograph',
    sobel,
    'sobel',
    '192,144',
    'uchar4[]=@photo.png',
    'uchar4[27648]=zero',
    'int=192',
    'int=144',
  ),
  example(
    'Blur with a sampler',
    BLUR,
    'blur',
    '192,144',
    'image2d:rgba8=@photo.png',
    'sampler:clamp-to-edge,nearest',
    'image2d:rgba8[192,144]=zero',
    'int=3',
  ),
  example('saxpy', saxpy, 'saxpy', '16', 'float=2', 'float[16]=range', 'float[16]=fill=1'),
  {
    ...example(
      'Sum in local memory',
      SUM,
      'sum',
      '256',
      'float[256]=range',
      'float[4]=zero',
      'local:float[64]',
    ),
    local: '64',
  },
  example('printf', HELLO, 'hello', '8'),
  example('Find the faults', FAULT, 'shift', '8', 'float[8]=range', 'float[8]=zero'),
];
