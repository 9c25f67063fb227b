import { afterAll, beforeAll, expect, test } from 'vitest';
import { QualityOverview, QualityPage, type QualityFinding } from '../../core/app/quality.ts';
import { is } from '../../core/json/shape.ts';
import {
  carePlan,
  composition,
  startTestServer,
  type Json,
  type TestServer,
} from '../testing/test-server.ts';
import { mint, sendAs } from '../testing/tokens.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  const records = [
    carePlan('Patient/clean'),
    '{"resourceType":"CarePlan","id":"no-intent","title":"=cmd()","subject":{"reference":"Patient/a"},"activity":[{"detail":{"status":"doing","quantity":{"value":1.00}}}]}',
    '{"resourceType":"CarePlan","id":"bad-status","title":"Say \\"x\\", y","status":"actve","intent":"plan","subject":{"reference":"Patient/b"}}',
    composition('Patient/clean'),
  ];
  const answer = await server.send('POST', '/app/import?level=off&keepIds=true', records.join('\n'), {
    'Content-Type': 'application/x-ndjson',
  });
  expect(answer.text).toContain('"stored":4');
});
afterAll(() => server.remove());

const findings = async (query: string): Promise<QualityFinding[]> => {
  const { json, status } = await server.send('GET', `/app/quality/findings?${query}`);
  expect(status).toBe(200);
  expect(is(QualityPage, json)).toBe(true);
  return json.findings;
};

test('the overview counts records and findings of each broken rule', async () => {
  const { json } = await server.send('GET', '/app/quality');
  expect(is(QualityOverview, json)).toBe(true);
  expect(json).toMatchObject({ level: 'standard', records: { CarePlan: 3, Composition: 1 } });
  expect(json.flagged).toEqual({ CarePlan: 2, Composition: 1 });
  expect(json.groups.find((group: { rule: string }) => group.rule === 'schema-required')).toEqual({
    rule: 'schema-required',
    severity: 'error',
    category: 'completeness',
    text: 'The mandatory element is missing; add it.',
    records: 1,
    findings: 2,
    types: { CarePlan: { records: 1, findings: 2 } },
  });
});

test('the rules that most records break come first', async () => {
  const { json } = await server.send('GET', '/app/quality');
  const broken = json.groups.map(({ rule, records }: Json) => `${9 - records} ${rule}`);
  expect(broken).toEqual([...broken].sort());
  expect(new Set(json.groups.map(({ records }: Json) => records)).size).toBeGreaterThan(1);
});

test('a finding shows the exact text of its element, and names what is missing', async () => {
  // In which order records of one commit are listed is the engine's.
  const codes = (await findings('rule=schema-code')).toSorted((a, b) => a.id.localeCompare(b.id));
  expect(codes.map(({ id, pointer, excerpt }) => [id, pointer, excerpt])).toEqual([
    ['bad-status', '/status', '"actve"'],
    ['no-intent', '/activity/0/detail/status', '"doing"'],
  ]);
  expect(codes[0]).toMatchObject({ version: 1, title: 'Say "x", y', subject: 'Patient/b', status: 'actve' });
  const missing = await findings('rule=schema-required');
  expect(missing.map(({ message }) => message)).toEqual([
    'The mandatory element status is missing; add it.',
    'The mandatory element intent is missing; add it.',
  ]);
});

test('pages follow each other to the end', async () => {
  const whole = await findings('');
  const seen: QualityFinding[] = [];
  for (let after = ''; ;) {
    const { json } = await server.send('GET', `/app/quality/findings?count=2${after && `&after=${after}`}`);
    seen.push(...json.findings);
    if (json.next === undefined) break;
    after = json.next;
  }
  expect(seen).toEqual(whole);
});

test.each([
  ['severity=error&type=Composition', []],
  ['text=actve', []],
  ['text=patient%2Fb', []],
  ['text=b&rule=schema-code', ['bad-status']],
  ['category=completeness&severity=error', ['no-intent', 'no-intent']],
])('%s narrows', async (query, expected) => {
  expect((await findings(query)).map(({ id }) => id)).toEqual(expected);
});

test('the CSV is filtered alike, quoted, and no cell begins a formula', async () => {
  const answer = await server.send('GET', '/app/quality.csv?rule=schema-code');
  expect(answer.headers.get('content-type')).toContain('text/csv');
  const [head, ...rows] = answer.text.split('\r\n');
  expect(head).toBe(
    'type,id,version,title,subject,status,lastUpdated,rule,severity,category,message,pointer,excerpt,state,assignee,reason,until,note',
  );
  const [end, second, first] = rows.sort();
  expect(first).toMatch(/^CarePlan,no-intent,1,'=cmd\(\),Patient\/a,,20.*,"""doing""",open,,,,$/);
  expect(second).toContain(',"Say ""x"", y",');
  expect([end, rows.length]).toEqual(['', 3]);
});

test('mending a record takes it off the list', async () => {
  const before = (await findings('rule=schema-code')).length;
  const patch = '[{"op":"replace","path":"/status","value":"active"}]';
  expect((await server.send('PATCH', '/fhir-r4/v1/CarePlan/bad-status', patch)).status).toBe(200);
  const after = await findings('rule=schema-code');
  expect(after).toHaveLength(before - 1);
  expect(after.map(({ id }) => id)).not.toContain('bad-status');
});

test('an unknown filter is 400, a lesser token 403', async () => {
  for (const query of ['sevrity=error', 'severity=fatal', 'type=Patient', 'count=0']) {
    expect((await server.send('GET', `/app/quality/findings?${query}`)).status).toBe(400);
  }
  const { token } = await mint(server, ['system/*.read']);
  for (const path of ['/app/quality', '/app/quality/findings', '/app/quality.csv']) {
    expect((await sendAs(server, `Bearer ${token}`, 'GET', path)).status).toBe(403);
  }
});

test('a finding of R4’s own rules says which rule it is', async () => {
  const body = `{"resourceType":"CarePlan","status":"active","intent":"plan","subject":{"reference":"Patient/a"},
    "contained":[{"resourceType":"RequestGroup","id":"g","status":"draft","intent":"plan",
      "action":[{"title":"both","resource":{"reference":"#g"},"action":[{"title":"inner"}]}]}],
    "activity":[{"reference":{"reference":"#g"}}]}`;
  const stored = await server.send('POST', '/app/import?level=off', body.replaceAll('\n', ''), {
    'Content-Type': 'application/x-ndjson',
  });
  expect(stored.text).toContain('"stored":1');
  expect((await findings('rule=r4-invariant')).map(({ pointer, message }) => [pointer, message])).toEqual([
    [
      '/contained/0/action/0',
      'FHIR R4’s rule rqg-1 (Must have resource or action but not both) is broken; correct the element.',
    ],
    [
      '/contained/0/action/0/action/0',
      'FHIR R4’s rule rqg-1 (Must have resource or action but not both) is broken; correct the element.',
    ],
  ]);
});
