// SPDX-License-Identifier: MIT
//
// A launch of a kernel as data, run on devices and by a reference in JavaScript.
import {
  type Buffer,
  type Device,
  type KernelValue,
  openSync,
  platforms,
  type Range,
  type Session,
  type TypedArray,
} from '../api/public';
import { optionNames, unknownName, unknownNameDetail } from '../base/option-names';
import { compare, type Difference, type Tolerance } from './compare';

/** An argument of a case. A typed array becomes a buffer with these contents; other values are passed unchanged. */
export type CaseArgument = TypedArray | Exclude<KernelValue, ArrayBufferView>;

/** Literals are of their type: a reference gets a number, not 2. */
type Widened<T> = T extends number ? number : T extends bigint ? bigint : T extends boolean ? boolean : T;

/** The arguments that a reference receives; of a case whose arguments are not known one by one, those that it declares. */
export type ReferenceArguments<Arguments extends readonly CaseArgument[]> = number extends Arguments['length']
  ? readonly never[]
  : { readonly [Index in keyof Arguments]: Widened<Arguments[Index]> };

/** A launch, and the reference for its results. */
export interface KernelCase<Arguments extends readonly CaseArgument[] = readonly CaseArgument[]> {
  /** OpenCL C, or SPIR-V. */
  readonly source: string | Uint8Array;
  /** The kernel's name. */
  readonly kernel: string;
  /** The range of the launch. */
  readonly range: Range;
  /** The arguments, in order. */
  readonly args: Arguments;
  /** Build options. */
  readonly options?: string;
  /**
   * Does in JavaScript what the kernel does. It receives the arguments, with copies of the typed arrays, and changes these copies as
   * the kernel changes its buffers.
   */
  readonly reference: (...args: ReferenceArguments<Arguments>) => void;
  /** How far floats may be apart. */
  readonly tolerance?: Tolerance;
}

/** A buffer argument whose contents are not the reference's. */
export interface ArgumentDifference extends Difference {
  /** The position of the argument, from 0. */
  readonly argument: number;
  /** The name of the parameter. */
  readonly name: string;
}

const isArray = (value: CaseArgument): value is TypedArray => ArrayBuffer.isView(value);

/** Every device of the machine, or those whose platform or name contains `selector`. */
export function testDevices(selector = ''): readonly Device[] {
  const wanted = selector.toLowerCase();
  return platforms()
    .flatMap((platform) => platform.devices)
    .filter((device) =>
      `${device.platform.name} ${device.name} ${device.type}`.toLowerCase().includes(wanted),
    );
}

/** Runs a case on a device, and returns the contents of the buffers afterwards by the position of their argument. */
export function runCase<const Arguments extends readonly CaseArgument[]>(
  launch: KernelCase<Arguments>,
  device: Device,
): Promise<ReadonlyMap<number, TypedArray>>;
export async function runCase(launch: KernelCase, device: Device): Promise<ReadonlyMap<number, TypedArray>> {
  return (await onDevice(launch, device)).contents;
}

interface Outcome {
  readonly contents: ReadonlyMap<number, TypedArray>;
  readonly names: readonly string[];
}

async function onDevice(launch: KernelCase, device: Device): Promise<Outcome> {
  checkCase(launch);
  const cl: Session = openSync({ device });
  try {
    const program = await cl.build(launch.source, `-cl-kernel-arg-info ${launch.options ?? ''}`);
    const kernel = program.createKernel(launch.kernel);
    const buffers = new Map<number, Buffer>();
    const values = launch.args.map((value, index): KernelValue => {
      if (!isArray(value)) return value;
      const buffer = cl.buffer(value);
      buffers.set(index, buffer as Buffer);
      return buffer;
    });
    await kernel.run(launch.range, ...values);
    const contents = new Map<number, TypedArray>();
    for (const [index, buffer] of buffers) contents.set(index, await buffer.read());
    return { contents, names: kernel.arguments.map(({ name }) => name) };
  } finally {
    cl.close();
  }
}

