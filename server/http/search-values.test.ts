import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
const root = '/fhir-r4/v1';

beforeAll(async () => {
  server = await startTestServer();
  const send = (record: object) =>
    server.send('POST', `${root}/${String(Reflect.get(record, 'resourceType'))}`, JSON.stringify(record));
  const plan = {
    resourceType: 'CarePlan',
    status: 'active',
    intent: 'plan',
    subject: { reference: 'Patient/p' },
  };
  const march = { start: '2026-03-01', end: '2026-03-31' };
  await send({ ...plan, period: march, identifier: [{ system: 'urn:s', value: 'One,1' }, { value: 'two' }] });
  await send({ ...plan, period: { start: '2026-03-15T10:00:00Z' }, status: 'completed', intent: 'order' });
  await send({
    ...plan,
    period: { end: '2025-12' },
    category: [{ coding: [{ system: 'http://s', code: 'C' }] }],
  });
  await send({ ...plan, category: [{ text: 'Élan vital', coding: [{ code: 'C', display: 'Drive' }] }] });
  const note = { resourceType: 'Composition', status: 'final', subject: { reference: 'Patient/p' } };
  const createReference = (reference: string) => [{ reference }];
  await send({
    ...note,
    type: { coding: [{ system: 'http://loinc.org', code: '1-8' }] },
    title: 'Überweisung 50%',
    date: '2026-03-01T10:30:00+02:00',
    author: createReference('Practitioner/a'),
  });
  await send({
    ...note,
    type: { text: 'Letter' },
    title: 'uber alles',
    date: '2026-03',
    author: createReference('Organization/a'),
  });
});
afterAll(() => server.remove());

test.each([
  // Dates (FHIR R4 search.html#prefix). The plans have: March, from 15 March, until the end of 2025, no
  // period.
  ['date=2026-03', 1],
  ['date=eq2026', 1],
  ['date=2026-03-10', 0],
  ['date=ne2026', 2],
  ['date=gt2026-03-31', 1],
  ['date=ge2026-03-31', 2],
  ['date=gt2026-03-20', 2],
  ['date=lt2026', 1],
  ['date=le2026-03-01', 2],
  ['date=lt2026-03-15T10:00:00Z', 2],
  ['date=le2026-03-15T10:00:00Z', 3],
  ['date=ge2026-01&date=le2026-03-10', 1],
  ['date=lt2026,gt2026-06', 2],
  ['date:missing=true', 1],
  ['date:missing=false', 3],
  ['_lastUpdated=gt2020', 4],
  ['_lastUpdated=sa2020', 4],
  ['_lastUpdated=eb2020', 0],
  ['_lastUpdated=lt2020', 0],
  ['_lastUpdated=ne2020', 4],
  ['_lastUpdated=ge9999', 0],
  ['_lastUpdated=le9999', 4],
  // Tokens: FHIR R4 search.html#token.
  ['status=active', 3],
  ['status=ACTIVE', 3],
  ['status=active,completed', 4],
  ['status=active&status=completed', 0],
  ['status:not=active', 1],
  ['status=http://hl7.org/fhir/request-status|active', 3],
  ['status=http://elsewhere|active', 0],
  ['status=|active', 3],
  ['intent=order', 1],
  ['identifier=two', 1],
  ['identifier=|two', 1],
  ['identifier=urn:s|two', 0],
  ['identifier=urn:s|One\\,1', 1],
  ['identifier=urn:s|', 1],
  ['identifier:missing=true', 3],
  ['category=c', 2],
  ['category=|C', 1],
  ['category=http://s|C', 1],
  ['category=http://s|', 1],
  ['category:not=C', 2],
  ['category:text=elan', 1],
  ['category:text=drive', 1],
  ['category:text=vital', 0],
])('CarePlan %s finds %i', async (query, expected) => {
  const answer = await server.send('GET', `${root}/CarePlan?subject=p&${encodeURI(query)}`);
  expect(answer.json.total).toBe(expected);
});

test.each([
  ['type=1-8', 1],
  ['type=http://loinc.org|1-8', 1],
  ['type:text=let', 1],
  ['title=uber', 2],
  ['title=ÜBER', 2],
  ['title=ber', 0],
  ['title=%25', 0],
  ['title=_ber', 0],
  ['title:contains=EISUNG', 1],
  ['title:contains=50%25', 1],
  ['title:exact=uber alles', 1],
  ['title:exact=Uber alles', 0],
  ['title:missing=true', 0],
  ['author=a', 2],
  ['author=Practitioner/a', 1],
  ['author:Organization=a', 1],
  ['date=2026-03-01T08:30:00Z', 1],
  ['date=2026-03-01T10:30:00%2B02:00', 1],
  ['date=2026-03-01', 1],
  ['date=2026-03', 2],
  ['date=ge2026-03-20', 1],
  ['_id=x,y', 0],
])('Composition %s finds %i', async (query, expected) => {
  const answer = await server.send('GET', `${root}/Composition?${query.replaceAll(' ', '%20')}`);
  expect(answer.json.total).toBe(expected);
});

test('returns parts with _summary and _elements, tagged SUBSETTED, with exact digits', async () => {
  const body =
    '{"resourceType":"CarePlan","status":"active","intent":"plan","subject":{"reference":"Patient/part"},' +
    '"title":"T","activity":[{"x":1.00}]}';
  await server.send('POST', `${root}/CarePlan`, body);
  const part = async (query: string) => server.send('GET', `${root}/CarePlan?subject=part&${query}`);
  const activity = await part('_elements=activity');
  expect(activity.text).toContain('"activity":[{"x":1.00}]');
  expect(activity.json.entry[0].resource.title).toBeUndefined();
  expect(activity.json.entry[0].resource.meta.tag[0].code).toBe('SUBSETTED');
  expect((await part('_summary=true')).json.entry[0].resource).toMatchObject({
    title: 'T',
    status: 'active',
  });
  expect((await part('_summary=false')).text).not.toContain('SUBSETTED');
  const pretty = await part('_pretty=true');
  expect(pretty.text).toContain('\n');
  expect(pretty.text).toContain('"x": 1.00');
});
