// SPDX-License-Identifier: MIT
//
// Contexts, queues, samplers and user events, and the release of all objects.

import type { SoftwareContext } from '../../backend/software/context';
import { SoftwareDeviceQueue } from '../../backend/software/device-queue';
import type { SoftwareQueue } from '../../backend/software/queue';
import { DONE, type Handlers } from './handler';

export const OBJECTS: Handlers<
  | 'release'
  | 'watchDestruction'
  | 'createSubDevices'
  | 'createContext'
  | 'terminateContext'
  | 'createSemaphore'
  | 'createQueue'
  | 'setDefaultQueue'
  | 'createSampler'
  | 'createUserEvent'
  | 'setUserEventStatus'
  | 'watchEvent'
> = {
  release({ objects }, { object }) {
    objects.release(object);
  },

  watchDestruction(session, { object }) {
    session.objects.get('memory', object).onDestroy(() => session.notify('destroyed', { object }));
    return DONE;
  },

  createSubDevices(session, { device, first, properties }) {
    const parts = session.deviceOf(device).createSubDevices(properties);
    for (const [i, part] of parts.entries()) session.objects.add('device', first + i, part);
    return { count: parts.length };
  },

  createContext(session, { id, devices, properties }) {
    const all = devices.map((of) => session.deviceOf(of));
    session.objects.add('context', id, session.device.createContext(all, properties) as SoftwareContext);
    return DONE;
  },

  terminateContext({ objects }, { context }) {
    objects.get('context', context).terminate();
    return DONE;
  },

  createQueue(session, { id, context, device, properties }) {
    const { objects } = session;
    const queue = objects.get('context', context).createQueue(session.deviceOf(device), properties);
    if (queue instanceof SoftwareDeviceQueue) {
      objects.add('deviceQueue', id, queue);
      return { size: queue.bytes };
    }
    objects.add('queue', id, queue as SoftwareQueue);
    return { size: 0 };
  },

  setDefaultQueue({ device, objects }, { context, queue }) {
    objects.get('context', context).setDefaultDeviceQueue(device, objects.get('deviceQueue', queue));
    return DONE;
  },

  createSampler({ objects }, { id, context, properties }) {
    objects.add('sampler', id, objects.get('context', context).createSampler(properties));
    return DONE;
  },

  createSemaphore({ objects }, { id, context, properties }) {
    objects.add('semaphore', id, objects.get('context', context).createSemaphore(properties));
    return DONE;
  },

  createUserEvent(session, { id, context }) {
    session.track(id, session.objects.get('context', context).createUserEvent());
    return DONE;
  },

  setUserEventStatus({ objects }, { event, status }) {
    objects.get('event', event).setUserStatus(status);
    return DONE;
  },

  watchEvent(session, { event, status: wanted, token }) {
    session.objects
      .get('event', event)
      .onStatus(wanted, (status) => session.notify('reached', { token, status }));
    return DONE;
  },
};
