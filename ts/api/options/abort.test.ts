// SPDX-License-Identifier: MIT

import { open, Session } from '../..';
import { unlessAborted } from './abort';

const later = <T>(value: T) => new Promise<T>((resolve) => setTimeout(() => resolve(value), 5));

test('nothing is started for a signal that was aborted before', async () => {
  const start = jest.fn(() => later(1));
  await expect(unlessAborted(start, AbortSignal.abort(new Error('no')))).rejects.toThrow('no');
  expect(start).not.toHaveBeenCalled();
});

test('an abort meanwhile rejects with its reason, and what comes late is handed over', async () => {
  const control = new AbortController();
  const late = jest.fn();
  const waiting = unlessAborted(() => later('result'), control.signal, late);
  control.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  expect(late).not.toHaveBeenCalled();
  await later(undefined);
  await later(undefined);
  expect(late).toHaveBeenCalledWith('result');
});

test('without an abort the result and the error are those of what was started', async () => {
  const { signal } = new AbortController();
  await expect(unlessAborted(() => later(2), signal)).resolves.toBe(2);
  await expect(unlessAborted(() => Promise.reject(new Error('own')), signal)).rejects.toThrow('own');
});

test('open gives up, and closes the session that comes later', async () => {
  const closed = new Promise<void>((resolve) => {
    const close = Session.prototype.close;
    jest.spyOn(Session.prototype, 'close').mockImplementationOnce(function (this: Session) {
      resolve();
      return close.call(this);
    });
  });
  const stop = new AbortController();
  const opened = open({ device: 'software', signal: stop.signal });
  stop.abort(new Error('enough'));
  await expect(opened).rejects.toThrow('enough');
  // What open began goes on until then; it must not outlive the test, whose modules it still loads.
  await closed;
  await expect(open({ device: 'software', signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow(
    'before',
  );
  await expect(open({ signal: 1 as never })).rejects.toThrow('signal');
});
