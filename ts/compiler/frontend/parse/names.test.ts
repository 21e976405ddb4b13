// SPDX-License-Identifier: MIT
import { parseOptions } from '../../options';
import { NameScopes } from './names';

const scopes = () => new NameScopes(parseOptions('').options.language);

test('a name is known until its scope ends', () => {
  const names = scopes();
  names.inScope(() => {
    names.declare('j', false);
    expect(names.has('j')).toBe(true);
  });
  expect(names.has('j')).toBe(false);
});

test('a variable hides a typedef until its scope ends', () => {
  const names = scopes();
  names.declare('T', true);
  names.inScope(() => {
    names.declare('T', false);
    expect(names.isType('T')).toBe(false);
  });
  expect(names.isType('T')).toBe(true);
});

test('predefined types can be hidden in blocks alone', () => {
  const names = scopes();
  names.declare('uint', false);
  expect(names.isType('uint')).toBe(true);
  names.inScope(() => {
    names.declare('uint', false);
    expect(names.isType('uint')).toBe(false);
  });
  expect(names.isType('uint')).toBe(true);
});

test('a scope that is left by an exception is closed', () => {
  const names = scopes();
  const fails = () =>
    names.inScope(() => {
      names.declare('T', true);
      throw new Error('left');
    });
  expect(fails).toThrow('left');
  expect(names.isType('T')).toBe(false);
});
