/** Row 85 of the API's decisions: `$validate`. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setOf } from '../../core/fhir/profiles/testing/sets.ts';
import { goodPlan, wardDefinitions, wardNote, wardPlan } from '../../core/fhir/profiles/testing/profiles.ts';
import { carePlan, startTestServer, type Json, type TestServer } from '../testing/test-server.ts';
import { mint, sendAs } from '../testing/tokens.ts';

const at = '/fhir-r4/v1/CarePlan';
const none = ['information', 'informational', 'No issue was found.'];

let server: TestServer;
let id = '';
beforeAll(async () => {
  const set = setOf(wardDefinitions);
  server = await startTestServer({}, undefined, {
    conformance: { set: () => set, onChange: () => undefined },
  });
  id = (await server.send('POST', at, carePlan('Patient/1'))).json.id;
});
afterAll(() => server.remove());

/** Severity, code and sentence of each issue. */
async function issues(method: string, address: string, body?: unknown, headers?: Record<string, string>) {
  const answer = await server.send(
    method,
    address,
    typeof body === 'object' ? JSON.stringify(body) : (body as undefined),
    headers,
  );
  expect([answer.status, answer.json.resourceType]).toEqual([200, 'OperationOutcome']);
  return answer.json.issue.map(({ severity, code, details }: Json) => [severity, code, details.text]);
}

async function status(method: string, address: string, body?: unknown, headers?: Record<string, string>) {
  const answer = await server.send(
    method,
    address,
    body === undefined ? undefined : JSON.stringify(body),
    headers,
  );
  return [answer.status, answer.json.issue[0].code];
}

const parameters = (...parameter: unknown[]) => ({ resourceType: 'Parameters', parameter });
const resource = (record: unknown) => ({ name: 'resource', resource: record });
const profile = (url: string) => ({ name: 'profile', valueUri: url });

test.each(['$validate', '%24validate'])(
  'row 101: %s validates a type, and a record that is stored',
  async (name) => {
    expect(await issues('POST', `${at}/${name}`, goodPlan)).toEqual([none]);
    for (const method of ['GET', 'POST']) {
      const answer = await server.send(method, `${at}/${id}/${name}`);
      expect([answer.status, answer.json.resourceType]).toEqual([200, 'OperationOutcome']);
    }
  },
);

