import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { carePlan, composition, startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.remove());

const lines = { 'Content-Type': 'application/x-ndjson' };
const withId = (id: string, text: string) => text.replace('{', `{"id":"${id}",`);

async function sendImport(query: string, body: string, headers: Record<string, string> = lines) {
  const { status, text } = await server.send('POST', `/app/import${query}`, body, headers);
  const report = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { status, report };
}

async function total(): Promise<number> {
  const { counts } = (await server.send('GET', '/app/overview')).json;
  return Number(counts.CarePlan) + Number(counts.Composition);
}

describe('POST /app/import', () => {
  test('NDJSON: a line for each record, the counts last', async () => {
    const body = [
      carePlan('Patient/a'),
      '',
      'no JSON',
      '{"resourceType":"OperationOutcome"}',
      composition('Patient/a'),
    ].join('\n');
    const { status, report } = await sendImport('', body);
    expect(status).toBe(200);
    const [{ span }, first] = [report.at(-1) ?? {}, report[0] ?? {}];
    expect(report).toEqual([
      { place: 1, result: 'stored', record: expect.stringMatching(/^CarePlan\/./) },
      { place: 3, result: 'refused', reason: expect.stringContaining('line 1, column 1') },
      { place: 4, result: 'skipped', reason: 'OperationOutcome' },
      { place: 5, result: 'stored', record: expect.stringMatching(/^Composition\/./), issues: 2 },
      {
        done: { stored: 2, unchanged: 0, refused: 1, skipped: 1, kept: 0, replaced: 0 },
        span: { first: expect.any(String), last: expect.any(String) },
      },
    ]);
    expect(await total()).toBe(2);
    // What was stored is found by what is told of it.
    const { first: from, last } = span as { first: string; last: string };
    const found = `CarePlan?_lastUpdated=ge${from}&_lastUpdated=le${last}`;
    const { entry } = (await server.send('GET', `/fhir-r4/v1/${found}`)).json;
    expect(entry.map(({ resource: { id } }: { resource: { id: string } }) => `CarePlan/${id}`)).toEqual([
      first.record,
    ]);
  });

  test('a Bundle and a record alone', async () => {
    const entries = [carePlan('Patient/a'), composition('Patient/a')].map((one) => `{"resource":${one}}`);
    const bundle = `{"resourceType":"Bundle","type":"collection","entry":[${entries.join(',')}]}`;
    const json = { 'Content-Type': 'application/json' };
    expect((await sendImport('', bundle, json)).report.at(-1)).toMatchObject({ done: { stored: 2 } });
    expect((await sendImport('', carePlan('Patient/b'), json)).report[0]).toMatchObject({ result: 'stored' });
    const cut = await sendImport('', bundle.slice(0, -4), json);
    expect(cut.report.at(-2)).toMatchObject({
      result: 'refused',
      reason: 'The text ends before the Bundle does.',
    });
  });

  test('a dry run says the same and stores nothing', async () => {
    const body = `${withId('x', carePlan('Patient/a'))}\nno JSON`;
    const dry = await sendImport('?dryRun=true&keepIds=true', body);
    expect(await total()).toBe(0);
    const real = await sendImport('?keepIds=true', body);
    expect(real.report).toMatchObject(dry.report);
    expect(dry.report.at(-1)).not.toHaveProperty('span');
    expect((await sendImport('?dryRun=true&keepIds=true', body)).report[0]).toEqual({
      place: 1,
      result: 'unchanged',
      record: 'CarePlan/x',
    });
  });

  test('level off brings dirty records in, to be mended one fault at a time', async () => {
    const dirty = withId('dirty', carePlan('Patient/a', ',"period":{"start":"2026-02-30"},"description":7'));
    expect((await sendImport('?keepIds=true', dirty)).report[0]).toMatchObject({ result: 'refused' });
    expect((await sendImport('?keepIds=true&level=off', dirty)).report[0]).toEqual({
      place: 1,
      result: 'stored',
      record: 'CarePlan/dirty',
      issues: 2,
    });
    const patch = '[{"op":"replace","path":"/description","value":"seven"}]';
    expect((await server.send('PATCH', '/fhir-r4/v1/CarePlan/dirty', patch)).status).toBe(200);
    const worse = '[{"op":"replace","path":"/status","value":"nonsense"}]';
    expect((await server.send('PATCH', '/fhir-r4/v1/CarePlan/dirty', worse)).status).toBe(422);
  });

  test('an unknown setting is 400, another media type 415, and neither reads the body', async () => {
    expect((await server.send('POST', '/app/import?colour=red', 'x', lines)).status).toBe(400);
    expect((await server.send('POST', '/app/import', 'x', { 'Content-Type': 'text/csv' })).status).toBe(415);
  });

  test('a client that goes away stops the import', async () => {
    const { hostname, port } = new URL(server.origin);
    const headers = { ...lines, Authorization: `Bearer ${server.token}` };
    const sending = request({ hostname, port, path: '/app/import', method: 'POST', headers });
    sending.on('error', () => undefined);
    sending.write(`${carePlan('Patient/a')}\n${carePlan('Patient/a').slice(0, 20)}`);
    await expect.poll(total).toBe(1);
    sending.destroy();
    expect((await server.send('GET', '/fhir-r4/v1/CarePlan?subject=a')).json.total).toBe(1);
  });
});

describe('GET /app/export', () => {
  test('every record once with its digits, filtered by type and search', async () => {
    const bodies = Array.from({ length: 450 }, (_, index) =>
      carePlan(`Patient/${index % 2}`, `,"x-${index}":1.00`),
    );
    await sendImport('', [...bodies, composition('Patient/0')].join('\n'));
    const read = async (query: string) => {
      const { text } = await server.send('GET', `/app/export${query}`);
      return text === '' ? [] : text.trim().split('\n');
    };
    const all = await read('');
    expect(all).toHaveLength(451);
    expect(new Set(all).size).toBe(451);
    expect(all.filter((line) => line.includes(':1.00}'))).toHaveLength(450);
    expect(await read('?type=Composition')).toHaveLength(1);
    expect(await read('?type=CarePlan&subject=1')).toHaveLength(225);
    expect((await server.send('GET', '/app/export?type=Patient')).status).toBe(400);
  });

  test('an export imports again as it was', async () => {
    await sendImport('', `${carePlan('Patient/a', ',"x":1.00')}\n${composition('Patient/a')}`);
    const { text } = await server.send('GET', '/app/export');
    expect((await sendImport('?keepIds=true', text)).report.at(-1)).toMatchObject({ done: { unchanged: 2 } });
  });
});