const MEMBERS: readonly (readonly [name: keyof KernelCase, what: string, is: (value: unknown) => boolean])[] =
  [
    [
      'source',
      'OpenCL C as a string, or SPIR-V as a Uint8Array',
      (value) => typeof value === 'string' || value instanceof Uint8Array,
    ],
    ['kernel', "the kernel's name", (value) => typeof value === 'string'],
    [
      'range',
      'the range of the launch, such as { global: 64 }',
      (value) => typeof value === 'object' && value !== null,
    ],
    ['args', "an array of the kernel's arguments", Array.isArray],
    ['reference', 'a function that does what the kernel does', (value) => typeof value === 'function'],
  ];

const NAMES = optionNames(...MEMBERS.map(([name]) => name), 'options', 'tolerance');

/** @throws TypeError for a case in JavaScript that lacks a member, or has one of another name */
function checkCase(launch: KernelCase): void {
  for (const [name, what, is] of MEMBERS)
    if (!is((launch as KernelCase | undefined)?.[name]))
      throw new TypeError(`a kernel's case has the member \`${name}\`: ${what}`);
  const unknown = unknownName(launch, NAMES);
  if (unknown !== undefined)
    throw new TypeError(`a kernel's case: \`${unknown}\` ${unknownNameDetail(unknown, NAMES)}`);
}

/** What the reference makes of the arguments. */
export function runReference<const Arguments extends readonly CaseArgument[]>(
  launch: KernelCase<Arguments>,
): ReadonlyMap<number, TypedArray>;
export function runReference(launch: KernelCase): ReadonlyMap<number, TypedArray> {
  checkCase(launch);
  const copies = launch.args.map((value) => (isArray(value) ? (value.slice() as TypedArray) : value));
  launch.reference(...(copies as never[]));
  return new Map(copies.flatMap((value, index) => (isArray(value) ? [[index, value] as const] : [])));
}

/** Compares a case on a device with the reference: the first buffer that differs, or undefined. */
export function differenceOn<const Arguments extends readonly CaseArgument[]>(
  launch: KernelCase<Arguments>,
  device: Device,
): Promise<ArgumentDifference | undefined>;
export async function differenceOn(
  launch: KernelCase,
  device: Device,
): Promise<ArgumentDifference | undefined> {
  const wanted = runReference(launch);
  const { contents, names } = await onDevice(launch, device);
  for (const [argument, got] of contents) {
    const difference = compare(got, wanted.get(argument)!, launch.tolerance);
    if (difference) return { ...difference, argument, name: names[argument] ?? '' };
  }
  return undefined;
}

/**
 * Runs a case on every device, or on those given, and throws an Error that names the first difference of each device: its argument,
 * element and work-item. For any test runner: `await checkKernel({ … })`.
 */
export function checkKernel<const Arguments extends readonly CaseArgument[]>(
  launch: KernelCase<Arguments>,
  devices?: readonly Device[],
): Promise<void>;
export async function checkKernel(
  launch: KernelCase,
  devices: readonly Device[] = testDevices(),
): Promise<void> {
  if (devices.length === 0) throw new Error('there is no device to test on');
  const problems: string[] = [];
  for (const device of devices) {
    const difference = await differenceOn(launch, device);
    if (difference) problems.push(describe(launch, device, difference));
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

function describe(launch: KernelCase, device: Device, difference: ArgumentDifference): string {
  const { argument, name, index, got, wanted, ulp, count } = difference;
  const { length } = launch.args[argument] as TypedArray;
  const apart = ulp === undefined ? '' : `, ${ulp} ULP apart (${launch.tolerance?.ulp ?? 0} allowed)`;
  const label = name ? `argument ${argument} ('${name}')` : `argument ${argument}`;
  return (
    `kernel '${launch.kernel}' on '${device.name}': ${label}, element ${index} (${workItem(launch.range, index, length)}) ` +
    `is ${got}, and ${wanted} in the reference${apart}; ${count} of ${length} elements differ`
  );
}

/** The work-item of an element, if each work-item has the same number of elements, in the order of the global ids. */
function workItem(range: Range, index: number, length: number): string {
  const global = typeof range.global === 'number' ? [range.global] : range.global;
  const items = global.reduce((product, n) => product * n, 1);
  if (items === 0 || length % items !== 0) return 'of no single work-item';
  let rest = Math.floor(index / (length / items));
  const ids = global.map((n) => {
    const id = rest % n;
    rest = Math.floor(rest / n);
    return id;
  });
  return `work-item ${ids.join(', ')}`;
}
