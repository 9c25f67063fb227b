import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeAtomically } from './atomic-file.ts';
import { temporaryFolder } from './testing/temp-folder.ts';

it('replaces a file with mode 0600 and leaves no temporary file', () => {
  const folder = join(temporaryFolder(), 'new');
  const file = join(folder, 'a.json');
  writeAtomically(file, 'one');
  writeAtomically(file, 'two');
  expect(readFileSync(file, 'utf8')).toBe('two');
  expect(readdirSync(folder)).toEqual(['a.json']);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('throws if it cannot write, and leaves no temporary file', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'a.json'));
  expect(() => writeAtomically(join(folder, 'a.json'), 'one')).toThrow();
  expect(readdirSync(folder)).toEqual(['a.json']);
});
