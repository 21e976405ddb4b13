// SPDX-License-Identifier: MIT
//
// Programs and kernels.
import type { SoftwareKernel } from '../../backend/software/programs/kernel';
import type { SoftwareProgram } from '../../backend/software/programs/program';
import { ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { argumentOf } from '../arguments';
import { FailedLink, linked } from '../failed-link';
import { PARAMETER_KINDS } from '../messages.gen';
import { DONE, type Handlers } from './handler';

const decoder = new TextDecoder();

/** A kernel's parameters, as the client needs them. */
function parametersOf({ signature }: SoftwareKernel): Uint8Array {
  return Uint8Array.from(signature.arguments, ({ kind }) => PARAMETER_KINDS.indexOf(kind));
}

export const PROGRAMS: Handlers<
  | 'programWithSource'
  | 'programWithIL'
  | 'programWithBinary'
  | 'programBinary'
  | 'buildProgram'
  | 'compileProgram'
  | 'linkProgram'
  | 'specializationConstant'
  | 'createKernel'
  | 'cloneKernel'
  | 'setArgument'
  | 'setDevicePointer'
  | 'suggestedLocalSize'
> = {
  programWithSource({ objects }, { id, context, source }) {
    const program = objects.get('context', context).createProgramWithSource([decoder.decode(source)]);
    objects.add('program', id, program as SoftwareProgram);
    return DONE;
  },

  programWithIL({ objects }, { id, context, il }) {
    // A copy, as words of SPIR-V are aligned.
    const program = objects.get('context', context).createProgramWithIL(il.slice());
    objects.add('program', id, program as SoftwareProgram);
    return DONE;
  },

  programWithBinary({ objects, device }, { id, context, binary }) {
    const program = objects.get('context', context).createProgramWithBinary([device], [binary.slice()]);
    objects.add('program', id, program as SoftwareProgram);
    return DONE;
  },

  programBinary({ objects }, { program }) {
    return { binary: linked(objects.get('program', program)).binaries()[0]! };
  },

  async buildProgram({ objects, device }, { program, options }) {
    await linked(objects.get('program', program)).build([device], options);
    return DONE;
  },

  async compileProgram({ objects, device }, { program, options, headers, names }) {
    const texts = new Map(
      names.map((name, i) => [name, linked(objects.get('program', headers[i]!))] as const),
    );
    await linked(objects.get('program', program)).compile([device], options, texts);
    return DONE;
  },

  async linkProgram({ objects, device }, { id, context, options, inputs }) {
    const programs = inputs.map((input) => linked(objects.get('program', input)));
    try {
      const program = await objects.get('context', context).linkProgram([device], options, programs);
      objects.add('program', id, program as SoftwareProgram);
      return { result: ErrorCode.SUCCESS };
    } catch (error) {
      if (!(error instanceof OpenCLError) || error.code !== ErrorCode.LINK_PROGRAM_FAILURE) throw error;
      objects.add('program', id, new FailedLink(options, error.buildLog ?? error.message));
      return { result: error.code };
    }
  },

  specializationConstant({ objects }, { program, constant, value }) {
    linked(objects.get('program', program)).setSpecializationConstant(constant, value);
    return DONE;
  },

  createKernel({ objects }, { id, program, name }) {
    const kernel = linked(objects.get('program', program)).createKernel(name, { holdsArguments: false });
    objects.add('kernel', id, kernel);
    return { parameters: parametersOf(kernel) };
  },

  cloneKernel({ objects }, { id, kernel }) {
    const copy = objects.get('kernel', kernel).clone();
    objects.add('kernel', id, copy);
    return { parameters: parametersOf(copy) };
  },

  setArgument({ objects }, request) {
    objects.get('kernel', request.kernel).setArg(request.index, argumentOf(objects, request));
    return DONE;
  },

  setDevicePointer({ objects }, { kernel, index, address }) {
    objects.get('kernel', kernel).setDevicePointer(index, BigInt(address));
    return DONE;
  },

  suggestedLocalSize({ objects }, { queue, kernel, offset, global }) {
    const from = offset.length > 0 ? offset : undefined;
    return {
      local: objects.get('kernel', kernel).suggestedLocalSize(objects.get('queue', queue), global, from),
    };
  },
};
