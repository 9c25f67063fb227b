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
const selectProfiles = (profiles: object) =>
  server.send('PUT', '/app/preferences', JSON.stringify({ profiles }));

/** Returns the profile rules with findings in the store. */
async function listProfileRules(): Promise<string[]> {
  const { groups } = (await server.send('GET', '/app/quality')).json;
  return groups.map(({ rule }: Json) => rule).filter((rule: string) => rule.startsWith('profile/'));
}

const title = `profile/ward-plan#CarePlan.title/min`;

test('validates records by a selected profile until its package is removed', async () => {
  await server.send('POST', '/fhir-r4/v1/CarePlan', carePlan('Patient/a'));
  await add();
  expect(await listProfileRules()).toEqual([]);
  await selectProfiles({ CarePlan: profileUrl });
  await expect.poll(listProfileRules).toEqual([title]);
  await remove();
  await expect.poll(listProfileRules).toEqual([]);
  await add();
  await expect.poll(listProfileRules).toEqual([title]);
  await selectProfiles({});
  await expect.poll(listProfileRules).toEqual([]);
});

test('validates a claimed profile without a selection and names it in $validate', async () => {
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
  await expect.poll(listProfileRules).toEqual([title]);
});

test('returns profile findings of a local or remote text without storing or sending it', async () => {
  await add();
  await selectProfiles({ CarePlan: profileUrl });
  // A code that may be valid in SNOMED CT, which is not available here.
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
        rule: title,
        severity: 'error',
        category: 'completeness',
        text: 'ward-plan: CarePlan.title is missing (minimum: 1).',
        parameters: { profile: 'ward-plan', element: 'CarePlan.title', detail: '1' },
        expression: 'CarePlan',
        pointer: '',
        profile: `${profileUrl}|1.2.0`,
      },
    ]);
    expect(json.undecided).toMatchObject([
      {
        expression: 'CarePlan.intent',
        pointer: '/intent',
        needs: 'CodeSystem http://snomed.info/sct',
        text: 'Not checked: CarePlan.intent needs CodeSystem http://snomed.info/sct.',
        messageCode: 'needs.codeSystem',
        parameters: { element: 'CarePlan.intent', system: 'http://snomed.info/sct' },
      },
    ]);
  }
  expect((await server.send('GET', '/app/audit')).json.entries[0].seq).toBe(before);
  expect(await listProfileRules()).toEqual([]);
});
