// SPDX-License-Identifier: MIT
//
// The variables of anycl as `anycl doctor` examines them. A wrong one makes each call of the API fail; doctor says so once and
// takes the variable out of its own environment, so that it can test the rest.
import { unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { softwarePlatform } from '../../api/objects/platform';
import { type Settings, VARIABLES } from '../../base/settings';
import { cacheFolder } from '../../host/node/cache-folder';
import { clearEnvironment, environment, processSettings } from '../../host/node/environment';
import { makePrivate } from '../../host/node/private-folder';
import type { Examined } from './findings';

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The message of an OpenCLError without the call and the code that failed. */
export const reasonOf = (error: unknown): string => messageOf(error).replace(/^.*?\): /, '');

export class WrongSettings {
  readonly messages: string[] = [];

  constructor() {
    const settings = processSettings();
    for (const key of Object.keys(VARIABLES) as (keyof Settings)[])
      this.without(VARIABLES[key].name, () => void settings[key]);
    // The first call of the API opens the trace's file.
    this.without('ANYCL_TRACE', softwarePlatform);
  }

  /**
   * Tests with ANYCL_BUILD_OPTIONS, which only a build examines. If that fails, the variable is the fault only if the test passes
   * without it.
   */
  async testBuilds(test: () => Promise<string>): Promise<string> {
    const result = await test();
    const { buildOptions } = processSettings();
    if (buildOptions === undefined || result.startsWith('ok')) return result;
    clearEnvironment('ANYCL_BUILD_OPTIONS');
    const without = await test();
    if (without.startsWith('ok'))
      this.messages.push(`ANYCL_BUILD_OPTIONS is '${buildOptions}': ${result.replace(/^.*?\): /, '')}`);
    return without;
  }

  private without(name: string, step: () => void): void {
    if (environment(name) === undefined) return;
    try {
      step();
    } catch (error) {
      this.messages.push(reasonOf(error));
      clearEnvironment(name);
    }
  }
}

/** Where compiled kernels are cached, and why they are not. */
export function examineCache(): Examined['cache'] {
  const settings = processSettings();
  const folder = cacheFolder(settings);
  if (folder === undefined)
    return settings.cache === '0' ? undefined : { problem: 'the user has no home folder' };
  return { folder, problem: makePrivate(folder) ?? whyNotWritable(folder) };
}

function whyNotWritable(folder: string): string | undefined {
  const path = join(folder, `.doctor.${process.pid}`);
  try {
    writeFileSync(path, '', { flag: 'wx' });
    unlinkSync(path);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
