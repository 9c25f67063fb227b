import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startTestServer } from '../testing/test-server.ts';
import { packagesOf } from './testing/packages-of.ts';

const published = resolve(import.meta.dirname, '../../../shared/packages');

test.skipIf(!existsSync(published))('reads published packages (not run where they are absent)', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.remove());
  const packages = packagesOf(() => server);
  for (const name of ['us-core-311', 'us-core-610', 'us-core-800', 'ips-110']) {
    const { status, json } = await packages.add(readFileSync(join(published, `${name}.tgz`)));
    expect([name, status, json.notes]).toEqual([name, 201, []]);
    expect(json.profiles.length).toBeGreaterThan(0);
  }
  const packageList = await packages.list();
  expect(packageList.map(({ name, version }) => `${name} ${version}`)).toEqual([
    'hl7.fhir.us.core 3.1.1',
    'hl7.fhir.us.core 6.1.0',
    'hl7.fhir.us.core 8.0.0',
    'hl7.fhir.uv.ips 1.1.0',
  ]);
  const careplan = 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-careplan';
  const versions = ['', '|3.1.1', '|6.1.0', '|8.0.0'].map(async (version) => {
    const { json } = await server.send('GET', `/app/profiles?url=${encodeURIComponent(careplan + version)}`);
    return json.version;
  });
  expect(await Promise.all(versions)).toEqual(['8.0.0', '3.1.1', '6.1.0', '8.0.0']);
});
