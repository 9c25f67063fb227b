import { afterEach, beforeEach, expect, test } from 'vitest';
import { relationRules, type RelationName } from '../../core/fhir/relations.ts';
import { ruleOf } from '../../core/fhir/validation/rules.ts';
import { untilNext } from './validation-service.ts';
import { KeptFolder } from '../testing/kept-folder.ts';
import { onSharedStore, type Json } from '../testing/test-server.ts';

const today = Date.UTC(2026, 10, 22, 12);

let folder: KeptFolder;
beforeEach(async () => {
  folder = await KeptFolder.make(today);
  await folder.start();
});
afterEach(() => folder.remove());

const subject = { reference: 'Patient/p' };
const plan = { resourceType: 'CarePlan', status: 'active', intent: 'plan', subject };
const composition = {
  resourceType: 'Composition',
  status: 'final',
  type: { text: 'Letter' },
  subject,
  date: '2026-01-01',
  author: [{ display: 'Ward 3' }],
  title: 'Letter',
  section: [{ title: 'One', text: { status: 'generated' } }],
};

/** Stores records as they are, with their ids. */
async function storeRecords(...records: readonly object[]): Promise<void> {
  const body = records.map((record) => JSON.stringify(record)).join('\n');
  const type = { 'Content-Type': 'application/x-ndjson' };
  const { text } = await folder.send('POST', '/app/import?level=off&keepIds=true', body, type);
  expect(text).toContain(`"stored":${records.length}`);
  await folder.scanRelations();
}

/** Lists ids and pointers of a rule's findings, in order. */
async function listFindings(rule: string): Promise<string[]> {
  const { findings } = (await folder.send('GET', `/app/quality/findings?rule=store/${rule}`)).json;
  return findings.map(({ id, pointer }: Json) => `${id} ${pointer}`).sort();
}

test('reports a missing target of the same type until it exists', async () => {
  await storeRecords(
    {
      ...plan,
      id: 'one',
      basedOn: [{ reference: 'CarePlan/two' }, { reference: 'CarePlan/three' }],
      partOf: [{ reference: 'http://elsewhere.example/CarePlan/four' }, { reference: 'urn:uuid:five' }],
      replaces: [{ reference: '#six' }, { identifier: { value: 'seven' } }],
    },
    { ...plan, id: 'two' },
    {
      ...composition,
      id: 'letter',
      relatesTo: [{ code: 'appends', targetReference: { reference: 'Composition/gone' } }],
    },
  );
  expect(await listFindings('dangling-reference')).toEqual([
    'letter /relatesTo/0/targetReference',
    'one /basedOn/1',
    'one /partOf/1',
  ]);
  await storeRecords({ ...plan, id: 'three' }, { ...plan, id: 'five' });
  expect(await listFindings('dangling-reference')).toEqual(['letter /relatesTo/0/targetReference']);
  await folder.stop();
  expect(await folder.verify()).toEqual([]);
});

test('reports an identifier of two records at both, and ignores one without a system', async () => {
  const identifier = (value: string, system?: string) => ({ ...(system && { system }), value });
  await storeRecords(
    { ...plan, id: 'one', identifier: [identifier('1'), identifier('A7', 'urn:s')] },
    { ...plan, id: 'two', identifier: [identifier('1'), identifier('a7', 'urn:s')] },
    { ...plan, id: 'three', identifier: [identifier('A7', 'urn:other')] },
    { ...plan, id: 'wrong', status: 'entered-in-error', identifier: [identifier('A8', 'urn:s')] },
    { ...plan, id: 'four', identifier: [identifier('A8', 'urn:s')] },
    { ...composition, id: 'letter', identifier: identifier('A7', 'urn:s') },
  );
  expect(await listFindings('duplicate-identifier')).toEqual(['one /identifier/1', 'two /identifier/1']);
});

