/**
 * A FHIR server in memory that pages by offset, as many do: sorted by `_lastUpdated`, filtered by instant,
 * with a history of types.
 */
import type { ServerResponse } from 'node:http';
import { sendFhir, startPeer, type Answerer, type Peer } from './peer.ts';

interface HeldRecord {
  readonly resourceType: string;
  readonly id: string;
  readonly meta: { readonly versionId: string; readonly lastUpdated: string };
}

export interface RecordServer {
  readonly peer: Peer;
  readonly base: string;
  readonly records: Map<string, HeldRecord>;
  /** Stores the next version of a record, with a later instant than all before. */
  store(type: string, id: string, text: string): void;
  /** True if the server supports `_sort` and `_lastUpdated`. */
  sorts: boolean;
  /** Types that it refuses to list completely. */
  readonly refuses: Set<string>;
  /**
   * Responds in place of the server as long as it returns true. `count` is the number of requests so far.
   */
  before: (response: ServerResponse, count: number, url: URL) => boolean;
}

const start = Date.UTC(2026, 0, 1);

/** Listens on loopback; the base is `/fhir`. Pairs of records share an instant. */
export async function startRecordServer(): Promise<RecordServer> {
  let storedCount = 0;
  let requestCount = 0;
  const records = new Map<string, HeldRecord>();
  const peer = await startPeer((request, response) => answer(request, response));
  const base = `${peer.origin}/fhir`;
  const server: RecordServer = {
    peer,
    base,
    records,
    sorts: true,
    refuses: new Set(),
    before: () => false,
    store(type, id, text) {
      const previousRecord = records.get(`${type}/${id}`);
      const lastUpdated = new Date(start + Math.floor(storedCount++ / 2) * 1000).toISOString();
      const meta = { versionId: String(Number(previousRecord?.meta.versionId ?? 0) + 1), lastUpdated };
      const record = JSON.parse(text) as HeldRecord;
      records.set(`${type}/${id}`, { ...record, resourceType: type, id, meta });
    },
  };
  return server;

  function answer({ method, url, body }: Parameters<Answerer>[0], response: ServerResponse): void {
    const { pathname, searchParams: query } = new URL(url, base);
    if (server.before(response, requestCount++, new URL(url, base))) return;
    const [type = '', id] = pathname.replace('/fhir/', '').split('/');
    if (method === 'PUT' && id !== undefined) {
      server.store(type, id, body.toString());
      sendFhir(response, 200, JSON.stringify(records.get(`${type}/${id}`)));
      return;
    }
    const history = id === '_history';
    if (server.refuses.has(history ? `${type}/_history` : type)) {
      refuse(response, 400, `Name a patient to search ${type}.`);
      return;
    }
    const from = query.get(history ? '_since' : '_lastUpdated')?.replace(/^ge/, '') ?? '';
    const typeRecords = [...records.values()].filter(({ resourceType }) => resourceType === type);
    const matches =
      history || server.sorts ? typeRecords.filter(({ meta }) => meta.lastUpdated >= from) : typeRecords;
    if (history || server.sorts) {
      matches.sort((a, b) => a.meta.lastUpdated.localeCompare(b.meta.lastUpdated));
      if (history) matches.reverse();
    }
    const offset = Number(query.get('_offset') ?? 0);
    const end = offset + Number(query.get('_count') ?? 20);
    query.set('_offset', String(end));
    const entry = matches.slice(offset, end).map((resource) => ({ resource, search: { mode: 'match' } }));
    const link =
      end < matches.length
        ? [{ relation: 'next', url: `${base}/${type}${history ? '/_history' : ''}?${query.toString()}` }]
        : [];
    const bundle = { resourceType: 'Bundle', type: 'searchset', total: matches.length, link, entry };
    sendFhir(response, 200, JSON.stringify(bundle));
  }
}

/** Responds with an OperationOutcome. */
export function refuse(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  const issue = [{ severity: 'error', code: 'processing', details: { text } }];
  sendFhir(response, status, JSON.stringify({ resourceType: 'OperationOutcome', issue }), headers);
}
