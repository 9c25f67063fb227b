import { setTimeout } from 'node:timers/promises';
import { createMaterial } from '../bench/requests.ts';
import type { Server } from '../bench/processes.ts';
import { fhirPath } from '../core/api/contract.ts';
import { generateClinic } from '../server/demo/generate.ts';
import { Random } from '../server/demo/random.ts';
import type { Ledger } from './ledger.ts';
import { send } from './server.ts';

/** Weights of the kinds of writes. The last two are refused: for a stale version, and for wrong content. */
const mixture = { create: 30, update: 30, patch: 30, stale: 5, broken: 5 } as const;

/** Milliseconds before a client retries an unreachable server. */
const retryDelayMs = 20;

export interface WriterOptions {
  readonly server: Pick<Server, 'port' | 'token'>;
  readonly ledger: Ledger;
  readonly seed: number;
  /** Selects the order of writes. */
  readonly stream: number;
  readonly clients?: number;
  /** Weights of the kinds of writes, instead of all kinds. */
  readonly mixture?: Readonly<Partial<Record<keyof typeof mixture, number>>>;
  /** Stops the clients as soon as it returns true. Called before each write. */
  readonly hasEnough?: () => boolean;
  /** Milliseconds between two writes of a client. */
  readonly restMs?: number;
  /** Continues after a broken connection or an unreachable server. */
  readonly isPersistent?: boolean;
  /** Statuses that do not tell if a write was stored. No response has the same meaning. */
  readonly unconfirmedStatuses?: readonly number[];
}

export interface Writers {
  /** Sends no further writes. Resolves when the pending ones are answered or their connections are closed. */
  stop(): Promise<void>;
  /** Resolves when all clients have ended: `hasEnough` is true, or the server is gone. */
  readonly done: Promise<void>;
}

/** Records of an invented clinic. Writes are made of their texts, with another title. */
const templates = createMaterial(
  [...generateClinic({ seed: 1, patients: 20 })].map((record) => ({ ...record, subject: '', encounter: '' })),
).writable;

/** Returns a record's text with another title and without its id. */
export function createBody(random: Random, title: string): { readonly type: string; readonly text: string } {
  const { type, id, title: templateTitle, text } = random.pick(templates);
  const retitled = text.replace(
    `"title":${JSON.stringify(templateTitle)}`,
    () => `"title":${JSON.stringify(title)}`,
  );
  return { type, text: retitled.replace(`"id":${JSON.stringify(id)},`, '') };
}

/**
 * Starts clients that create, update and patch in parallel. Each sends its next write after the previous
 * response.
 */
export function startWriters(options: WriterOptions): Writers {
  const { seed, stream, clients = 8, hasEnough = () => false, isPersistent = false, restMs = 0 } = options;
  let stopped = false;
  const work = async (client: number) => {
    const random = new Random(seed, stream, client);
    while (!stopped && !hasEnough()) {
      const hasResponse = await write(options, random);
      if (!hasResponse && !isPersistent) return;
      if (!hasResponse || restMs > 0) await setTimeout(hasResponse ? restMs : retryDelayMs);
    }
  };
  const allClients = Promise.all(Array.from({ length: clients }, (_, client) => work(client)));
  const done = allClients.then(() => undefined);
  // `done` reports the error to its callers. A failed case may have none left.
  done.catch(() => undefined);
  return {
    done,
    async stop() {
      stopped = true;
      await done;
    },
  };
}

/** Sends one write and records the outcome in the ledger. Returns false without a response. */
async function write({ server, ledger, ...options }: WriterOptions, random: Random): Promise<boolean> {
  const { addresses } = ledger;
  const kind = addresses.length === 0 ? 'create' : random.weighted(options.mixture ?? mixture);
  const title = ledger.nextTitle();
  const writeRequest = createWriteRequest(kind, title, ledger, random);
  try {
    const headers =
      writeRequest.match === undefined ? undefined : { 'If-Match': `W/"${writeRequest.match}"` };
    const response = await send(
      server,
      writeRequest.method,
      `${fhirPath}/${writeRequest.path}`,
      writeRequest.body,
      headers,
    );
    ledger.count(response.status);
    if (response.status < 300) {
      const version = /"(\d+)"/.exec(response.headers.get('ETag') ?? '')?.[1] ?? '';
      const { id } = JSON.parse(response.text) as { id: string };
      const [type = ''] = writeRequest.path.split('/');
      ledger.acknowledge(title, { key: `${type}/${id}/_history/${version}`, text: response.text });
    } else if (options.unconfirmedStatuses?.includes(response.status) === true) {
      if (!isOutcome(response.text)) ledger.withoutOutcome += 1;
      return false;
    } else ledger.refuse(title, isOutcome(response.text));
    return true;
  } catch (error) {
    // A broken request has no response: the write may be stored or not.
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

function createWriteRequest(
  kind: keyof typeof mixture,
  title: string,
  ledger: Ledger,
  random: Random,
): WriteRequest {
  const { type, text } = createBody(random, title);
  if (kind === 'create') return { method: 'POST', path: type, body: text };
  if (kind === 'broken') {
    // A type that differs from the type in the address.
    return { method: 'POST', path: type, body: text.replace(`"${type}"`, '"Patient"') };
  }
  const path = random.pick(ledger.addresses);
  const match = kind === 'stale' ? ledger.getVersion(path) + 7 : ledger.getVersion(path);
  const [recordType = '', id = ''] = path.split('/');
  if (kind === 'update' && recordType === type) {
    const body = text.replace('{', () => `{"id":${JSON.stringify(id)},`);
    return { method: 'PUT', path, body, match };
  }
  const operation = { op: 'replace', path: '/title', value: title };
  return { method: 'PATCH', path, body: JSON.stringify([operation]), match };
}
