// SPDX-License-Identifier: MIT
//
// Answers of clGet…Info, except those that only the client knows: handles, reference counts and its own pointers.

import type { BackendPlatform } from '../../backend/backend';
import { EXTENSIONS, versioned } from '../../backend/software/device/capabilities';
import { ErrorCode } from '../../cl/constants.gen';
import { encodeInfo } from '../../cl/encode-info';
import { deviceInfo, platformInfo } from '../../cl/info-keys.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { linked } from '../failed-link';
import { PROTOCOL, type Requests, Subject } from '../messages.gen';
import type { Handlers, Session } from './handler';

type InfoRequest = Requests['info'];

/** Extensions whose functions libanycl-icd does not have. */
const ABSENT: readonly string[] = ['cl_khr_unified_svm'];
const DEVICE_EXTENSIONS = EXTENSIONS.filter((name) => !ABSENT.includes(name));
const PLATFORM_EXTENSIONS = [...DEVICE_EXTENSIONS, 'cl_khr_icd'].sort();

/** The answers about a list of extensions. */
const listed = (names: readonly string[]): readonly [string: Uint8Array, versions: Uint8Array] => [
  encodeInfo('string', names.join(' ')),
  encodeInfo('versions', versioned(names)),
];
const [platformExtensions, platformVersions] = listed(PLATFORM_EXTENSIONS);
const [deviceExtensions, deviceVersions] = listed(DEVICE_EXTENSIONS);

/** Answers that differ from those of the platform in one's own process. */
const PLATFORM_ANSWERS: ReadonlyMap<number, Uint8Array> = new Map([
  [platformInfo.EXTENSIONS[0], platformExtensions],
  [platformInfo.EXTENSIONS_WITH_VERSION[0], platformVersions],
]);

export const platformAnswer = (platform: BackendPlatform, param: number): Uint8Array =>
  PLATFORM_ANSWERS.get(param) ?? platform.info(param);

const DEVICE_ANSWERS: ReadonlyMap<number, Uint8Array> = new Map([
  // Pointers into shared virtual memory are the client's own, and as wide (main.ts).
  [deviceInfo.ADDRESS_BITS[0], encodeInfo('uint', 64)],
  [deviceInfo.EXTENSIONS[0], deviceExtensions],
  [deviceInfo.EXTENSIONS_WITH_VERSION[0], deviceVersions],
]);

/** Answers that differ if no memory can be shared with the client. */
const UNSHARED_ANSWERS: ReadonlyMap<number, Uint8Array> = new Map([
  [deviceInfo.SVM_CAPABILITIES[0], encodeInfo('bitfield', 0)],
]);

function deviceAnswer(session: Session, object: number, param: number): Uint8Array {
  const unshared = session.sharing ? undefined : UNSHARED_ANSWERS.get(param);
  return unshared ?? DEVICE_ANSWERS.get(param) ?? session.deviceOf(object).info(param);
}

const SUBJECTS: Readonly<Record<Subject, (session: Session, request: InfoRequest) => Uint8Array>> = {
  [Subject.Platform]: ({ platform }, { param }) => platformAnswer(platform, param),
  [Subject.Device]: (session, { object, param }) => deviceAnswer(session, object, param),
  [Subject.Queue]: ({ objects }, { object, param }) => objects.get('queue', object).info(param),
  [Subject.Memory]: ({ objects }, { object, param }) => objects.get('memory', object).info(param),
  [Subject.Image]: ({ objects }, { object, param }) => objects.get('memory', object).imageInfo(param),
  [Subject.Pipe]: ({ objects }, { object, param }) => objects.get('memory', object).pipeInfo(param),
  [Subject.Sampler]: ({ objects }, { object, param }) => objects.get('sampler', object).info(param),
  [Subject.Program]: ({ objects }, { object, param }) => linked(objects.get('program', object)).info(param),
  [Subject.ProgramBuild]: (session, { object, index, param }) =>
    session.objects.get('program', object).buildInfo(session.deviceOf(index), param),
  [Subject.Kernel]: ({ objects }, { object, param }) => objects.get('kernel', object).info(param),
  [Subject.KernelArgument]: ({ objects }, { object, index, param }) =>
    objects.get('kernel', object).argInfo(index, param),
  [Subject.KernelWorkGroup]: (session, { object, index, param }) =>
    session.objects.get('kernel', object).workGroupInfo(session.deviceOf(index), param),
  [Subject.KernelSubGroup]: (session, { object, index, param, input }) =>
    session.objects.get('kernel', object).subGroupInfo(session.deviceOf(index), param, input),
  [Subject.Event]: ({ objects }, { object, param }) => objects.get('event', object).info(param),
  [Subject.EventProfiling]: ({ objects }, { object, param }) =>
    objects.get('event', object).profilingInfo(param),
  [Subject.Semaphore]: ({ objects }, { object, param }) => objects.get('semaphore', object).info(param),
};

export const INFO: Handlers<'hello' | 'info' | 'timers'> = {
  hello: () => ({ protocol: PROTOCOL }),

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
