import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readPackage } from './read-package.ts';
import { packageFiles, profile, profileUrl, tgzOf } from './testing/make-package.ts';

test('an entry says of what type a profile is, and whether it comes with its snapshot', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-package-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const bare = { ...profile, snapshot: undefined };
  const files = {
    ...packageFiles(),
    'package/StructureDefinition-bare.json': { ...bare, url: `${profileUrl}-bare` },
    'package/StructureDefinition-logical.json': {
      ...{ ...bare, url: `${profileUrl}-logical`, derivation: 'specialization' },
    },
  };
  writeFileSync(join(folder, 'one.tgz'), await tgzOf(files));
  const { entries, others, notes } = await readPackage(join(folder, 'one.tgz'), join(folder, 'read'));
  const profiles = entries.map(({ url, profile: of }) => [url.replace(/.*\//, ''), of]);
  expect(Object.fromEntries(profiles)).toEqual({
    'ward-plan': { type: 'CarePlan', snapshot: true },
    'ward-plan-bare': { type: 'CarePlan', snapshot: false },
    'ward-plan-logical': undefined,
    intents: undefined,
  });
  expect([others, notes]).toEqual([2, []]);
});

test('of files that cannot be used the first twenty are named, the others counted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-package-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const nameless = Array.from({ length: 23 }, (_, at) => [
    `package/ValueSet-${at}.json`,
    { resourceType: 'ValueSet' },
  ]);
  const files = { ...packageFiles(), ...Object.fromEntries(nameless) };
  writeFileSync(join(folder, 'one.tgz'), await tgzOf(files));
  const { notes } = await readPackage(join(folder, 'one.tgz'), join(folder, 'read'));
  expect(notes).toHaveLength(21);
  expect(notes.at(-1)).toBe('The same is true of 3 other files.');
});