test('reports active plans of one kind for one patient at the same time', async () => {
  const kind = (...codes: string[]) => [{ coding: codes.map((code) => ({ system: 'urn:kinds', code })) }];
  const going = (id: string, start: string, end: string | undefined, otherMembers: object = {}) => ({
    ...plan,
    id,
    category: kind('assess-plan', 'diabetes'),
    period: { start, ...(end && { end }) },
    ...otherMembers,
  });
  await storeRecords(
    going('one', '2026-01-01', '2026-03-01'),
    going('two', '2026-02-01', undefined),
    going('before', '2025-01-01', '2025-12-31'),
    going('done', '2026-02-01', undefined, { status: 'completed' }),
    going('other', '2026-02-01', undefined, { subject: { reference: 'Patient/q' } }),
    going('kind', '2026-02-01', undefined, { category: kind('assess-plan', 'asthma') }),
    going('general', '2026-02-01', undefined, { category: kind('assess-plan') }),
    going('general too', '2026-02-01', undefined, { id: 'general-2', category: kind('assess-plan') }),
    { ...plan, id: 'undated', category: kind('assess-plan', 'diabetes') },
  );
  expect(await listFindings('overlapping-plans')).toEqual(['one /period', 'two /period']);
});

test('reports a replaced document or plan that is still current', async () => {
  const related = (code: string, id: string) => [
    { code, targetReference: { reference: `Composition/${id}` } },
  ];
  await storeRecords(
    { ...composition, id: 'old' },
    { ...composition, id: 'new', relatesTo: related('replaces', 'old') },
    { ...composition, id: 'kept' },
    { ...composition, id: 'appendix', relatesTo: related('appends', 'kept') },
    { ...plan, id: 'former' },
    { ...plan, id: 'next', replaces: [{ reference: 'CarePlan/former' }] },
  );
  expect(await listFindings('replaced-but-current')).toEqual(['former /status', 'old /status']);
  const repaired = JSON.stringify({ ...composition, id: 'new', relatesTo: related('appends', 'old') });
  expect((await folder.send('PUT', '/fhir-r4/v1/Composition/new', repaired)).status).toBe(200);
  await folder.scanRelations();
  expect(await listFindings('replaced-but-current')).toEqual(['former /status']);
  const { groups } = (await folder.send('GET', '/app/quality?text=still current')).json;
  expect(groups).toMatchObject([{ rule: 'store/replaced-but-current', severity: 'warning', records: 1 }]);
});

test('removes the finding that another document took back and keeps its own', async () => {
  const related = (code: string, id: string) => [
    { code, targetReference: { reference: `Composition/${id}` } },
  ];
  await storeRecords(
    { ...composition, id: 'old', relatesTo: related('appends', 'gone') },
    { ...composition, id: 'new', relatesTo: related('replaces', 'old') },
  );
  expect(await listFindings('replaced-but-current')).toEqual(['old /status']);
  const repaired = JSON.stringify({ ...composition, id: 'new', relatesTo: related('appends', 'old') });
  expect((await folder.send('PUT', '/fhir-r4/v1/Composition/new', repaired)).status).toBe(200);
  await folder.scanRelations();
  expect(await listFindings('replaced-but-current')).toEqual([]);
  expect(await listFindings('dangling-reference')).toEqual(['old /relatesTo/0/targetReference']);
});

// A shared store cannot erase yet.
test.skipIf(onSharedStore)(
  'keeps the findings after a restart and removes those of an erased record',
  async () => {
    await storeRecords(
      { ...plan, id: 'one', basedOn: [{ reference: 'CarePlan/two' }] },
      { ...plan, id: 'two' },
    );
    expect(await listFindings('dangling-reference')).toEqual([]);
    const erasure = { type: 'CarePlan', id: 'two', reason: 'Asked for.' };
    expect((await folder.send('POST', '/app/erasures', JSON.stringify(erasure))).status).toBeLessThan(300);
    await folder.stop();
    await folder.start();
    await folder.scanRelations();
    expect(await listFindings('dangling-reference')).toEqual(['one /basedOn/0']);
  },
);

