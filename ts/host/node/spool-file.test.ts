// SPDX-License-Identifier: MIT
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SpoolFile } from './spool-file';

const folder = mkdtempSync(join(tmpdir(), 'anycl-test-'));
const parsed = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));

test('the document is complete after each write, and takes its place in the end', () => {
  const spool = new SpoolFile(join(folder, 'a.json'), '{"list":[', ']}');
  const [part] = readdirSync(folder);
  expect(part).toBe(`a.json.${process.pid}.part`);
  expect(parsed(part!)).toEqual({ list: [] });
  spool.append(['1', '"µ"']);
  expect(parsed(part!)).toEqual({ list: [1, 'µ'] });
  spool.append(['[3]']);
  spool.append([]);
  expect(parsed(part!)).toEqual({ list: [1, 'µ', [3]] });
  spool.finish();
  spool.finish();
  spool.append(['4']);
  expect(readdirSync(folder)).toEqual(['a.json']);
  expect(parsed('a.json')).toEqual({ list: [1, 'µ', [3]] });
});

test('the end may make another document of it', () => {
  const spool = new SpoolFile(join(folder, 'b.html'), '[', ']');
  spool.append(['1']);
  spool.finish((text) => `<p>${text}`);
  expect(readFileSync(join(folder, 'b.html'), 'utf8')).toBe('<p>[1]');
  expect(readdirSync(folder)).toEqual(['a.json', 'b.html']);
});
