import { setTimeout } from 'node:timers/promises';
import { materialOf } from '../bench/requests.ts';
import type { Server } from '../bench/processes.ts';
import { fhirPath } from '../core/api/contract.ts';
import { generateClinic } from '../server/demo/generate.ts';
import { Random } from '../server/demo/random.ts';
import type { Ledger } from './ledger.ts';
import { send } from './server.ts';

/** Weights of what is written. The last two are refused: by their version, and by their content. */
const mixture = { create: 30, update: 30, patch: 30, stale: 5, broken: 5 } as const;

/** Milliseconds before a client tries a server again that was away. */
const retryAfter = 20;

export interface WriterOptions {
  readonly server: Pick<Server, 'port' | 'token'>;
  readonly ledger: Ledger;
  readonly seed: number;
  /** Another number is another order of writes. */
  readonly stream: number;
  readonly clients?: number;
  /** Only these kinds of writes. */
  readonly mixture?: Readonly<Partial<Record<keyof typeof mixture, number>>>;
  /** Stops the clients once it answers true; asked before each write. */
  readonly enough?: () => boolean;
  /** Milliseconds of rest between two writes of a client. */
  readonly rest?: number;
  /** Goes on after a connection that broke or a server that was away. */
  readonly persist?: boolean;
  /** Statuses that leave it open whether a write is stored, as no answer does. */
  readonly unsure?: readonly number[];
}

export interface Writers {
  /** Sends no further writes; resolves once those under way are answered, or their connections are gone. */
  stop(): Promise<void>;
  /** Resolves once all clients ended: `enough`, or the server is gone. */
  readonly ended: Promise<void>;
}

/** Texts that writes are made of: records of an invented clinic, to be given another title. */
const templates = materialOf(
  [...generateClinic({ seed: 1, patients: 20 })].map((record) => ({ ...record, subject: '', encounter: '' })),
).writable;

/** A record's text under another title, without its id. */
export function bodyOf(random: Random, title: string): { readonly type: string; readonly text: string } {
  const { type, id, title: old, text } = random.pick(templates);
  const renamed = text.replace(`"title":${JSON.stringify(old)}`, () => `"title":${JSON.stringify(title)}`);
  return { type, text: renamed.replace(`"id":${JSON.stringify(id)},`, '') };
}

/** Clients that create, update and patch side by side, each write as soon as the one before it is answered. */
export function startWriters(options: WriterOptions): Writers {
  const { seed, stream, clients = 8, enough = () => false, persist = false, rest = 0 } = options;
  let stopped = false;
  const work = async (client: number) => {
    const random = new Random(seed, stream, client);
    while (!stopped && !enough()) {
      const answered = await write(options, random);
      if (!answered && !persist) return;
      if (!answered || rest > 0) await setTimeout(answered ? rest : retryAfter);
    }
  };
  const all = Promise.all(Array.from({ length: clients }, (_, client) => work(client)));
  const ended = all.then(() => undefined);
  // Told to whoever waits; a case that failed waits no more.
  ended.catch(() => undefined);
  return {
    ended,
    async stop() {
      stopped = true;
      await ended;
    },
  };
}

/** Sends one write and notes what became of it; false where no answer came. */
async function write({ server, ledger, ...options }: WriterOptions, random: Random): Promise<boolean> {
  const { addresses } = ledger;
  const kind = addresses.length === 0 ? 'create' : random.weighted(options.mixture ?? mixture);
  const title = ledger.nextTitle();
  const request = requestOf(kind, title, ledger, random);
  try {
    const headers = request.match === undefined ? undefined : { 'If-Match': `W/"${request.match}"` };
    const answer = await send(server, request.method, `${fhirPath}/${request.path}`, request.body, headers);
    ledger.count(answer.status);
    if (answer.status < 300) {
      const version = /"(\d+)"/.exec(answer.headers.get('ETag') ?? '')?.[1] ?? '';
      const { id } = JSON.parse(answer.text) as { id: string };
      const [type = ''] = request.path.split('/');
      ledger.acknowledge(title, { key: `${type}/${id}/_history/${version}`, text: answer.text });
    } else if (options.unsure?.includes(answer.status) === true) {
      if (!isOutcome(answer.text)) ledger.untold += 1;
      return false;
    } else ledger.refuse(title, isOutcome(answer.text));
    return true;
  } catch (error) {
    // What broke off has no answer: the write may be there or not.
    if (error instanceof TypeError) return false;
    throw error;
  }
}

function isOutcome(text: string): boolean {
  return text.includes('"resourceType":"OperationOutcome"');
}

interface WriteRequest {
  readonly method: 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  readonly body: string;
  readonly match?: number;
}

function requestOf(kind: keyof typeof mixture, title: string, ledger: Ledger, random: Random): WriteRequest {
  const { type, text } = bodyOf(random, title);
  if (kind === 'create') return { method: 'POST', path: type, body: text };
  if (kind === 'broken') {
    // Another type than that of the address.
    return { method: 'POST', path: type, body: text.replace(`"${type}"`, '"Patient"') };
  }
  const path = random.pick(ledger.addresses);
  const match = kind === 'stale' ? ledger.versionOf(path) + 7 : ledger.versionOf(path);
  const [own = '', id = ''] = path.split('/');
  if (kind === 'update' && own === type) {
    const body = text.replace('{', () => `{"id":${JSON.stringify(id)},`);
    return { method: 'PUT', path, body, match };
  }
  const operation = { op: 'replace', path: '/title', value: title };
  return { method: 'PATCH', path, body: JSON.stringify([operation]), match };
}
