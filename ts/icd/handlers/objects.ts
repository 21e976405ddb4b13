// SPDX-License-Identifier: MIT
//
// Contexts, queues, samplers and user events, and the ends of all objects.

import { SoftwareDeviceQueue } from '../../backend/software/device-queue';
import type { SoftwareQueue } from '../../backend/software/queue';
import { DONE, type Handlers } from './handler';

export const OBJECTS: Handlers<
  | 'release'
  | 'watchDestruction'
  | 'createContext'
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

  createContext({ device, objects }, { id, properties }) {
    objects.add('context', id, device.createContext([device], properties));
    return DONE;
  },

  createQueue({ device, objects }, { id, context, properties }) {
    const queue = objects.get('context', context).createQueue(device, properties);
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
