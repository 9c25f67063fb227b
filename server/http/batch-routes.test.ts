/** Import batches over HTTP: listed with their lines, filtered by, compared and undone as a whole. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pathOf } from '../../core/api/contract.ts';
import {
  BatchComparison,
  BatchLines,
  ImportBatchDetail,
  ImportBatches,
  RemovedHistory,
  UndoResult,
} from '../../core/app/batches.ts';
import { matchesSchema } from '../../core/json/shape.ts';
import { startTestServer, type Json, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

const fhir = 'https://ward.example/fhir';
const plan = (id: string, title: string, patient = `p-${id}`) =>
  `{"resourceType":"CarePlan","id":"${id}","status":"active","intent":"plan","title":"${title}","subject":{"reference":"Patient/${patient}"}}`;
const patient = (id: string, name = 'Ada') =>
  `{"resourceType":"Patient","id":"${id}","name":[{"given":["${name}"]}]}`;
const bundle = (...resources: readonly string[]) =>
  `{"resourceType":"Bundle","type":"collection","entry":[${resources
    .map((resource) => {
      const { resourceType, id } = JSON.parse(resource) as { resourceType: string; id: string };
      return `{"fullUrl":"${fhir}/${resourceType}/${id}","resource":${resource}}`;
    })
    .join(',')}]}`;

/** Imports a body and returns the id of its batch. */
async function importBatch(body: string, query = 'keepIds=true'): Promise<string> {
  const { text, status } = await server.send('POST', `/app/import?${query}`, body, {
    'Content-Type': 'application/json',
  });
  expect(status).toBe(200);
  const { batch } = JSON.parse(text.trim().split('\n').at(-1) ?? '') as { batch: string };
  return batch;
}

async function get(path: string, schema: Parameters<typeof matchesSchema>[0]): Promise<Json> {
  const { json, status } = await server.send('GET', path);
  expect(status).toBe(200);
  expect(matchesSchema(schema, json)).toBe(true);
  return json;
}

async function undo(batch: string, body: object): Promise<Json> {
  const { json, status } = await server.send('POST', `/app/batches/${batch}/undo`, JSON.stringify(body));
  expect(status).toBe(200);
  expect(matchesSchema(UndoResult, json)).toBe(true);
  return json;
}

const read = (id: string) => server.send('GET', pathOf('CarePlan', id));
const change = (id: string, title: string) => server.send('PUT', pathOf('CarePlan', id), plan(id, title));
const readPatient = async (id: string) => {
  const { status, text } = await server.send('GET', `/app/companions/Patient/${id}`);
  return status === 200 ? text : status;
};

const nothing = {
  removed: 0,
  restored: 0,
  changed: 0,
  changedRecords: [],
  resourcesRemoved: 0,
  resourcesRestored: 0,
  resourcesKept: 0,
};

test('lists a batch with its counts, its lines and the state of its records', async () => {
  const body = bundle(plan('l-1', 'One'), patient('p-l-1'), plan('l-2', 'Two').replace('"active"', '"odd"'));
  const id = await importBatch(body, 'keepIds=true&name=ward-7.json');
  const counts = { stored: 1, unchanged: 0, refused: 1, skipped: 0, kept: 1, replaced: 0 };
  const batch = { id, name: 'ward-7.json', form: 'http', state: 'done', counts };
  expect((await get('/app/batches?count=1', ImportBatches)).batches).toMatchObject([batch]);
  const records = { asImported: 1, changed: 0, removed: 0, withIssues: 0 };
  expect(await get(`/app/batches/${id}`, ImportBatchDetail)).toMatchObject({ ...batch, records });
  const { lines } = await get(`/app/batches/${id}/lines`, BatchLines);
  const byPlace = [...(lines as { place: number }[])].sort((left, right) => left.place - right.place);
  expect(byPlace).toMatchObject([
    { place: 1, result: 'stored', record: 'CarePlan/l-1' },
    { place: 2, result: 'kept', record: 'Patient/p-l-1' },
    { place: 3, result: 'refused', messageCode: 'schema-code' },
  ]);
  const page = await get(`/app/batches/${id}/lines?count=2`, BatchLines);
  const rest = await get(`/app/batches/${id}/lines?after=${page.next}`, BatchLines);
  expect([...page.lines, ...rest.lines]).toEqual(lines);
  expect((await get(`/app/batches/${id}/lines?result=refused`, BatchLines)).lines).toHaveLength(1);
  await change('l-1', 'Changed');
  expect(await get(`/app/batches/${id}`, ImportBatchDetail)).toMatchObject({
    records: { asImported: 0, changed: 1 },
  });
});

