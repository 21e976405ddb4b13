// SPDX-License-Identifier: MIT
//
// Runs a kernel on the software device. The page terminates this thread if a kernel takes too long.
import { encodeValue, type ValueType } from '../api/data/element-types';
import type { ImageFormatName } from '../api/data/image-formats';
import { SCALARS } from '../api/data/scalars';
import { Buffer } from '../api/objects/buffer';
import type { Image } from '../api/objects/image';
import { type KernelValue, local } from '../api/objects/kernel-values';
import { open, type Session } from '../api/open';
import { prepareApi } from '../api/prepare';
import { createRegistry } from '../backend/registry';
import { SoftwareBackend } from '../backend/software';
import { defaultToolchain } from '../backend/software/build/default-toolchain';
import { elements, fill, formatElements, zeros } from '../cli/data/element-data';
import {
  type ArgumentSpec,
  type BufferSpec,
  type ImageSpec,
  parseArgumentSpec,
} from '../cli/run/argument-spec';
import { BrowserHost } from '../host/browser/browser-host';
import { library } from '../host/browser/embedded';
import { answerWith } from './answering';
import type { Picture, RunAnswer, RunRequest, RunResult } from './messages';
import { pictureOf, pixelsAs } from './pixels';

/** Lines of printf that are shown at most. */
const LINE_LIMIT = 1000;
/** Elements that are shown as numbers. */
const SHOWN_ELEMENTS = 256;

let printed: string[] = [];
prepareApi(() =>
  createRegistry(
    new BrowserHost(library, {}, (line) => {
      if (printed.length < LINE_LIMIT) printed.push(line);
    }),
    [{ kind: 'software', make: (host) => new SoftwareBackend(host, defaultToolchain) }],
  ),
);

/** One session for runs and one for checked runs, because a context checks all kernels or none. */
const sessions = new Map<boolean, Promise<Session>>();
function sessionFor(check: boolean): Promise<Session> {
  let session = sessions.get(check);
  if (!session) {
    session = open({ device: 'software', ...(check ? { check: 'all' as const } : {}) });
    sessions.set(check, session);
  }
  return session;
}

interface Given {
  readonly value: KernelValue;
  readonly shown: { readonly type: ValueType; readonly size: readonly number[] | undefined } | undefined;
}

interface Releasable {
  release(): void;
}

async function run(request: RunRequest): Promise<RunAnswer> {
  printed = [];
  const owned: Releasable[] = [];
  try {
    return await runWith(await sessionFor(request.check), request, owned);
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  } finally {
    for (const object of owned.reverse()) object.release();
  }
}

/** @param owned receives the objects to release after the run */
async function runWith(session: Session, request: RunRequest, owned: Releasable[]): Promise<RunAnswer> {
  const { source, options, kernel: name, global, args } = request;
  const started = performance.now();
  const program = await session.build(source, options);
  owned.push(program);
  const kernel = program.createKernel(name);
  owned.push(kernel);
  const buildMs = performance.now() - started;
  if (args.length !== kernel.argumentCount)
    return failed(`'${name}' takes ${kernel.argumentCount} arguments, ${args.length} are given`);
  const given = args.map((text): Given => {
    const argument = give(session, parseArgumentSpec(text), request.picture);
    const { value } = argument;
    if (typeof value === 'object' && value !== null && 'release' in value) owned.push(value);
    return argument;
  });
  kernel.setArgs(...given.map(({ value }) => value));
  const enqueued = performance.now();
  const event = session.queue.enqueueNDRange(kernel, {
    global: [...global],
    ...(request.local ? { local: [...request.local] } : {}),
  });
  owned.push(event);
  await event;
  const runMs = performance.now() - enqueued;
  const results: RunResult[] = [];
  for (const [i, each] of given.entries()) {
    const result = await resultOf(each, kernel.arguments[i]!.name || `argument ${i}`, global);
    if (result) results.push(result);
  }
  // The device writes what is left of a line in the event loop's next iteration.
  await new Promise((resolve) => setTimeout(resolve, 0));
  return { ok: true, buildMs, runMs, printed, faults: [...event.faults], results };
}

const failed = (message: string): RunAnswer => ({ ok: false, message });

function give(session: Session, spec: ArgumentSpec, picture: Picture): Given {
  switch (spec.kind) {
    case 'value':
      return { value: encodeValue(spec.type, spec.components), shown: undefined };
    case 'local':
      return { value: local(spec.bytes), shown: undefined };
    case 'sampler':
      return { value: session.sampler(spec.options), shown: undefined };
    case 'buffer':
      return giveBuffer(session, spec, picture);
    case 'image':
      return giveImage(session, spec, picture);
  }
}

function giveBuffer(session: Session, spec: BufferSpec, picture: Picture): Given {
  const { type, typeName, contents } = spec;
  const isPicture = contents.from === 'file';
  const pixels = isPicture ? pixelsAs(picture, type) : undefined;
  const count = spec.count ?? pixels!.byteLength / type.size;
  const bytes = zeros(count * type.size, `${typeName}[${count}]`);
  if (pixels) bytes.set(pixels.subarray(0, bytes.length));
  else if (contents.from !== 'file') fill(type.scalar, bytes, contents);
  const size = isPicture ? [picture.width, picture.height] : undefined;
  return { value: session.buffer(elements(type.scalar, bytes)), shown: { type, size } };
}

function giveImage(session: Session, { type, format, size, contents }: ImageSpec, picture: Picture): Given {
  if (type !== '2d' || !/^rgba(?:8|32f)$/.test(format))
    throw new Error('the playground has images of type image2d with the formats rgba8 and rgba32f');
  const isFloat = format === 'rgba32f';
  const pixel: ValueType = { scalar: isFloat ? 'float' : 'uchar', components: 4, size: isFloat ? 16 : 4 };
  const [width = 1, height = 1] = size ?? [picture.width, picture.height];
  const bytes = zeros(width * height * pixel.size, `an image of ${width}×${height}`);
  if (contents.from === 'file') bytes.set(pixelsAs(picture, pixel).subarray(0, bytes.length));
  else fill(pixel.scalar, bytes, contents);
  const value = session.image({ type, format: format as ImageFormatName, width, height }, bytes);
  return { value, shown: { type: pixel, size: [width, height] } };
}

async function resultOf(
  { value, shown }: Given,
  argument: string,
  global: readonly number[],
): Promise<RunResult | undefined> {
  if (!shown) return undefined;
  const data = value instanceof Buffer ? await value.read() : await (value as Image).read();
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const { type } = shown;
  const size = shown.size ?? (global.length === 2 ? global : undefined);
  const head = bytes.slice(0, SHOWN_ELEMENTS * type.size);
  const more = bytes.byteLength / type.size - SHOWN_ELEMENTS;
  const note = more > 0 ? `\n… and ${more} more` : '';
  return {
    argument: `${argument}: ${bytes.byteLength / type.size} × ${type.scalar}${type.components > 1 ? type.components : ''}`,
    text: formatElements(head, type) + note,
    picture: size && pictureOf(bytes, type, size, SCALARS[type.scalar].domain === 'float'),
  };
}

answerWith({ run });

// biome-ignore lint/complexity/noUselessEmptyExport: esbuild takes a file without exports for CommonJS, and wraps all that it imports.
export {};
