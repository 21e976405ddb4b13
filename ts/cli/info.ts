// SPDX-License-Identifier: MIT
//
// `anycl info`: all properties of platforms and devices, as clinfo shows them, including the software device's.
import { readFileSync } from 'node:fs';
import pc from 'picocolors';
import { describeValue, knownProperties, namesOf } from '../api/info/describe-info';
import { formatBytes } from '../api/info/inspect';
import type { Device } from '../api/objects/device';
import { type Platform, platforms } from '../api/objects/platform';
import { findDevice } from '../api/open';
import { settings } from '../api/runtime';
import { nearestName } from '../base/option-names';
import { deviceInfo, platformInfo } from '../cl/info-keys.gen';
import { OpenCLError } from '../cl/opencl-error';
import { CommandError, EXIT, usageError } from './exit';

export interface InfoFlags {
  list?: boolean;
  json?: boolean;
  device?: string;
  prop?: readonly string[];
  raw?: boolean;
}

type Properties = readonly (readonly [name: string, value: unknown])[];

interface Section {
  readonly platform: Platform;
  readonly devices: readonly Device[];
  readonly position: number;
}

export function info(flags: InfoFlags): void {
  const properties = flags.prop?.map(propertyName);
  const chosen = flags.device === undefined ? undefined : select(flags.device);
  const sections: readonly Section[] = (chosen ? [chosen.platform] : platforms()).map(
    (platform, position) => ({
      platform,
      devices: chosen ? [chosen] : platform.devices,
      position: chosen ? positionOf(platform) : position,
    }),
  );
  if (properties) writeProperties(sections, properties, flags);
  else if (flags.json) process.stdout.write(`${JSON.stringify(asJson(sections, flags), undefined, 2)}\n`);
  else process.stdout.write(`${textLines(sections, flags).join('\n')}\n`);
}

/** Without `CL_DEVICE_`, in any case. */
function propertyName(given: string): keyof typeof deviceInfo {
  const name = given.toUpperCase().replace(/^(CL_)?DEVICE_/, '');
  if (Object.hasOwn(deviceInfo, name)) return name as keyof typeof deviceInfo;
  const near = nearestName(name, Object.keys(deviceInfo));
  throw usageError(`--prop ${given}: there is no such property${near ? `; did you mean ${near}?` : ''}`);
}

/** For one device only the values; for several, each after the device's name. */
function writeProperties(
  sections: readonly Section[],
  names: readonly (keyof typeof deviceInfo)[],
  flags: InfoFlags,
): void {
  const devices = sections.flatMap((section) => section.devices);
  const report = devices.map((device) => ({
    device,
    properties: names.map((name) => [name, asked(device, name)] as const),
  }));
  if (flags.json) {
    const described = report.map(({ device, properties }) => ({
      name: device.name,
      ...Object.fromEntries(properties.map(([name, value]) => [name, jsonOf(name, value, flags)])),
    }));
    process.stdout.write(`${JSON.stringify({ devices: described }, undefined, 2)}\n`);
  } else
    for (const { device, properties } of report)
      for (const [name, value] of properties) {
        const before = [
          devices.length > 1 ? `${device.name}: ` : '',
          names.length > 1 ? `${name} ` : '',
        ].join('');
        process.stdout.write(`${before}${valueLines(name, value, flags).join('\n')}\n`);
      }
  if (report.every(({ properties }) => properties.every(([, value]) => value === undefined)))
    throw new CommandError(
      `no device knows ${names.map((name) => `${name}, which needs ${neededFor(deviceInfo[name][2])}`).join('; ')}`,
      EXIT.input,
    );
}

const neededFor = (since: string): string => (/^\d/.test(since) ? `OpenCL ${since}` : since);

function asked(device: Device, name: keyof typeof deviceInfo): unknown {
  try {
    return device.info(name);
  } catch (error) {
    if (!(error instanceof OpenCLError)) throw error;
    return undefined;
  }
}

const jsonOf = (name: string, value: unknown, { raw }: InfoFlags): unknown =>
  // Numbers of a key that no table decodes stay numbers.
  value === undefined ? null : describeValue(raw ? '' : name, value);

const jsonProperties = (properties: Properties, flags: InfoFlags): Record<string, unknown> =>
  Object.fromEntries(properties.map(([name, value]) => [name, jsonOf(name, value, flags)]));

function asJson(sections: readonly Section[], flags: InfoFlags): object {
  const described = sections.map(({ platform, devices }) =>
    flags.list
      ? { NAME: platform.name, devices: devices.map(({ name, type }) => ({ NAME: name, type })) }
      : {
          ...jsonProperties(platformProperties(platform), flags),
          devices: devices.map((device) => ({
            ...jsonProperties(deviceProperties(device), flags),
            imageFormats: imageFormats(device),
            type: device.type,
          })),
        },
  );
  return { platforms: described, loader: loader() ?? null };
}

function textLines(sections: readonly Section[], flags: InfoFlags): string[] {
  const lines: string[] = [];
  for (const { platform, devices, position } of sections) {
    lines.push(pc.bold(`Platform ${position}: ${platform.name}`));
    if (!flags.list) lines.push(...propertyLines(platformProperties(platform), '  ', flags));
    for (const device of devices) {
      lines.push(`  ${pc.cyan(`Device ${position}:${device.index}: ${device.name}`)} (${device.type})`);
      if (flags.list) continue;
      lines.push(...propertyLines(deviceProperties(device), '    ', flags));
      for (const [type, names] of Object.entries(imageFormats(device)))
        lines.push(...aligned(`image formats ${type}`, wrapped(names), '    '));
    }
  }
  const path = loader();
  if (path && !flags.list) lines.push(`${pc.bold('Loader:')} ${path}`);
  return lines;
}