test('pages through the list of batches, latest first', async () => {
  const ids = [];
  for (let index = 0; index < 3; index += 1) ids.push(await importBatch(plan(`page-${index}`, 'Page')));
  const first = await get('/app/batches?count=2', ImportBatches);
  const second = await get(`/app/batches?count=1&after=${first.next}`, ImportBatches);
  const listed = [...first.batches, ...second.batches].map(({ id }: Json) => id as string);
  expect(new Set(listed)).toEqual(new Set(ids));
});

test('joins the requests of one import, which counts as stopped until the last one', async () => {
  const batch = randomUUID();
  const query = (more: string) => `keepIds=true&batch=${batch}&form=page&name=Folder${more}`;
  await importBatch(plan('j-1', 'One'), query('&more=true'));
  expect(await get(`/app/batches/${batch}`, ImportBatchDetail)).toMatchObject({
    state: 'stopped',
    form: 'page',
  });
  const unread = { lines: [{ result: 'skipped', file: 'a.pdf', reason: 'Not FHIR.' }] };
  await server.send('POST', `/app/batches/${batch}/lines`, JSON.stringify(unread));
  await importBatch(plan('j-2', 'Two'), query(''));
  expect(await get(`/app/batches/${batch}`, ImportBatchDetail)).toMatchObject({
    state: 'done',
    counts: { stored: 2, skipped: 1 },
  });
});

test('creates no batch in a dry run', async () => {
  const before = (await get('/app/batches?count=1000', ImportBatches)).batches.length;
  await server.send('POST', '/app/import?dryRun=true', plan('dry', 'Dry'), {
    'Content-Type': 'application/json',
  });
  expect((await get('/app/batches?count=1000', ImportBatches)).batches).toHaveLength(before);
});

test('finds the records and the issues of a batch', async () => {
  const flagged = plan('f-1', 'One').replace('"active"', '"odd"');
  const id = await importBatch(bundle(flagged, plan('f-2', 'Two')), 'keepIds=true&level=off');
  await importBatch(bundle(plan('f-3', 'Three').replace('"active"', '"odd"')), 'keepIds=true&level=off');
  const { json } = await server.send('GET', `${pathOf('CarePlan')}?import-batch=${id}&_sort=_id`);
  expect(json.entry.map(({ resource }: Json) => resource.id)).toEqual(['f-1', 'f-2']);
  const { json: active } = await server.send('GET', `${pathOf('CarePlan')}?import-batch=${id}&status=active`);
  expect(active.entry.map(({ resource }: Json) => resource.id)).toEqual(['f-2']);
  expect((await server.send('GET', `${pathOf('CarePlan')}?import-batch=none`)).status).toBe(400);
  const { json: worklist } = await server.send('GET', `/app/quality/findings?batch=${id}`);
  expect(new Set(worklist.findings.map((finding: Json) => finding.id))).toEqual(new Set(['f-1']));
  expect((await server.send('GET', '/app/quality/findings?batch=none')).status).toBe(400);
});

test('compares two batches by the addresses of their records', async () => {
  const first = await importBatch(bundle(plan('c-1', 'Same'), plan('c-2', 'Old'), plan('c-3', 'Gone')), '');
  const second = await importBatch(bundle(plan('c-1', 'Same'), plan('c-2', 'Other'), plan('c-4', 'New')), '');
  const { counts, records } = await get(`/app/batches/${second}/compared?with=${first}`, BatchComparison);
  expect(counts).toEqual({ new: 1, gone: 1, different: 1, same: 1 });
  expect(records).toMatchObject([
    { kind: 'different', address: `${fhir}/CarePlan/c-2` },
    { kind: 'gone', address: `${fhir}/CarePlan/c-3` },
    { kind: 'new', address: `${fhir}/CarePlan/c-4` },
  ]);
  const onlyNew = await get(
    `/app/batches/${second}/compared?with=${first}&kind=new&count=1`,
    BatchComparison,
  );
  expect(onlyNew.records).toHaveLength(1);
  expect((await server.send('GET', `/app/batches/${second}/compared?with=${randomUUID()}`)).status).toBe(404);
});

