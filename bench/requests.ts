import { Random } from '../server/demo/random.ts';
import {
  operationInfos,
  operations,
  type Operation,
  type SearchedParameter,
  type SearchCase,
} from './operations.ts';
import type { SampleRecord } from './sample.ts';

interface Writable {
  readonly type: string;
  readonly id: string;
  readonly text: string;
  readonly title: string;
  /** The text before the closing quote of the title, and the remaining text. */
  readonly parts: readonly [string, string];
}

/** Data for the requests to a store. */
export interface Material {
  readonly records: readonly SampleRecord[];
  /** For each search operation, one record of each group that a search returns completely. */
  readonly recordsByOperation: Readonly<Partial<Record<Operation, readonly SampleRecord[]>>>;
  readonly writable: readonly Writable[];
}

export interface RequestOptions {
  readonly port: number;
  readonly token: string;
  readonly operation: Operation;
  readonly seed: number;
  /** Selects the order of requests. */
  readonly stream: number;
}

/** Number of created bodies. Each write has a title that no record had before. */
let writeCount = 0;

export function createMaterial(records: readonly SampleRecord[]): Material {
  const writable = records.flatMap(({ type, id, text }) => {
    if (text === undefined) return [];
    const { title } = JSON.parse(text) as { title: string };
    const titleMember = `"title":${JSON.stringify(title)}`;
    const titleOffset = text.indexOf(titleMember);
    if (titleOffset === -1) throw new Error(`${type}/${id} has no title to change.`);
    const titleEnd = titleOffset + titleMember.length - 1;
    return [{ type, id, text, title, parts: [text.slice(0, titleEnd), text.slice(titleEnd)] as const }];
  });
  const recordsByOperation = Object.fromEntries(
    operations.flatMap((operation) => {
      const { search } = operationInfos[operation];
      return search ? [[operation, listGroups(records, search)]] : [];
    }),
  );
  return { records, recordsByOperation, writable };
}

/** Returns one record of each group with the expected number of matches. */
function listGroups(
  records: readonly SampleRecord[],
  { parameters, matchCount }: SearchCase,
): readonly SampleRecord[] {
  const groups = Map.groupBy(records, (record) =>
    [record.type, ...parameters.map((name) => record[name])].join(' '),
  );
  return [...groups.values()].flatMap((group) => (group.length === matchCount ? group.slice(0, 1) : []));
}

/** Returns the address of a search. The same terms occur in both orders. */
function createSearch(
  record: SampleRecord,
  parameters: readonly SearchedParameter[],
  isReversed: boolean,
): string {
  const terms = parameters.map((name) => `${name}=${record[name]}`);
  return `${record.type}?${(isReversed ? terms.toReversed() : terms).join('&')}`;
}

/**
 * Returns a function that creates complete requests as text: the same requests in the same order for both
 * servers.
 */
export function createRequestFactory(
  { records, recordsByOperation, writable }: Material,
  options: RequestOptions,
): () => string {
  const { port, token, operation, seed, stream } = options;
  const random = new Random(seed, stream, operations.indexOf(operation));
  const headers = `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nAccept: application/json\r\n`;
  const createGet = (path: string) => `GET /fhir-r4/v1/${path} HTTP/1.1\r\n${headers}\r\n`;
  const createWrite = (method: string, path: string, body: string) =>
    `${method} /fhir-r4/v1/${path} HTTP/1.1\r\n${headers}Content-Type: application/json\r\n` +
    `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  const { search: { parameters } = { parameters: [] } } = operationInfos[operation];
  const groups = recordsByOperation[operation] ?? [];
  return () => {
    switch (operation) {
      case 'search-1':
      case 'search-5':
      case 'search-25':
      case 'pair-1':
      case 'pair-5':
      case 'pair-25':
        return createGet(createSearch(random.pick(groups), parameters, random.chance(50)));
      case 'read': {
        const { type, id } = random.pick(records);
        return createGet(`${type}/${id}`);
      }
      case 'create': {
        const { type, text } = random.pick(writable);
        return createWrite('POST', type, text);
      }
      case 'update': {
        const { type, id, parts } = random.pick(writable);
        writeCount += 1;
        return createWrite('PUT', `${type}/${id}`, `${parts[0]} ${writeCount}${parts[1]}`);
      }
      case 'patch': {
        const { type, id, title } = random.pick(writable);
        writeCount += 1;
        const value = `${title} ${writeCount}`;
        return createWrite(
          'PATCH',
          `${type}/${id}`,
          JSON.stringify([{ op: 'replace', path: '/title', value }]),
        );
      }
    }
  };
}