/**
 * Opening only the software device creates another object for its platform, which `platforms()` does not list.
 */
const positionOf = (platform: Platform): number =>
  platforms().findIndex(
    (each) => each === platform || (each.kind === 'software' && platform.kind === 'software'),
  );

function select(selector: string): Device {
  try {
    return findDevice(selector);
  } catch (error) {
    if (error instanceof OpenCLError)
      throw new CommandError(error.message.replace(/^.*?\): /, ''), EXIT.noDevice);
    throw error;
  }
}

const platformProperties = (platform: Platform): Properties =>
  knownProperties(platformInfo, (key) => platform.info(key as 'NAME'));

/** Without the properties that are handles of other objects. */
const deviceProperties = (device: Device): Properties =>
  knownProperties(deviceInfo, (key) => device.info(key as 'NAME')).filter(
    ([name]) => !['PLATFORM', 'PARENT_DEVICE', 'REFERENCE_COUNT'].includes(name),
  );

/** By the images' type; empty for devices without images. */
function imageFormats(device: Device): Record<string, string[]> {
  const formats: Record<string, string[]> = {};
  try {
    if (!device.info('IMAGE_SUPPORT')) return formats;
    const context = device.createContext();
    for (const type of ['1d', '2d', '3d'] as const)
      formats[type] = context.supportedImageFormats(type).map(({ name }) => name);
    context.release();
  } catch (error) {
    if (!(error instanceof OpenCLError)) throw error;
  }
  return formats;
}

/** The ICD loader that this process has opened; on systems other than Linux, the one in the environment. */
function loader(): string | undefined {
  if (process.platform !== 'linux') return settings().openclLibrary;
  try {
    return /\/\S*libOpenCL\S*/.exec(readFileSync('/proc/self/maps', 'utf8'))?.[0];
  } catch {
    return undefined;
  }
}

const propertyLines = (properties: Properties, indent: string, flags: InfoFlags): string[] =>
  properties.flatMap(([name, value]) => aligned(name, valueLines(name, value, flags), indent));

const aligned = (name: string, values: readonly string[], indent: string): string[] =>
  values.map((line, i) => `${indent}${(i === 0 ? name : '').padEnd(44)} ${line}`);

/** Lists of names have a line for each item. */
function valueLines(name: string, value: unknown, flags: InfoFlags): string[] {
  if (value === undefined) return ['(not known)'];
  if (typeof value === 'string' && /^(EXTENSIONS|SPIR_VERSIONS|BUILT_IN_KERNELS)$/.test(name))
    return value.trim() === '' ? ['(none)'] : value.trim().split(/[ ;]+/);
  if (Array.isArray(value)) {
    if (value.length === 0) return ['(none)'];
    const items = value.map((item) => itemText(name, item, flags));
    return value.every((item) => typeof item === 'object') ? items : [items.join(' × ')];
  }
  return [itemText(name, value, flags)];
}

function itemText(name: string, value: unknown, { raw }: InfoFlags): string {
  if (typeof value === 'number' || typeof value === 'bigint') return numberText(name, value, raw === true);
  if (ArrayBuffer.isView(value)) return String(describeValue(name, value));
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'object' && value !== null) {
    if ('major' in value) return Object.values(value).join('.');
    const { name: itemName, version } = value as { name?: string; version?: object };
    if (itemName !== undefined && version) return `${itemName} (${itemText('', version, {})})`;
    return Object.entries(value)
      .map(([key, each]) => `${key}: ${itemText('', each, {})}`)
      .join(', ');
  }
  return String(value).trim() || '(none)';
}

const UNITS: readonly (readonly [names: RegExp, text: (value: number | bigint) => string])[] = [
  [
    /^(MAX_MEM_ALLOC|GLOBAL_MEM|GLOBAL_MEM_CACHE|GLOBAL_MEM_CACHELINE|LOCAL_MEM|MAX_CONSTANT_BUFFER|MAX_PARAMETER|PRINTF_BUFFER|MAX_GLOBAL_VARIABLE|GLOBAL_VARIABLE_PREFERRED_TOTAL|QUEUE_ON_DEVICE_(PREFERRED|MAX)|PIPE_MAX_PACKET)_SIZE$|MIN_DATA_TYPE_ALIGN_SIZE|_ATOMIC_ALIGNMENT$/,
    (value) => (Number(value) < 1024 ? `${value} bytes` : `${value} bytes (${formatBytes(value)})`),
  ],
  [/^(ADDRESS_BITS|MEM_BASE_ADDR_ALIGN)$/, (value) => `${value} bits`],
  [/^MAX_CLOCK_FREQUENCY$/, (value) => `${value} MHz`],
  [/TIMER_RESOLUTION$/, (value) => `${value} ns`],
  [/^IMAGE\d?D?_MAX_(WIDTH|HEIGHT|DEPTH|BUFFER_SIZE)$/, (value) => `${value} pixels`],
];

function numberText(name: string, value: number | bigint, raw: boolean): string {
  if (raw) return String(value);
  const names = namesOf(name, value);
  if (names) {
    if (name === 'VENDOR_ID') return `0x${value.toString(16)}${names[0] ? ` (${names[0]})` : ''}`;
    return names.join(' ') || (Number(value) === 0 ? '(none)' : String(value));
  }
  const unit = UNITS.find(([pattern]) => pattern.test(name));
  return unit ? unit[1](value) : String(value);
}

/** Words in lines of about eighty columns. */
function wrapped(words: readonly string[]): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < 72) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.length > 0 ? lines : ['(none)'];
}
