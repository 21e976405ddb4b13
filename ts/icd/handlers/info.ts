// SPDX-License-Identifier: MIT
//
// Answers of clGet…Info, but for what only the client knows: handles, reference counts, its own pointers.

import type { BackendPlatform } from '../../backend/backend';
import { EXTENSIONS } from '../../backend/software/capabilities';
import { ErrorCode } from '../../cl/constants.gen';
import { encodeInfo } from '../../cl/encode-info';
import { deviceInfo, platformInfo } from '../../cl/info-keys.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { linked } from '../failed-link';
import { type Requests, Subject } from '../messages.gen';
import type { Handlers, Session } from './handler';

type InfoRequest = Requests['info'];

const ICD_EXTENSIONS = [...EXTENSIONS, 'cl_khr_icd'].sort();

/** What is different from the platform in one's own process. */
const PLATFORM_ANSWERS: ReadonlyMap<number, Uint8Array> = new Map([
  [platformInfo.EXTENSIONS[0], encodeInfo('string', ICD_EXTENSIONS.join(' '))],
  [
    platformInfo.EXTENSIONS_WITH_VERSION[0],
    encodeInfo(
      'versions',
      ICD_EXTENSIONS.map((name) => ({ name, version: { major: 1, minor: 0, patch: 0 } })),
    ),
  ],
]);

export const platformAnswer = (platform: BackendPlatform, param: number): Uint8Array =>
  PLATFORM_ANSWERS.get(param) ?? platform.info(param);

const DEVICE_ANSWERS: ReadonlyMap<number, Uint8Array> = new Map([
  // The device's memory is another process's.
  [deviceInfo.SVM_CAPABILITIES[0], encodeInfo('bitfield', 0)],
]);

const SUBJECTS: Readonly<Record<Subject, (session: Session, request: InfoRequest) => Uint8Array>> = {
  [Subject.Platform]: ({ platform }, { param }) => platformAnswer(platform, param),
  [Subject.Device]: ({ device }, { param }) => DEVICE_ANSWERS.get(param) ?? device.info(param),
  [Subject.Queue]: ({ objects }, { object, param }) => objects.get('queue', object).info(param),
  [Subject.Memory]: ({ objects }, { object, param }) => objects.get('memory', object).info(param),
  [Subject.Image]: ({ objects }, { object, param }) => objects.get('memory', object).imageInfo(param),
  [Subject.Pipe]: ({ objects }, { object, param }) => objects.get('memory', object).pipeInfo(param),
  [Subject.Sampler]: ({ objects }, { object, param }) => objects.get('sampler', object).info(param),
  [Subject.Program]: ({ objects }, { object, param }) => linked(objects.get('program', object)).info(param),
  [Subject.ProgramBuild]: ({ objects, device }, { object, param }) =>
    objects.get('program', object).buildInfo(device, param),
  [Subject.Kernel]: ({ objects }, { object, param }) => objects.get('kernel', object).info(param),
  [Subject.KernelArgument]: ({ objects }, { object, index, param }) =>
    objects.get('kernel', object).argInfo(index, param),
  [Subject.KernelWorkGroup]: ({ objects, device }, { object, param }) =>
    objects.get('kernel', object).workGroupInfo(device, param),
  [Subject.KernelSubGroup]: ({ objects, device }, { object, param, input }) =>
    objects.get('kernel', object).subGroupInfo(device, param, input),
  [Subject.Event]: ({ objects }, { object, param }) => objects.get('event', object).info(param),
  [Subject.EventProfiling]: ({ objects }, { object, param }) =>
    objects.get('event', object).profilingInfo(param),
};

export const INFO: Handlers<'info' | 'timers'> = {
  info(session, request) {
    const answer = SUBJECTS[request.subject as Subject];
    if (!answer) throw new OpenCLError(ErrorCode.INVALID_VALUE, 'clGetInfo');
    return { value: answer(session, request) };
  },

  timers({ device }) {
    const { device: ofDevice, host } = device.timers();
    return { device: Number(ofDevice), host: Number(host) };
  },
};
