import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkSum, nativeModule } from './native-module.ts';

test('rejects a file that changed by one bit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-native-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'driver.node');
  const code = Buffer.from('native code');
  const sum = createHash('sha256').update(code).digest('hex');
  writeFileSync(file, code);
  expect(() => checkSum(file, sum)).not.toThrow();
  code[3] = (code[3] ?? 0) ^ 1;
  writeFileSync(file, code);
  expect(() => checkSum(file, sum)).toThrow(`${file} is not the database driver Chartkeeper was built with`);
});

test('leaves the search to the driver in a source checkout', () => {
  expect(nativeModule()).toBeUndefined();
});
