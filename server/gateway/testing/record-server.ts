/**
 * A FHIR server that holds records in memory and pages through them by offset, as many do: sorted by `_lastUpdated`,
 * from an instant on, with a history of types.
 */
import type { ServerResponse } from 'node:http';
import { fhir, startPeer, type Answerer, type Peer } from './peer.ts';

interface HeldRecord {
  readonly resourceType: string;
  readonly id: string;
  readonly meta: { readonly versionId: string; readonly lastUpdated: string };
}

export interface RecordServer {
  readonly peer: Peer;
  readonly base: string;
  readonly records: Map<string, HeldRecord>;
  /** Stores a record as its next version, at an instant behind all others. */
  store(type: string, id: string, text: string): void;
  /** Whether it does what `_sort` and `_lastUpdated` say. */
  sorts: boolean;
  /** Types of which it refuses to list all. */
  readonly refuses: Set<string>;
  /** Answers in its place as long as it returns true; `count` is that of the requests so far. */
  before: (response: ServerResponse, count: number, url: URL) => boolean;
}

const start = Date.UTC(2026, 0, 1);

/** Listens on loopback; `/fhir` is the base. Two records each have the same instant. */
export async function startRecordServer(): Promise<RecordServer> {
  let stored = 0;
  let asked = 0;
  const records = new Map<string, HeldRecord>();
  const peer = await startPeer((seen, response) => answer(seen, response));
  const base = `${peer.origin}/fhir`;
  const server: RecordServer = {
    ...{ peer, base, records },
    sorts: true,
    refuses: new Set(),
    before: () => false,
    store(type, id, text) {
      const former = records.get(`${type}/${id}`);
      const lastUpdated = new Date(start + Math.floor(stored++ / 2) * 1000).toISOString();
      const meta = { versionId: String(Number(former?.meta.versionId ?? 0) + 1), lastUpdated };
      const record = JSON.parse(text) as HeldRecord;
      records.set(`${type}/${id}`, { ...record, resourceType: type, id, meta });
    },
  };
  return server;

  function answer({ method, url, body }: Parameters<Answerer>[0], response: ServerResponse): void {
    const { pathname, searchParams: query } = new URL(url, base);
    if (server.before(response, asked++, new URL(url, base))) return;
    const [type = '', id] = pathname.replace('/fhir/', '').split('/');
    if (method === 'PUT' && id !== undefined) {
      server.store(type, id, body.toString());
      fhir(response, 200, JSON.stringify(records.get(`${type}/${id}`)));
      return;
    }
    const history = id === '_history';
    if (server.refuses.has(history ? `${type}/_history` : type)) {
      refuse(response, 400, `Name a patient to search ${type}.`);
      return;
    }
    const from = query.get(history ? '_since' : '_lastUpdated')?.replace(/^ge/, '') ?? '';
    const all = [...records.values()].filter(({ resourceType }) => resourceType === type);
    const listed = history || server.sorts ? all.filter(({ meta }) => meta.lastUpdated >= from) : all;
    if (history || server.sorts) {
      listed.sort((a, b) => a.meta.lastUpdated.localeCompare(b.meta.lastUpdated));
      if (history) listed.reverse();
    }
    const offset = Number(query.get('_offset') ?? 0);
    const end = offset + Number(query.get('_count') ?? 20);
    query.set('_offset', String(end));
    const entry = listed.slice(offset, end).map((resource) => ({ resource, search: { mode: 'match' } }));
    const link =
      end < listed.length
        ? [{ relation: 'next', url: `${base}/${type}${history ? '/_history' : ''}?${query.toString()}` }]
        : [];
    const bundle = { resourceType: 'Bundle', type: 'searchset', total: listed.length, link, entry };
    fhir(response, 200, JSON.stringify(bundle));
  }
}

/** An OperationOutcome in the place of what was asked for. */
export function refuse(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  const issue = [{ severity: 'error', code: 'processing', details: { text } }];
  fhir(response, status, JSON.stringify({ resourceType: 'OperationOutcome', issue }), headers);
}
