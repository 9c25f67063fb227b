import { BlobWriter, TextReader, ZipWriter } from '@zip.js/zip.js/lib/zip-core-native.js';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
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

const planXml =
  '<CarePlan xmlns="http://hl7.org/fhir"><status value="active"/><intent value="plan"/><subject><reference value="Patient/x"/></subject></CarePlan>';

/** Sends an import over an agent. Returns the text and the port of the client, which names the connection. */
async function sendOver(agent: Agent, body: string | Buffer, type = 'application/json') {
  const { hostname, port } = new URL(server.origin);
  const headers = { Authorization: `Bearer ${server.token}`, 'Content-Type': type };
  const sentRequest = request({ agent, hostname, port, path: '/app/import', method: 'POST', headers });
  const responded = once(sentRequest, 'response') as Promise<[IncomingMessage]>;
  sentRequest.end(body);
  const [response] = await responded;
  const { localPort } = response.socket;
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
  return { port: localPort, text };
}

async function total(): Promise<number> {
  const { counts } = (await server.send('GET', '/app/overview')).json;
  return Number(counts.CarePlan) + Number(counts.Composition);
}

describe('POST /app/import', () => {
  test('reports one line per NDJSON record and the counts last', async () => {
    const body = [
      carePlan('Patient/a'),
      '',
      'no JSON',
      '{"resourceType":"OperationOutcome"}',
      composition('Patient/a'),
    ].join('\n');
    const { status, report } = await sendImport('', body);
    expect(status).toBe(200);
    const [{ span }, firstLine] = [report.at(-1) ?? {}, report[0] ?? {}];
    expect(report).toMatchObject([
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
    // The reported time span finds the stored records.
    const { first: from, last: until } = span as Record<'first' | 'last', string>;
    const search = `CarePlan?_lastUpdated=ge${from}&_lastUpdated=le${until}`;
    const { entry } = (await server.send('GET', `/fhir-r4/v1/${search}`)).json;
    expect(entry.map(({ resource: { id } }: { resource: { id: string } }) => `CarePlan/${id}`)).toEqual([
      firstLine.record,
    ]);
  });

  test('imports a Bundle and a single record', async () => {
    const entries = [carePlan('Patient/a'), composition('Patient/a')].map((text) => `{"resource":${text}}`);
    const bundle = `{"resourceType":"Bundle","type":"collection","entry":[${entries.join(',')}]}`;
    const json = { 'Content-Type': 'application/json' };
    expect((await sendImport('', bundle, json)).report.at(-1)).toMatchObject({ done: { stored: 2 } });
    expect((await sendImport('', carePlan('Patient/b'), json)).report[0]).toMatchObject({ result: 'stored' });
    const cut = await sendImport('', bundle.slice(0, -4), json);
    expect(cut.report.at(-2)).toMatchObject({
      result: 'refused',
      messageCode: 'import.cutOff',
    });
  });

  test('reads a large body to its end, and the connection answers the next request', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const filler = 'x'.repeat(300_000);
    const ports = new Set<unknown>();
    const bodies = [
      `no JSON ${filler}`,
      `{"entry":[{"resource":{"a":"${filler}"}}] ${filler}`,
      `{"resourceType":"Bundle","entry":[{"resource":{"resourceType":"Binary","data":"${filler.repeat(20)}"}}]}`,
    ];
    for (const body of bodies) {
      const { port, text } = await sendOver(agent, body);
      ports.add(port);
      expect(text).toMatch(/"done":{"stored":0,"unchanged":0,"refused":[12],/);
    }
    expect(ports.size).toBe(1);
  });

  test.each([
    ['application/fhir+xml', () => Buffer.from(planXml)],
    ['application/gzip', () => gzipSync(planXml)],
  ])('imports %s', async (type, body) => {
    const { text } = await sendOver(new Agent(), body(), type);
    expect(text).toMatch(/^\{"result":"stored"/);
  });

  test('imports the files of a zip file and names them', async () => {
    const writer = new ZipWriter(new BlobWriter(), { useWebWorkers: false });
    await writer.add('ward/plan.xml', new TextReader(planXml));
    await writer.add('b.ndjson', new TextReader(`${carePlan('Patient/b')}\nno JSON`));
    await writer.add('c.pdf', new TextReader('%PDF'));
    const zip = Buffer.from(await (await writer.close()).arrayBuffer());
    const { text } = await sendOver(new Agent(), zip, 'application/zip');
    const report = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(report).toMatchObject([
      { file: 'ward/plan.xml', result: 'stored' },
      { file: 'b.ndjson', place: 1, result: 'stored' },
      { file: 'b.ndjson', place: 2, result: 'refused' },
      { file: 'c.pdf', result: 'skipped', messageCode: 'import.otherFile' },
      { done: { stored: 2, refused: 1, skipped: 1 } },
    ]);
  });

  test('reports the same on a dry run and stores nothing', async () => {
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

  test('imports records with errors at level off, to be fixed later', async () => {
    const dirty = withId('dirty', carePlan('Patient/a', ',"period":{"start":"2026-02-30"},"description":7'));
    const [rejectedLine] = (await sendImport('?keepIds=true', dirty)).report;
    expect(rejectedLine).toMatchObject({ result: 'refused', storable: true });
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

  test('marks a rejection as storable only if only rules rejected the record', async () => {
    const report = async (body: string) => (await sendImport('?keepIds=true', body)).report[0];
    const unstorable = ['no JSON', '{"resourceType":"Plan"}', withId('no id!', carePlan('Patient/a'))];
    for (const body of [...unstorable, carePlan('Patient/a', ',"meta":7')]) {
      expect(await report(body)).toMatchObject({ result: 'refused' });
      expect(await report(body)).not.toHaveProperty('storable');
    }
  });

  test('rejects an unknown setting or media type without reading the body', async () => {
    expect((await server.send('POST', '/app/import?colour=red', 'x', lines)).status).toBe(400);
    expect((await server.send('POST', '/app/import', 'x', { 'Content-Type': 'text/csv' })).status).toBe(415);
  });

  test('stops the import if the client disconnects', async () => {
    const { hostname, port } = new URL(server.origin);
    const headers = { ...lines, Authorization: `Bearer ${server.token}` };
    const sentRequest = request({ hostname, port, path: '/app/import', method: 'POST', headers });
    sentRequest.on('error', () => undefined);
    sentRequest.write(`${carePlan('Patient/a')}\n${carePlan('Patient/a').slice(0, 20)}`);
    await expect.poll(total).toBe(1);
    sentRequest.destroy();
    expect((await server.send('GET', '/fhir-r4/v1/CarePlan?subject=a')).json.total).toBe(1);
  });
});

describe('GET /app/export', () => {
  test('exports every record once with exact digits, filtered by type and search', async () => {
    const bodies = Array.from({ length: 450 }, (_, index) =>
      carePlan(`Patient/${index % 2}`, `,"x-${index}":1.00`),
    );
    await sendImport('', [...bodies, composition('Patient/0')].join('\n'));
    const exportLines = async (query: string) => {
      const { text } = await server.send('GET', `/app/export${query}`);
      return text === '' ? [] : text.trim().split('\n');
    };
    const allLines = await exportLines('');
    expect(allLines).toHaveLength(451);
    expect(new Set(allLines).size).toBe(451);
    expect(allLines.filter((line) => line.includes(':1.00}'))).toHaveLength(450);
    expect(await exportLines('?type=Composition')).toHaveLength(1);
    expect(await exportLines('?type=CarePlan&subject=1')).toHaveLength(225);
    expect((await server.send('GET', '/app/export?type=Patient')).status).toBe(400);
  });

  test('exports records that import again unchanged', async () => {
    await sendImport('', `${carePlan('Patient/a', ',"x":1.00')}\n${composition('Patient/a')}`);
    const { text } = await server.send('GET', '/app/export');
    expect((await sendImport('?keepIds=true', text)).report.at(-1)).toMatchObject({ done: { unchanged: 2 } });
  });
});
