/** Row 85 of docs/api-rows.md: `$validate`. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setOf } from '../../core/fhir/profiles/testing/sets.ts';
import { goodPlan, wardDefinitions, wardNote, wardPlan } from '../../core/fhir/profiles/testing/profiles.ts';
import { carePlan, startTestServer, type Json, type TestServer } from '../testing/test-server.ts';
import { createClientToken, sendAs } from '../testing/tokens.ts';

const plans = '/fhir-r4/v1/CarePlan';
const noIssue = ['information', 'informational', 'No issue was found.'];

let server: TestServer;
let id = '';
beforeAll(async () => {
  const set = setOf(wardDefinitions);
  server = await startTestServer({}, undefined, {
    conformance: { set: () => set, onChange: () => undefined },
  });
  id = (await server.send('POST', plans, carePlan('Patient/1'))).json.id;
});
afterAll(() => server.remove());

/** Returns severity, code and message of each issue. */
async function validateIssues(
  method: string,
  address: string,
  body?: unknown,
  headers?: Record<string, string>,
) {
  const answer = await server.send(
    method,
    address,
    typeof body === 'object' ? JSON.stringify(body) : (body as undefined),
    headers,
  );
  expect([answer.status, answer.json.resourceType]).toEqual([200, 'OperationOutcome']);
  return answer.json.issue.map(({ severity, code, details }: Json) => [severity, code, details.text]);
}

