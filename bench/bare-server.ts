/**
 * The bare handler that Chartkeeper is compared with: the same Express, driver and responses, but no tokens,
 * validation, history or exact numbers. Run as `node bench/bare-server.ts FILE
 * postgres://…`. Ends on SIGTERM.
 */
import express, { type Request, type Response } from 'express';
import { randomUUID } from 'node:crypto';
import { openBareStore, serializeBareRecord, type BareRecord } from './bare-store.ts';
import { openSharedBareStore } from './shared-bare-store.ts';

const [path = 'bare.db'] = process.argv.slice(2);
const store = path.startsWith('postgres://') ? openSharedBareStore(path) : openBareStore(path);
const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.use(express.json({ type: () => true, limit: 5_000_000 }));

const typePath = '/fhir-r4/v1/:type';
const recordPath = `${typePath}/:id`;

interface TypeParams {
  readonly type: string;
}
interface RecordParams extends TypeParams {
  readonly id: string;
}

app.get(recordPath, async ({ params }: Request<RecordParams>, response) => {
  const row = await store.read(params.type, params.id);
  if (row) send(response, 200, row.body);
  else send(response, 404, '{}');
});

app.get(typePath, async ({ params, query }: Request<TypeParams>, response) => {
  const { subject, encounter } = query;
  const rows = await store.search(
    params.type,
    typeof subject === 'string' ? subject : '',
    typeof encounter === 'string' ? encounter : undefined,
  );
  const entries = rows.map(
    ({ id, body }) => `{"fullUrl":"/${params.type}/${id}","resource":${body},"search":{"mode":"match"}}`,
  );
  const members = `"resourceType":"Bundle","type":"searchset","total":${rows.length}`;
  send(response, 200, `{${members},"entry":[${entries.join(',')}]}`);
});

app.post(typePath, async ({ params, body }: Request<TypeParams, unknown, BareRecord>, response) => {
  const id = randomUUID();
  const text = serializeBareRecord(body, id, 1, new Date().toISOString());
  await store.insert(params.type, id, body, text);
  send(response, 201, text);
});

app.put(recordPath, async ({ params, body }: Request<RecordParams, unknown, BareRecord>, response) => {
  await replace(response, params, body);
});

app.patch(recordPath, async (request: Request<RecordParams, unknown, readonly Replacement[]>, response) => {
  const { params, body } = request;
  const row = await store.read(params.type, params.id);
  if (!row) {
    send(response, 404, '{}');
    return;
  }
  const record = JSON.parse(row.body) as BareRecord;
  for (const { path, value } of body) setValue(record, path, value);
  await replace(response, params, record);
});

interface Replacement {
  readonly path: string;
  readonly value: unknown;
}

function setValue(record: BareRecord, pointer: string, value: unknown): void {
  const keys = pointer.slice(1).split('/');
  const lastKey = keys.pop() ?? '';
  let target: Record<string, unknown> = record;
  for (const key of keys) target = target[key] as Record<string, unknown>;
  target[lastKey] = value;
}

async function replace(response: Response, { type, id }: RecordParams, record: BareRecord): Promise<void> {
  const text = serializeBareRecord(record, id, 2, new Date().toISOString());
  if (await store.replace(type, id, record, text)) send(response, 200, text);
  else send(response, 404, '{}');
}

function send(response: Response, status: number, text: string): void {
  response.status(status).set('Content-Type', 'application/json; charset=utf-8').send(Buffer.from(text));
}

const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  process.stdout.write(`Open http://127.0.0.1:${port}/#code=none\n`);
});

process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
  void store.close();
});