describe('an undo', () => {
  test('removes new records and what only they refer to, and leaves what changed since', async () => {
    const id = await importBatch(
      bundle(plan('u-1', 'One'), patient('p-u-1'), plan('u-2', 'Two'), patient('p-u-2'), patient('p-other')),
    );
    await importBatch(plan('u-3', 'Three', 'p-other'));
    await change('u-2', 'Changed');
    const expected = {
      ...nothing,
      removed: 1,
      changed: 1,
      changedRecords: [{ type: 'CarePlan', id: 'u-2', version: 2 }],
      resourcesRemoved: 1,
      resourcesKept: 2,
    };
    expect(await undo(id, { dryRun: true })).toEqual(expected);
    expect((await read('u-1')).status).toBe(200);
    expect(await undo(id, { reason: 'The wrong ward.' })).toEqual(expected);
    const gone = await read('u-1');
    expect([gone.status, gone.json.issue[0].code, gone.headers.get('etag')]).toEqual([410, 'deleted', null]);
    expect((await read('u-2')).json.title).toBe('Changed');
    expect([await readPatient('p-u-1'), await readPatient('p-u-2'), await readPatient('p-other')]).toEqual([
      404,
      patient('p-u-2'),
      patient('p-other'),
    ]);
    expect(await get(`/app/batches/${id}`, ImportBatchDetail)).toMatchObject({
      state: 'undone',
      undone: { reason: 'The wrong ward.' },
      records: { changed: 1, removed: 1 },
    });
    const { json: audit } = await server.send('GET', '/app/audit?action=delete');
    expect(audit.entries.map(({ what }: Json) => what)).toEqual(
      expect.arrayContaining([pathOf('CarePlan', 'u-1'), '/app/companions/Patient/p-u-1']),
    );
    expect((await server.send('POST', `/app/batches/${id}/undo`, '{}')).status).toBe(422);
  });

  // Row 104 of docs/api-rows.md.
  test('answers 410 on every address of a removed record and keeps its history for the audit', async () => {
    const id = await importBatch(plan('gone', 'Zebrafinch'));
    const find = async () =>
      (await server.send('GET', '/app/find?q=zebrafinch')).json.records.length as number;
    expect(await find()).toBe(1);
    await undo(id, { reason: 'Wrong.' });
    expect(await find()).toBe(0);
    const path = pathOf('CarePlan', 'gone');
    for (const [method, address, body] of [
      ['GET', path],
      ['GET', `${path}/_history`],
      ['GET', `${path}/_history/1`],
      ['PUT', path, plan('gone', 'Again')],
      ['GET', '/app/history/CarePlan/gone'],
    ] as const)
      expect([address, (await server.send(method, address, body)).status]).toEqual([address, 410]);
    const patch = await server.send('PATCH', path, '[{"op":"replace","path":"/title","value":"x"}]', {
      'Content-Type': 'application/json-patch+json',
    });
    expect(patch.status).toBe(410);
    const { json } = await server.send('GET', `${pathOf('CarePlan')}?_id=gone`);
    expect(json.total).toBe(0);
    const removed = await get('/app/removed/CarePlan/gone', RemovedHistory);
    expect(removed).toMatchObject({
      version: 1,
      reason: 'Wrong.',
      versions: [{ version: 1, operation: 'import' }],
    });
    expect(JSON.parse(removed.versions[0].text)).toMatchObject({ title: 'Zebrafinch' });
    expect((await server.send('GET', '/app/removed/CarePlan/never')).status).toBe(404);

    const again = await importBatch(plan('gone', 'Again'));
    expect((await read('gone')).json.meta.versionId).toBe('2');
    const { json: history } = await server.send('GET', `${path}/_history`);
    expect(history.total).toBe(2);
    expect((await undo(again, {})).removed).toBe(1);
    expect((await read('gone')).status).toBe(410);
  });

  test('puts back the text of a related resource that the batch replaced', async () => {
    await importBatch(bundle(plan('r-1', 'One', 'p-r'), patient('p-r', 'Former')));
    const id = await importBatch(bundle(plan('r-2', 'Two', 'p-r'), patient('p-r', 'Later')));
    expect(await undo(id, {})).toEqual({ ...nothing, removed: 1, resourcesRestored: 1 });
    expect(await readPatient('p-r')).toBe(patient('p-r', 'Former'));
  });

  test('keeps what a related resource refers to that stays', async () => {
    const encounter =
      '{"resourceType":"Encounter","id":"e-k","subject":{"reference":"Patient/p-k"},"serviceProvider":{"reference":"Organization/o-k"}}';
    const organization = '{"resourceType":"Organization","id":"o-k"}';
    const ofEncounter = plan('k-1', 'One', 'p-k').replace(
      '}}',
      '},"encounter":{"reference":"Encounter/e-k"}}',
    );
    const id = await importBatch(bundle(ofEncounter, patient('p-k'), encounter, organization));
    await server.send(
      'PUT',
      pathOf('CarePlan', 'k-1'),
      ofEncounter.replace('One', 'Changed').replace('p-k', 'p-else'),
    );
    expect(await undo(id, { dryRun: true })).toEqual({
      ...nothing,
      changed: 1,
      changedRecords: [{ type: 'CarePlan', id: 'k-1', version: 2 }],
      resourcesKept: 3,
    });
  });

  test('is refused while the import has not ended, and no request continues an undone batch', async () => {
    const batch = randomUUID();
    await importBatch(plan('x-1', 'One'), `keepIds=true&batch=${batch}`);
    await undo(batch, {});
    const answer = await server.send('POST', `/app/import?keepIds=true&batch=${batch}`, plan('x-2', 'Two'), {
      'Content-Type': 'application/json',
    });
    expect(answer.status).toBe(422);
    expect((await read('x-2')).status).toBe(404);
  });
});
