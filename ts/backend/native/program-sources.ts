// SPDX-License-Identifier: MIT
//
// What a program's kernels were compiled from. Drivers tell how an argument's type is written; what is behind a typedef or an
// enumeration stands in the source.
import { DeviceInfo } from '../../cl/constants.gen';
import { decodeInfo } from '../../cl/info-values';
import type { BackendDevice } from '../backend';
import type { ArgumentTypes } from './argument-types';

/** A translation unit with the options that it was compiled with. */
export interface TranslationUnit {
  readonly text: string;
  readonly options: string;
  readonly headers?: ReadonlyMap<string, string>;
}

export class ProgramSources {
  private types: readonly ArgumentTypes[] | undefined;

  /** @param device says which extensions the source may test for */
  constructor(
    readonly units: readonly TranslationUnit[],
    private readonly device: BackendDevice,
  ) {}

  /** As `BackendKernel.baseType`. The first call compiles the source. */
  baseType(kernel: string, index: number): string | undefined {
    this.types ??= this.read();
    const own = this.types.find((types) => types.has(kernel))?.get(kernel);
    return own?.[index] || undefined;
  }

  private read(): readonly ArgumentTypes[] {
    const { argumentTypes } = require('./argument-types') as typeof import('./argument-types');
    const number = (param: DeviceInfo) => Number(decodeInfo('uint', this.device.info(param)));
    const extensions = decodeInfo('string', this.device.info(DeviceInfo.EXTENSIONS)).split(' ');
    const target = number(DeviceInfo.ADDRESS_BITS) === 32 ? 'spir' : 'spir64';
    return this.units.map((unit) => argumentTypes({ name: '<source>', target, ...unit }, extensions));
  }
}