describe('row 85', () => {
  test('a type: the resource, or Parameters with it, its mode and its profile', async () => {
    expect(await issues('POST', `${at}/$validate`, goodPlan)).toEqual([none]);
    expect(await issues('POST', `${at}/$validate`, parameters(resource(goodPlan)))).toEqual([none]);
    const all = parameters(resource(goodPlan), { name: 'mode', valueCode: 'create' }, profile(wardPlan));
    expect(await issues('POST', `${at}/$validate`, all)).toEqual([none]);
    expect(await issues('POST', `${at}/$validate?mode=create&profile=${wardPlan}`, goodPlan)).toEqual([none]);
    const broken = { ...goodPlan, period: undefined };
    for (const [query, body] of [
      [`?profile=${wardPlan}`, broken],
      ['', parameters(resource(broken), profile(wardPlan))],
      ['', parameters(resource(broken), { name: 'profile', valueCanonical: wardPlan })],
      ['', { ...broken, meta: { profile: [wardPlan] } }],
    ] as const) {
      expect(await issues('POST', `${at}/$validate${query}`, body)).toEqual([
        ['error', 'required', 'ward-plan: CarePlan.period is missing (minimum: 1).'],
      ]);
    }
  });

  test('Parameters keep the digits of the resource', async () => {
    const text = JSON.stringify(parameters(resource({ ...goodPlan, count: 'DIGITS' }))).replace(
      '"DIGITS"',
      '1e999',
    );
    const [first] = await issues('POST', `${at}/$validate`, text);
    expect(first?.slice(0, 2)).toEqual(['error', 'structure']);
  });

  test('one record: what is stored is judged by GET and by empty Parameters; else what is sent', async () => {
    for (const [method, body] of [
      ['GET', undefined],
      ['POST', undefined],
      ['POST', { resourceType: 'Parameters' }],
      ['POST', parameters({ name: 'mode', valueCode: 'update' })],
    ] as const) {
      expect(await issues(method, `${at}/${id}/$validate`, body)).toEqual([none]);
    }
    const [first] = await issues('GET', `${at}/${id}/$validate?profile=${wardPlan}`);
    expect(first?.slice(0, 2)).toEqual(['error', 'required']);
    expect(await issues('POST', `${at}/${id}/$validate?profile=${wardPlan}`, goodPlan)).toEqual([none]);
    expect(await status('GET', `${at}/absent/$validate`)).toEqual([404, 'not-found']);
    expect(await status('POST', `${at}/absent/$validate`, goodPlan)).toEqual([404, 'not-found']);
  });

  test('scope r is enough, and needed', async () => {
    for (const [scope, expected] of [
      ['system/CarePlan.r', 200],
      ['system/CarePlan.cus', 403],
      ['system/Composition.r', 403],
    ] as const) {
      const { token } = await mint(server, [scope]);
      const answers = await Promise.all([
        sendAs(server, `Bearer ${token}`, 'POST', `${at}/$validate`, JSON.stringify(goodPlan)),
        sendAs(server, `Bearer ${token}`, 'GET', `${at}/${id}/$validate`),
      ]);
      expect([scope, ...answers.map((one) => one.status)]).toEqual([scope, expected, expected]);
    }
  });

  test('a profile that is not at hand is an error, whatever Prefer says; one that is only claimed is a warning', async () => {
    const claiming = { ...goodPlan, meta: { profile: ['http://x.example/absent'] } };
    for (const prefer of ['handling=lenient', 'handling=strict']) {
      for (const absent of ['http://x.example/absent', wardNote]) {
        const found = await issues('POST', `${at}/$validate?profile=${absent}`, goodPlan, { Prefer: prefer });
        expect(found.map((one: string[]) => one.slice(0, 2))).toEqual([['error', 'not-found']]);
      }
      const claimed = await issues('POST', `${at}/$validate`, claiming, { Prefer: prefer });
      expect(claimed.map((one: string[]) => one.slice(0, 2))).toEqual([['warning', 'not-found']]);
    }
  });

  test('"No issue was found" only where all was looked at', async () => {
    const open = { ...goodPlan, goal: [...goodPlan.goal, { reference: 'Goal/elsewhere' }] };
    const found = await issues('POST', `${at}/$validate?profile=${wardPlan}`, open);
    expect(new Set(found.map(([severity, code]: string[]) => `${severity} ${code}`))).toEqual(
      new Set(['information incomplete']),
    );
    const sentences = found.map((one: string[]) => one[2]).join(' ');
    expect(sentences).toMatch(/^Not checked: CarePlan\.goal\S* needs /);
    expect(sentences).not.toContain('elsewhere');
  });

  test('what R4 says of the record is told beside what the profile says, with the severity of R4', async () => {
    const found = await issues('POST', `${at}/$validate?profile=${wardPlan}`, {
      ...goodPlan,
      period: undefined,
      status: 'x',
      walk: 1,
    });
    expect(found.map((one: string[]) => one.slice(0, 2)).toSorted()).toEqual([
      ['error', 'code-invalid'],
      ['error', 'required'],
      ['error', 'structure'],
    ]);
  });

  test('a mode that deletes is answered as DELETE is, and others than the four are refused', async () => {
    const [first] = await issues('GET', `${at}/${id}/$validate?mode=delete`);
    expect(first).toEqual([
      'error',
      'not-supported',
      'Records can’t be deleted. Set status to entered-in-error.',
    ]);
    expect(await status('POST', `${at}/$validate?mode=destroy`, goodPlan)).toEqual([400, 'value']);
  });

  test.each<[what: string, query: string, body: unknown, code: string]>([
    ['no record', '', parameters(), 'required'],
    ['two profiles', `?profile=${wardPlan}`, parameters(resource(goodPlan), profile(wardNote)), 'value'],
    ['two records', '', parameters(resource(goodPlan), resource(goodPlan)), 'value'],
    [
      'a mode that is no code',
      '',
      parameters(resource(goodPlan), { name: 'mode', valueInteger: 1 }),
      'value',
    ],
    ['a resource that is a value', '', parameters({ name: 'resource', valueString: 'x' }), 'value'],
    [
      'a parameter of nobody',
      '',
      parameters(resource(goodPlan), { name: 'depth', valueInteger: 1 }),
      'not-supported',
    ],
    ['a parameter of nobody', '?depth=1', goodPlan, 'not-supported'],
    ['a record of another type', '', parameters(resource({ resourceType: 'Composition' })), 'invalid'],
  ])('%s is refused', async (_what, query, body, code) => {
    expect(await status('POST', `${at}/$validate${query}`, body)).toEqual([400, code]);
  });

  test('/metadata names the operation', async () => {
    const { rest } = (await server.send('GET', '/fhir-r4/v1/metadata')).json;
    for (const { operation } of rest[0].resource) {
      expect(operation[0]).toEqual({
        name: 'validate',
        definition: 'http://hl7.org/fhir/OperationDefinition/Resource-validate',
      });
    }
  });
});
