import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createLog } from './log.ts';
import { temporaryFolder } from './testing/temp-folder.ts';

it('appends lines with their time, readable only by the owner', () => {
  const file = join(temporaryFolder(), 'logs', 'chartkeeper.log');
  const log = createLog(file);
  log('first');
  log('second');
  expect(readFileSync(file, 'utf8')).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z first\n\S+Z second\n$/);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('starts a new file at its limit and keeps the previous one', () => {
  const file = join(temporaryFolder(), 'chartkeeper.log');
  writeFileSync(file, 'x'.repeat(100));
  createLog(file, 101)('still fits');
  expect(readFileSync(file, 'utf8')).toMatch(/^x{100}\S+Z still fits\n$/);
  createLog(file, 101)('new');
  expect(readFileSync(file, 'utf8')).toMatch(/^\S+Z new\n$/);
  expect(readFileSync(`${file}.1`, 'utf8')).toContain('still fits');
});

it('does not fail if it cannot write', () => {
  const file = join(temporaryFolder(), 'plain');
  writeFileSync(file, '');
  expect(() => createLog(join(file, 'chartkeeper.log'))('lost')).not.toThrow();
});