test.skipIf(onSharedStore)('reports a reference to an erased record at once', async () => {
  await storeRecords(
    { ...plan, id: 'one', basedOn: [{ reference: 'CarePlan/two' }] },
    { ...plan, id: 'two' },
  );
  expect(await listFindings('dangling-reference')).toEqual([]);
  const body = JSON.stringify({ type: 'CarePlan', id: 'two', reason: 'It was asked for.' });
  expect((await folder.send('POST', '/app/erasures', body)).status).toBe(201);
  await folder.waitForRelationScan();
  expect(await listFindings('dangling-reference')).toEqual(['one /basedOn/0']);
});

type RelationRule = keyof {
  [Name in RelationName as Name extends `store/${infer Rule}` ? Rule : never]: true;
};

/**
 * Reads the findings of one rule at a record from the worklist, the record's issues and `$validate`: its
 * element and the other records.
 */
async function readFindings(type: string, id: string, rule: RelationRule) {
  const { findings } = (await folder.send('GET', `/app/quality/findings?rule=store/${rule}`)).json;
  const recordIssues = (await folder.send('GET', `/app/quality/records/${type}/${id}`)).json;
  const namesOf = ({ pointer, others: otherRecords = [], moreOthers: moreRecords }: Json) => [
    pointer,
    ...otherRecords.map((otherRecord: Json) => `${otherRecord.id} ${otherRecord.title}`),
    ...(moreRecords ? ['more'] : []),
  ];
  return {
    worklist: findings.filter((finding: Json) => finding.id === id).map(namesOf),
    record: recordIssues.findings.filter((finding: Json) => finding.rule === `store/${rule}`).map(namesOf),
    validated: await validated(type, id, relationRules[`store/${rule}`].text),
  };
}

/** The warnings of this sentence, with the records that they name. */
async function validated(type: string, id: string, sentence: string) {
  const address = `/fhir-r4/v1/${type}/${id}/$validate`;
  const validated = await folder.send('GET', address);
  const posted = await folder.send('POST', address, '{"resourceType":"Parameters"}');
  const operationIssues = [validated, posted].map(({ json }) =>
    json.issue
      .filter(({ code, details }: Json) => code === 'business-rule' && details.text === sentence)
      .map(({ severity, diagnostics, expression }: Json) => [severity, diagnostics, ...expression]),
  );
  expect(operationIssues[1]).toEqual(operationIssues[0]);
  return operationIssues[0];
}

// Row 103 of docs/api-rows.md.
test('names the other records of a finding in worklist, record and $validate', async () => {
  const category = [{ coding: [{ system: 'urn:kinds', code: 'diabetes' }] }];
  const going = (id: string, start: string, end?: string) => ({
    ...plan,
    id,
    title: `Plan ${id}`,
    category,
    period: { start, ...(end && { end }) },
  });
  await storeRecords(
    going('one', '2026-01-01', '2026-03-01'),
    going('two', '2026-02-01', '2026-02-02'),
    going('later', '2026-03-05'),
    { ...going('done', '2026-02-01'), status: 'completed' },
    { ...going('stranger', '2026-02-01'), subject: { reference: 'Patient/q' } },
  );
  expect(await readFindings('CarePlan', 'one', 'overlapping-plans')).toEqual({
    worklist: [['/period', 'two Plan two']],
    record: [['/period', 'two Plan two']],
    validated: [['warning', 'CarePlan/two', 'CarePlan.period']],
  });
  await storeRecords(going('three', '2026-02-01'), going('four', '2026-01-15'), going('five', '2026-02-10'));
  expect(await readFindings('CarePlan', 'one', 'overlapping-plans')).toMatchObject({
    worklist: [['/period', 'five Plan five', 'four Plan four', 'three Plan three', 'more']],
    validated: [['warning', 'CarePlan/five, CarePlan/four, CarePlan/three and others', 'CarePlan.period']],
  });
  expect(await readFindings('CarePlan', 'later', 'overlapping-plans')).toMatchObject({
    record: [['/period', 'five Plan five', 'four Plan four', 'three Plan three']],
  });
});