async function rejectionOf(
  method: string,
  address: string,
  body?: unknown,
  headers?: Record<string, string>,
) {
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

// Row 101 of docs/api-rows.md.
test.each(['$validate', '%24validate'])('validates a type and a stored record by %s', async (name) => {
  expect(await validateIssues('POST', `${plans}/${name}`, goodPlan)).toEqual([noIssue]);
  for (const method of ['GET', 'POST']) {
    const answer = await server.send(method, `${plans}/${id}/${name}`);
    expect([answer.status, answer.json.resourceType]).toEqual([200, 'OperationOutcome']);
  }
});

// Row 85 of docs/api-rows.md.
describe('$validate', () => {
  test('validates a resource, or Parameters with resource, mode and profile', async () => {
    expect(await validateIssues('POST', `${plans}/$validate`, goodPlan)).toEqual([noIssue]);
    expect(await validateIssues('POST', `${plans}/$validate`, parameters(resource(goodPlan)))).toEqual([
      noIssue,
    ]);
    const allParameters = parameters(
      resource(goodPlan),
      { name: 'mode', valueCode: 'create' },
      profile(wardPlan),
    );
    expect(await validateIssues('POST', `${plans}/$validate`, allParameters)).toEqual([noIssue]);
    expect(
      await validateIssues('POST', `${plans}/$validate?mode=create&profile=${wardPlan}`, goodPlan),
    ).toEqual([noIssue]);
    const planWithoutPeriod = { ...goodPlan, period: undefined };
    for (const [query, body] of [
      [`?profile=${wardPlan}`, planWithoutPeriod],
      ['', parameters(resource(planWithoutPeriod), profile(wardPlan))],
      ['', parameters(resource(planWithoutPeriod), { name: 'profile', valueCanonical: wardPlan })],
      ['', { ...planWithoutPeriod, meta: { profile: [wardPlan] } }],
    ] as const) {
      expect(await validateIssues('POST', `${plans}/$validate${query}`, body)).toEqual([
        ['error', 'required', 'ward-plan: CarePlan.period is missing (minimum: 1).'],
      ]);
    }
  });

  test('preserves the digits of a resource in Parameters', async () => {
    const text = JSON.stringify(parameters(resource({ ...goodPlan, count: 'DIGITS' }))).replace(
      '"DIGITS"',
      '1e999',
    );
    const [firstIssue] = await validateIssues('POST', `${plans}/$validate`, text);
    expect(firstIssue?.slice(0, 2)).toEqual(['error', 'structure']);
  });

  test('validates the stored record for GET and empty Parameters, otherwise the sent one', async () => {
    for (const [method, body] of [
      ['GET', undefined],
      ['POST', undefined],
      ['POST', { resourceType: 'Parameters' }],
      ['POST', parameters({ name: 'mode', valueCode: 'update' })],
    ] as const) {
      expect(await validateIssues(method, `${plans}/${id}/$validate`, body)).toEqual([noIssue]);
    }
    const [firstIssue] = await validateIssues('GET', `${plans}/${id}/$validate?profile=${wardPlan}`);
    expect(firstIssue?.slice(0, 2)).toEqual(['error', 'required']);
    expect(await validateIssues('POST', `${plans}/${id}/$validate?profile=${wardPlan}`, goodPlan)).toEqual([
      noIssue,
    ]);
    expect(await rejectionOf('GET', `${plans}/absent/$validate`)).toEqual([404, 'not-found']);
    expect(await rejectionOf('POST', `${plans}/absent/$validate`, goodPlan)).toEqual([404, 'not-found']);
  });

  test('requires only scope r', async () => {
    for (const [scope, expected] of [
      ['system/CarePlan.r', 200],
      ['system/CarePlan.cus', 403],
      ['system/Composition.r', 403],
    ] as const) {
      const { token } = await createClientToken(server, [scope]);
      const answers = await Promise.all([
        sendAs(server, `Bearer ${token}`, 'POST', `${plans}/$validate`, JSON.stringify(goodPlan)),
        sendAs(server, `Bearer ${token}`, 'GET', `${plans}/${id}/$validate`),
      ]);
      expect([scope, ...answers.map((answer) => answer.status)]).toEqual([scope, expected, expected]);
    }
  });

  test('reports a missing profile as an error, and a claimed missing profile as a warning', async () => {
    const claiming = { ...goodPlan, meta: { profile: ['http://x.example/absent'] } };
    for (const prefer of ['handling=lenient', 'handling=strict']) {
      for (const profileUrl of ['http://x.example/absent', wardNote]) {
        const issues = await validateIssues('POST', `${plans}/$validate?profile=${profileUrl}`, goodPlan, {
          Prefer: prefer,
        });
        expect(issues.map((issue: string[]) => issue.slice(0, 2))).toEqual([['error', 'not-found']]);
      }
      const claimIssues = await validateIssues('POST', `${plans}/$validate`, claiming, { Prefer: prefer });
      expect(claimIssues.map((issue: string[]) => issue.slice(0, 2))).toEqual([['warning', 'not-found']]);
    }
  });

  test('reports "No issue was found" only if everything was checked', async () => {
    const planWithReference = { ...goodPlan, goal: [...goodPlan.goal, { reference: 'Goal/elsewhere' }] };
    const issues = await validateIssues('POST', `${plans}/$validate?profile=${wardPlan}`, planWithReference);
    expect(new Set(issues.map(([severity, code]: string[]) => `${severity} ${code}`))).toEqual(
      new Set(['information incomplete']),
    );
    const sentences = issues.map((issue: string[]) => issue[2]).join(' ');
    expect(sentences).toMatch(/^Not checked: CarePlan\.goal\S* needs /);
    expect(sentences).not.toContain('elsewhere');
  });

  test('reports issues of R4 with their severity together with those of the profile', async () => {
    const issues = await validateIssues('POST', `${plans}/$validate?profile=${wardPlan}`, {
      ...goodPlan,
      period: undefined,
      status: 'x',
      walk: 1,
    });
    expect(issues.map((issue: string[]) => issue.slice(0, 2)).toSorted()).toEqual([
      ['error', 'code-invalid'],
      ['error', 'required'],
      ['error', 'structure'],
    ]);
  });

  test('rejects mode=delete as DELETE, and unknown modes', async () => {
    const [firstIssue] = await validateIssues('GET', `${plans}/${id}/$validate?mode=delete`);
    expect(firstIssue).toEqual([
      'error',
      'not-supported',
      'Records can’t be deleted. Set status to entered-in-error.',
    ]);
    expect(await rejectionOf('POST', `${plans}/$validate?mode=destroy`, goodPlan)).toEqual([400, 'value']);
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
  ])('rejects %s', async (_description, query, body, code) => {
    expect(await rejectionOf('POST', `${plans}/$validate${query}`, body)).toEqual([400, code]);
  });

  test('lists the operation in /metadata', async () => {
    const { rest: capabilities } = (await server.send('GET', '/fhir-r4/v1/metadata')).json;
    for (const { operation } of capabilities[0].resource) {
      expect(operation[0]).toEqual({
        name: 'validate',
        definition: 'http://hl7.org/fhir/OperationDefinition/Resource-validate',
      });
    }
  });
});
