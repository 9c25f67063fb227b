import { Random } from '../server/demo/random.ts';
import { measured, operations, type Operation, type SearchedBy, type Searching } from './operations.ts';
import type { SampleRecord } from './sample.ts';

interface Writable {
  readonly type: string;
  readonly id: string;
  readonly text: string;
  readonly title: string;
  /** The text before the title's last quote, and from there on. */
  readonly parts: readonly [string, string];
}

/** What requests of one store are made of. */
export interface Material {
  readonly records: readonly SampleRecord[];
  /** For each operation that searches, a record of each group that one search finds whole. */
  readonly searched: Readonly<Partial<Record<Operation, readonly SampleRecord[]>>>;
  readonly writable: readonly Writable[];
}

export interface RequestOptions {
  readonly port: number;
  readonly token: string;
  readonly operation: Operation;
  readonly seed: number;
  /** Another number is another order of requests. */
  readonly stream: number;
}

/** How many bodies were made: each write brings a title that no record had before. */
let written = 0;

export function materialOf(records: readonly SampleRecord[]): Material {
  const writable = records.flatMap(({ type, id, text }) => {
    if (text === undefined) return [];
    const { title } = JSON.parse(text) as { title: string };
    const found = `"title":${JSON.stringify(title)}`;
    const at = text.indexOf(found);
    if (at === -1) throw new Error(`${type}/${id} has no title to change.`);
    const end = at + found.length - 1;
    return [{ type, id, text, title, parts: [text.slice(0, end), text.slice(end)] as const }];
  });
  const searched = Object.fromEntries(
    operations.flatMap((operation) => {
      const { search } = measured[operation];
      return search ? [[operation, groupsOf(records, search)]] : [];
    }),
  );
  return { records, searched, writable };
}

/** A record of each group that is found together and is as large as it must be. */
function groupsOf(records: readonly SampleRecord[], { by, finds }: Searching): readonly SampleRecord[] {
  const groups = Map.groupBy(records, (record) => [record.type, ...by.map((name) => record[name])].join(' '));
  return [...groups.values()].flatMap((all) => (all.length === finds ? all.slice(0, 1) : []));
}

/** The address of a search; the same terms stand in either order. */
function searchOf(record: SampleRecord, by: readonly SearchedBy[], turned: boolean): string {
  const terms = by.map((name) => `${name}=${record[name]}`);
  return `${record.type}?${(turned ? terms.toReversed() : terms).join('&')}`;
}

/** A maker of whole requests as text: the same ones in the same order for both servers. */
export function requestMaker(
  { records, searched, writable }: Material,
  options: RequestOptions,
): () => string {
  const { port, token, operation, seed, stream } = options;
  const random = new Random(seed, stream, operations.indexOf(operation));
  const headers = `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nAccept: application/json\r\n`;
  const get = (path: string) => `GET /fhir-r4/v1/${path} HTTP/1.1\r\n${headers}\r\n`;
  const send = (method: string, path: string, body: string) =>
    `${method} /fhir-r4/v1/${path} HTTP/1.1\r\n${headers}Content-Type: application/json\r\n` +
    `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  const { search: { by } = { by: [] } } = measured[operation];
  const groups = searched[operation] ?? [];
  return () => {
    switch (operation) {
      case 'search-1':
      case 'search-5':
      case 'search-25':
      case 'pair-1':
      case 'pair-5':
      case 'pair-25':
        return get(searchOf(random.pick(groups), by, random.chance(50)));
      case 'read': {
        const { type, id } = random.pick(records);
        return get(`${type}/${id}`);
      }
      case 'create': {
        const { type, text } = random.pick(writable);
        return send('POST', type, text);
      }
      case 'update': {
        const { type, id, parts } = random.pick(writable);
        written += 1;
        return send('PUT', `${type}/${id}`, `${parts[0]} ${written}${parts[1]}`);
      }
      case 'patch': {
        const { type, id, title } = random.pick(writable);
        written += 1;
        const value = `${title} ${written}`;
        return send('PATCH', `${type}/${id}`, JSON.stringify([{ op: 'replace', path: '/title', value }]));
      }
    }
  };
}