test('names records with the same identifier and replacing records at each element', async () => {
  const identifier = (value: string) => ({ system: 'urn:s', value });
  await storeRecords(
    { ...plan, id: 'one', identifier: [identifier('1'), identifier('A7'), identifier('B8')] },
    { ...plan, id: 'two', identifier: [identifier('a7')] },
    { ...plan, id: 'three', identifier: [identifier('b8'), identifier('B8')] },
    { ...plan, id: 'wrong', status: 'entered-in-error', identifier: [identifier('A7')] },
    { ...plan, id: 'four', basedOn: [{ reference: 'CarePlan/gone' }] },
    { ...composition, id: 'old', title: 'Old' },
    {
      ...composition,
      id: 'new',
      title: 'New',
      relatesTo: [{ code: 'replaces', targetReference: { reference: 'Composition/old' } }],
    },
    {
      ...composition,
      id: 'appendix',
      relatesTo: [{ code: 'appends', targetReference: { reference: 'Composition/old' } }],
    },
  );
  expect(await readFindings('CarePlan', 'one', 'duplicate-identifier')).toEqual({
    worklist: [
      ['/identifier/1', 'two Care plan'],
      ['/identifier/2', 'three Care plan'],
    ],
    record: [
      ['/identifier/1', 'two Care plan'],
      ['/identifier/2', 'three Care plan'],
    ],
    validated: [
      ['warning', 'CarePlan/two', 'CarePlan.identifier[1]'],
      ['warning', 'CarePlan/three', 'CarePlan.identifier[2]'],
    ],
  });
  expect(await readFindings('Composition', 'old', 'replaced-but-current')).toEqual({
    worklist: [['/status', 'new New']],
    record: [['/status', 'new New']],
    validated: [['warning', 'Composition/new', 'Composition.status']],
  });
  expect(await readFindings('CarePlan', 'four', 'dangling-reference')).toEqual({
    worklist: [['/basedOn/0']],
    record: [['/basedOn/0']],
    validated: [['warning', 'CarePlan/gone', 'CarePlan.basedOn[0]']],
  });
  const validated = await folder.send('POST', '/fhir-r4/v1/CarePlan/one/$validate', JSON.stringify(plan));
  expect(validated.json.issue.map(({ details }: Json) => details.text)).toEqual(['No issue was found.']);
});

test('reports a generated narrative older than its record at the record and in $validate', async () => {
  const narrative = { status: 'generated', div: '<div xmlns="http://www.w3.org/1999/xhtml">Old</div>' };
  await storeRecords({ ...plan, id: 'one', text: narrative });
  const changedPlan = JSON.stringify({ ...plan, id: 'one', text: narrative, description: 'New' });
  expect((await folder.send('PUT', '/fhir-r4/v1/CarePlan/one', changedPlan)).status).toBe(200);
  const recordIssues = (await folder.send('GET', '/app/quality/records/CarePlan/one')).json;
  expect(recordIssues).toMatchObject({
    version: 2,
    findings: [{ rule: 'narrative-stale', pointer: '/text' }],
  });
  expect(await validated('CarePlan', 'one', ruleOf('narrative-stale').text)).toEqual([
    ['warning', undefined, 'CarePlan.text'],
  ]);
  expect((await folder.send('GET', '/app/quality/records/CarePlan/none')).status).toBe(404);
});

test('waits after a long pass from its end, and not after one long ago', () => {
  expect(untilNext({ took: 500, endedAtMs: 0 }, 2000)).toBe(8000);
  expect(untilNext({ took: 500, endedAtMs: 0 }, 60_000)).toBe(1000);
  expect(untilNext({ took: 5, endedAtMs: 0 }, 50)).toBe(1000);
});
