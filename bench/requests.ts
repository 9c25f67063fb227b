import { Random } from '../server/demo/random.ts';
import { foundBySearch, operations, type Operation } from './operations.ts';
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
  /** One record for each subject and type with {@link foundBySearch} records. */
  readonly searched: readonly SampleRecord[];
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
  const found = Map.groupBy(records, ({ type, subject }) => `${type} ${subject}`);
  const searched = [...found.values()].flatMap((all) =>
    all.length === foundBySearch ? all.slice(0, 1) : [],
  );
  return { records, searched, writable };
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
  return () => {
    switch (operation) {
      case 'read': {
        const { type, id } = random.pick(records);
        return get(`${type}/${id}`);
      }
      case 'search': {
        const { type, subject } = random.pick(searched);
        return get(`${type}?subject=${subject}`);
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
