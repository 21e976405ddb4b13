// SPDX-License-Identifier: MIT
//
// `anycl info`: what clinfo tells, the software device included.
import pc from 'picocolors';
import type { Device } from '../api/device';
import { findDevice } from '../api/open';
import { type Platform, platforms } from '../api/platform';
import { deviceInfo, platformInfo } from '../backend/info-keys.gen';
import { OpenCLError } from '../backend/opencl-error';
import { CommandError, EXIT } from './exit';

export interface InfoFlags {
  list?: boolean;
  json?: boolean;
  device?: string;
}

type Properties = Record<string, unknown>;

export function info(flags: InfoFlags): void {
  const chosen = flags.device === undefined ? undefined : select(flags.device);
  const all = (chosen ? [chosen.platform] : platforms()).map((platform, position) => ({
    platform,
    devices: chosen ? [chosen] : platform.devices,
    position: chosen ? positionOf(platform) : position,
  }));
  if (flags.json) {
    const described = all.map(({ platform, devices }) => ({
      ...platformProperties(platform),
      devices: devices.map((device) => ({ ...deviceProperties(device), type: device.type })),
    }));
    process.stdout.write(`${JSON.stringify({ platforms: described }, jsonValue, 2)}\n`);
    return;
  }
  const lines: string[] = [];
  for (const { platform, devices, position } of all) {
    lines.push(pc.bold(`Platform ${position}: ${platform.name}`));
    if (!flags.list) lines.push(...propertyLines(platformProperties(platform), '  '));
    for (const device of devices) {
      lines.push(`  ${pc.cyan(`Device ${position}:${device.index}: ${device.name}`)} (${device.type})`);
      if (!flags.list) lines.push(...propertyLines(deviceProperties(device), '    '));
    }
  }
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Opening the software device alone makes a platform object of its own, which `platforms()` does not list. */
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
  collect(Object.keys(platformInfo), (key) => platform.info(key as 'NAME'));

const deviceProperties = (device: Device): Properties =>
  collect(Object.keys(deviceInfo), (key) => device.info(key as 'NAME'));

/** Properties that a device does not know are left out. */
function collect(keys: readonly string[], read: (key: string) => unknown): Properties {
  const found: Properties = {};
  for (const key of keys) {
    try {
      found[key] = read(key);
    } catch (error) {
      if (!(error instanceof OpenCLError)) throw error;
    }
  }
  return found;
}

function propertyLines(properties: Properties, indent: string): string[] {
  return Object.entries(properties).map(([key, value]) => `${indent}${key.padEnd(52)} ${valueText(value)}`);
}

function valueText(value: unknown): string {
  if (ArrayBuffer.isView(value))
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex');
  if (Array.isArray(value)) return value.map(valueText).join(' ') || '(none)';
  if (typeof value === 'object' && value !== null) {
    if ('major' in value) return Object.values(value).join('.');
    const { name, version } = value as { name?: string; version?: object };
    return name !== undefined && version
      ? `${name} (${valueText(version)})`
      : JSON.stringify(value, jsonValue);
  }
  return String(value).trim();
}

/** 64-bit numbers are numbers where they are exact, else strings. */
function jsonValue(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint')
    return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
  if (ArrayBuffer.isView(value))
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex');
  return value;
}
