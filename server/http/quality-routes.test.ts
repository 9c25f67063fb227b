import { afterAll, beforeAll, expect, test } from 'vitest';
import { QualityOverview, QualityPage, type QualityFinding } from '../../core/app/quality.ts';
import { matchesSchema } from '../../core/json/shape.ts';
import {
  carePlan,
  composition,
  startTestServer,
  type Json,
  type TestServer,
} from '../testing/test-server.ts';

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

const listFindings = async (query: string): Promise<QualityFinding[]> => {
  const { json, status } = await server.send('GET', `/app/quality/findings?${query}`);
  expect(status).toBe(200);
  expect(matchesSchema(QualityPage, json)).toBe(true);
  return json.findings;
};

test('counts records and findings per broken rule', async () => {
  const { json } = await server.send('GET', '/app/quality');
  expect(matchesSchema(QualityOverview, json)).toBe(true);
  expect(json).toMatchObject({ level: 'standard', records: { CarePlan: 3, Composition: 1 } });
  expect(json.flagged).toEqual({ CarePlan: 2, Composition: 1 });
  expect(json.groups.find((group: { rule: string }) => group.rule === 'schema-required')).toEqual({
    rule: 'schema-required',
    severity: 'error',
    category: 'completeness',
    text: 'The required element is missing.',
    records: 1,
    findings: 2,
    types: { CarePlan: { records: 1, findings: 2 } },
  });
});

test('lists the rules broken by most records first', async () => {
  const { json } = await server.send('GET', '/app/quality');
  const sortKeys = json.groups.map(({ rule, records }: Json) => `${9 - records} ${rule}`);
  expect(sortKeys).toEqual([...sortKeys].sort());
  expect(new Set(json.groups.map(({ records }: Json) => records)).size).toBeGreaterThan(1);
});

test('shows the exact text of an element and names a missing one', async () => {
  // The order of records of one commit depends on the database.
  const codes = (await listFindings('rule=schema-code')).toSorted((a, b) => a.id.localeCompare(b.id));
  expect(codes.map(({ id, pointer, excerpt }) => [id, pointer, excerpt])).toEqual([
    ['bad-status', '/status', '"actve"'],
    ['no-intent', '/activity/0/detail/status', '"doing"'],
  ]);
  expect(codes[0]).toMatchObject({ version: 1, title: 'Say "x", y', subject: 'Patient/b', status: 'actve' });
  const missing = await listFindings('rule=schema-required');
  expect(missing.map(({ message, parameters }) => [message, parameters])).toEqual([
    ['The required element status is missing.', { name: 'status' }],
    ['The required element intent is missing.', { name: 'intent' }],
  ]);
});

test('pages through all findings', async () => {
  const allFindings = await listFindings('');
  const pagedFindings: QualityFinding[] = [];
  for (let after = ''; ;) {
    const { json } = await server.send('GET', `/app/quality/findings?count=2${after && `&after=${after}`}`);
    pagedFindings.push(...json.findings);
    if (json.next === undefined) break;
    after = json.next;
  }
  expect(pagedFindings).toEqual(allFindings);
});

test.each([
  ['severity=error&type=Composition', []],
  ['text=actve', []],
  ['text=patient%2Fb', []],
  ['text=b&rule=schema-code', ['bad-status']],
  ['category=completeness&severity=error', ['no-intent', 'no-intent']],
])('%s narrows', async (query, expected) => {
  expect((await listFindings(query)).map(({ id }) => id)).toEqual(expected);
});

test('filters and quotes the CSV and never starts a cell with a formula', async () => {
  const response = await server.send('GET', '/app/quality.csv?rule=schema-code');
  expect(response.headers.get('content-type')).toContain('text/csv');
  const [head, ...rows] = response.text.split('\r\n');
  expect(head).toBe(
    'type,id,version,title,subject,status,lastUpdated,rule,severity,category,message,pointer,excerpt,state,assignee,reason,until,note',
  );
  const [lastRow, secondRow, firstRow] = rows.sort();
  expect(firstRow).toMatch(/^CarePlan,no-intent,1,'=cmd\(\),Patient\/a,,20.*,"""doing""",open,,,,$/);
  expect(secondRow).toContain(',"Say ""x"", y",');
  expect([lastRow, rows.length]).toEqual(['', 3]);
});

test('rejects an unknown filter with 400', async () => {
  for (const query of ['sevrity=error', 'severity=fatal', 'type=Patient', 'count=0']) {
    expect((await server.send('GET', `/app/quality/findings?${query}`)).status).toBe(400);
  }
});

test('names the rule of an R4 finding', async () => {
  const body = `{"resourceType":"CarePlan","status":"active","intent":"plan","subject":{"reference":"Patient/a"},
    "contained":[{"resourceType":"RequestGroup","id":"g","status":"draft","intent":"plan",
      "action":[{"title":"both","resource":{"reference":"#g"},"action":[{"title":"inner"}]}]}],
    "activity":[{"reference":{"reference":"#g"}}]}`;
  const importResponse = await server.send('POST', '/app/import?level=off', body.replaceAll('\n', ''), {
    'Content-Type': 'application/x-ndjson',
  });
  expect(importResponse.text).toContain('"stored":1');
  expect((await listFindings('rule=r4-invariant')).map(({ pointer, message }) => [pointer, message])).toEqual(
    [
      ['/contained/0/action/0', 'The R4 constraint rqg-1 (Must have resource or action but not both) fails.'],
      [
        '/contained/0/action/0/action/0',
        'The R4 constraint rqg-1 (Must have resource or action but not both) fails.',
      ],
    ],
  );
});
