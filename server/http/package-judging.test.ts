import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectionHeader } from '../../core/app/connections.ts';
import { profileUrl, tgzOf } from '../packages/testing/make-package.ts';
import { carePlan, startTestServer, type Json, type TestServer } from '../testing/test-server.ts';
import { packagesOf } from './testing/packages-of.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.remove());

const packages = packagesOf(() => server);

async function add() {
  expect((await packages.add(await tgzOf())).status).toBe(201);
}

const remove = () => server.send('DELETE', '/app/packages/ward.example.plans-1.2.0.tgz');
const choose = (profiles: object) => server.send('PUT', '/app/preferences', JSON.stringify({ profiles }));

/** Rules of profiles by which something is found in the store. */
async function found(): Promise<string[]> {
  const { groups } = (await server.send('GET', '/app/quality')).json;
  return groups.map(({ rule }: Json) => rule).filter((rule: string) => rule.startsWith('profile/'));
}

const title = `profile/ward-plan#CarePlan.title/min`;

test('records are judged by a package’s profile from the moment in which it is chosen, until the package is removed', async () => {
  await server.send('POST', '/fhir-r4/v1/CarePlan', carePlan('Patient/a'));
  await add();
  expect(await found()).toEqual([]);
  await choose({ CarePlan: profileUrl });
  await expect.poll(found).toEqual([title]);
  await remove();
  await expect.poll(found).toEqual([]);
  await add();
  await expect.poll(found).toEqual([title]);
  await choose({});
  await expect.poll(found).toEqual([]);
});

test('a profile that a record claims is judged without a choice, and named by $validate', async () => {
  const claim = `,"meta":{"profile":["${profileUrl}"]}`;
  const validate = async () =>
    (await server.send('POST', '/fhir-r4/v1/CarePlan/$validate', carePlan('Patient/a', claim))).json
      .issue as Json[];
  expect((await validate()).map(({ code }) => code)).toContain('not-found');
  await add();
  const issues = await validate();
  expect(issues.map(({ code, diagnostics }) => [code, diagnostics])).toContainEqual([
    'required',
    `${title}: ${profileUrl}|1.2.0`,
  ]);
  await server.send('POST', '/fhir-r4/v1/CarePlan', carePlan('Patient/a', claim));
  await expect.poll(found).toEqual([title]);
});

test('an editor is told what profiles say of a text, of this server or of another, and nothing is kept or sent', async () => {
  await add();
  await choose({ CarePlan: profileUrl });
  // A code that may be one of SNOMED CT, for all that is known here.
  const record = carePlan('Patient/a').replace('"plan"', '"order"');
  const { json: connection } = await server.send(
    'POST',
    '/app/connections',
    JSON.stringify({ name: 'Other', baseUrl: 'http://127.0.0.1:9/fhir' }),
  );
  const before = (await server.send('GET', '/app/audit')).json.entries[0].seq;
  for (const headers of [{}, { [connectionHeader]: connection.id }] as Record<string, string>[]) {
    const body = JSON.stringify({ type: 'CarePlan', record });
    const { status, json } = await server.send('POST', '/app/profiles/findings', body, headers);
    expect(status).toBe(200);
    expect(json.findings).toEqual([
      {
        ...{ rule: title, severity: 'error', category: 'completeness' },
        text: 'ward-plan: CarePlan.title is missing: at least 1.',
        ...{ expression: 'CarePlan', pointer: '', profile: `${profileUrl}|1.2.0` },
      },
    ]);
    expect(json.undecided).toMatchObject([
      { expression: 'CarePlan.intent', pointer: '/intent', needs: 'CodeSystem http://snomed.info/sct' },
    ]);
  }
  expect((await server.send('GET', '/app/audit')).json.entries[0].seq).toBe(before);
  expect(await found()).toEqual([]);
});
