import { afterEach, beforeEach, expect, test } from 'vitest';
import { untilNext } from './relations.ts';
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
  ...{ resourceType: 'Composition', status: 'final', type: { text: 'Letter' }, subject, date: '2026-01-01' },
  ...{
    author: [{ display: 'Ward 3' }],
    title: 'Letter',
    section: [{ title: 'One', text: { status: 'generated' } }],
  },
};

/** Stores records as they are, with their ids. */
async function stored(...records: readonly object[]): Promise<void> {
  const body = records.map((record) => JSON.stringify(record)).join('\n');
  const type = { 'Content-Type': 'application/x-ndjson' };
  const { text } = await folder.send('POST', '/app/import?level=off&keepIds=true', body, type);
  expect(text).toContain(`"stored":${records.length}`);
  await folder.related();
}

/** What is found of a rule: ids with their pointers, in their order. */
async function found(rule: string): Promise<string[]> {
  const { findings } = (await folder.send('GET', `/app/quality/findings?rule=store/${rule}`)).json;
  return findings.map(({ id, pointer }: Json) => `${id} ${pointer}`).sort();
}

test('a reference to a record of the same type that is not there is found, until it is', async () => {
  await stored(
    {
      ...{ ...plan, id: 'one', basedOn: [{ reference: 'CarePlan/two' }, { reference: 'CarePlan/three' }] },
      ...{
        partOf: [{ reference: 'http://elsewhere.example/CarePlan/four' }, { reference: 'urn:uuid:five' }],
      },
      ...{ replaces: [{ reference: '#six' }, { identifier: { value: 'seven' } }] },
    },
    { ...plan, id: 'two' },
    {
      ...{ ...composition, id: 'letter' },
      relatesTo: [{ code: 'appends', targetReference: { reference: 'Composition/gone' } }],
    },
  );
  expect(await found('dangling-reference')).toEqual([
    'letter /relatesTo/0/targetReference',
    ...['one /basedOn/1', 'one /partOf/1'],
  ]);
  await stored({ ...plan, id: 'three' }, { ...plan, id: 'five' });
  expect(await found('dangling-reference')).toEqual(['letter /relatesTo/0/targetReference']);
  await folder.stop();
  expect(await folder.damage()).toEqual([]);
});

test('an identifier that two records of a type have is found at both; a text without a system is no identity', async () => {
  const identifier = (value: string, system?: string) => ({ ...(system && { system }), value });
  await stored(
    { ...plan, id: 'one', identifier: [identifier('1'), identifier('A7', 'urn:s')] },
    { ...plan, id: 'two', identifier: [identifier('1'), identifier('a7', 'urn:s')] },
    { ...plan, id: 'three', identifier: [identifier('A7', 'urn:other')] },
    { ...plan, id: 'wrong', status: 'entered-in-error', identifier: [identifier('A8', 'urn:s')] },
    { ...plan, id: 'four', identifier: [identifier('A8', 'urn:s')] },
    { ...composition, id: 'letter', identifier: identifier('A7', 'urn:s') },
  );
  expect(await found('duplicate-identifier')).toEqual(['one /identifier/1', 'two /identifier/1']);
});

test('active plans of one kind for one patient at the same time are found', async () => {
  const kind = (...codes: string[]) => [{ coding: codes.map((code) => ({ system: 'urn:kinds', code })) }];
  const going = (id: string, start: string, end: string | undefined, more: object = {}) => ({
    ...{ ...plan, id, category: kind('assess-plan', 'diabetes') },
    ...{ period: { start, ...(end && { end }) }, ...more },
  });
  await stored(
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
  expect(await found('overlapping-plans')).toEqual(['one /period', 'two /period']);
});

test('a document that another replaces, and a plan, is found while it is still current', async () => {
  const related = (code: string, id: string) => [
    { code, targetReference: { reference: `Composition/${id}` } },
  ];
  await stored(
    { ...composition, id: 'old' },
    { ...composition, id: 'new', relatesTo: related('replaces', 'old') },
    { ...composition, id: 'kept' },
    { ...composition, id: 'appendix', relatesTo: related('appends', 'kept') },
    { ...plan, id: 'former' },
    { ...plan, id: 'next', replaces: [{ reference: 'CarePlan/former' }] },
  );
  expect(await found('replaced-but-current')).toEqual(['former /status', 'old /status']);
  const mended = JSON.stringify({ ...composition, id: 'new', relatesTo: related('appends', 'old') });
  expect((await folder.send('PUT', '/fhir-r4/v1/Composition/new', mended)).status).toBe(200);
  await folder.related();
  expect(await found('replaced-but-current')).toEqual(['former /status']);
  const { groups } = (await folder.send('GET', '/app/quality?text=still current')).json;
  expect(groups).toMatchObject([{ rule: 'store/replaced-but-current', severity: 'warning', records: 1 }]);
});

test('a document with a finding of its own loses the one that another took back', async () => {
  const related = (code: string, id: string) => [
    { code, targetReference: { reference: `Composition/${id}` } },
  ];
  await stored(
    { ...composition, id: 'old', relatesTo: related('appends', 'gone') },
    { ...composition, id: 'new', relatesTo: related('replaces', 'old') },
  );
  expect(await found('replaced-but-current')).toEqual(['old /status']);
  const mended = JSON.stringify({ ...composition, id: 'new', relatesTo: related('appends', 'old') });
  expect((await folder.send('PUT', '/fhir-r4/v1/Composition/new', mended)).status).toBe(200);
  await folder.related();
  expect(await found('replaced-but-current')).toEqual([]);
  expect(await found('dangling-reference')).toEqual(['old /relatesTo/0/targetReference']);
});

// A shared store erases nothing yet.
test.skipIf(onSharedStore)('what is found follows a restart, and a record that is erased', async () => {
  await stored({ ...plan, id: 'one', basedOn: [{ reference: 'CarePlan/two' }] }, { ...plan, id: 'two' });
  expect(await found('dangling-reference')).toEqual([]);
  const erased = { type: 'CarePlan', id: 'two', reason: 'Asked for.' };
  expect((await folder.send('POST', '/app/erasures', JSON.stringify(erased))).status).toBeLessThan(300);
  await folder.stop();
  await folder.start();
  await folder.related();
  expect(await found('dangling-reference')).toEqual(['one /basedOn/0']);
});

test.skipIf(onSharedStore)('what refers to an erased record is found at once', async () => {
  await stored({ ...plan, id: 'one', basedOn: [{ reference: 'CarePlan/two' }] }, { ...plan, id: 'two' });
  expect(await found('dangling-reference')).toEqual([]);
  const body = JSON.stringify({ type: 'CarePlan', id: 'two', reason: 'It was asked for.' });
  expect((await folder.send('POST', '/app/erasures', body)).status).toBe(201);
  await folder.looked();
  expect(await found('dangling-reference')).toEqual(['one /basedOn/0']);
});

test('a look that took long is rested from since it ended, and one that is long over is not', () => {
  expect(untilNext({ took: 500, ended: 0 }, 2000)).toBe(8000);
  expect(untilNext({ took: 500, ended: 0 }, 60_000)).toBe(1000);
  expect(untilNext({ took: 5, ended: 0 }, 50)).toBe(1000);
});
