import { fhirPath } from '../../core/api/contract.ts';
import { generateClinic, type DemoRecord } from '../../server/demo/generate.ts';
import type { Random } from '../../server/demo/random.ts';
import type { Server } from '../../bench/processes.ts';
import { FaultError } from '../fault-case.ts';
import { send, type Answer } from '../server.ts';

/** A created record with its last known version. */
interface CreatedRecord {
  readonly path: string;
  readonly record: DemoRecord;
  version: number;
}

/** State that all clients of a mixture share. */
export interface Mixture {
  readonly server: Pick<Server, 'port' | 'token'>;
  readonly records: readonly DemoRecord[];
  /** The latest records. Requests use them. */
  readonly created: CreatedRecord[];
  /** Number of responses by kind of request. */
  readonly responseCounts: Map<string, number>;
}

type SendRequest = (mixture: Mixture, random: Random) => Promise<Answer>;

interface RequestKind {
  readonly weight: number;
  /** Allowed statuses of the response. */
  readonly statuses: readonly number[];
  readonly request: SendRequest;
}

const createGet =
  (pathOf: (record: CreatedRecord, random: Random) => string): SendRequest =>
  ({ server, created }, random) =>
    send(server, 'GET', pathOf(random.pick(created), random));

const badRequests: readonly SendRequest[] = [
  ({ server }) => send(server, 'POST', `${fhirPath}/CarePlan`, '{"resourceType":'),
  ({ server }) => send(server, 'POST', `${fhirPath}/CarePlan`, '{"resourceType":"CarePlan","title":7}'),
  ({ server }) => send(server, 'GET', `${fhirPath}/Composition?colour=red`),
  ({ server }) => send(server, 'GET', `${fhirPath}/CarePlan/none`),
  ({ server }) => send(server, 'DELETE', `${fhirPath}/CarePlan`),
  ({ server, created }, random) => change({ server, created }, random, 'PATCH', 7),
];

/** Kinds of requests. Slow ones have a small weight. */
const requestKinds: Readonly<Record<string, RequestKind>> = {
  reads: { weight: 300, statuses: [200], request: createGet(({ path }) => `${fhirPath}/${path}`) },
  'searches by patient': { weight: 200, statuses: [200], request: createGet(createSubjectSearch) },
  'searches of a page': {
    weight: 60,
    statuses: [200],
    request: createGet(() => `${fhirPath}/Composition?status=final&_sort=-_lastUpdated&_count=20`),
  },
  creates: { weight: 60, statuses: [201], request: create },
  updates: { weight: 80, statuses: [200, 412], request: (mixture, random) => change(mixture, random, 'PUT') },
  patches: {
    weight: 80,
    statuses: [200, 412],
    request: (mixture, random) => change(mixture, random, 'PATCH'),
  },
  histories: {
    weight: 60,
    statuses: [200],
    request: createGet(({ path }) => `${fhirPath}/${path}/_history?_count=10`),
  },
  validations: { weight: 40, statuses: [200], request: validate },
  'bad requests': { weight: 60, statuses: [400, 404, 405, 412, 422], request: sendBadRequest },
  worklists: { weight: 4, statuses: [200], request: createGet(() => '/app/quality') },
  exports: { weight: 4, statuses: [200], request: createGet(exportPath) },
  imports: { weight: 4, statuses: [200], request: importSome },
};

/** Records of an import. */
const importSize = 20;

/** Highest number of created records that requests use. */
const maxCreated = 500;

export function createMixture(server: Mixture['server'], seed: number): Mixture {
  return {
    server,
    records: [...generateClinic({ seed, patients: 50 })],
    created: [],
    responseCounts: new Map(),
  };
}

/** Sends one request of the mixture. Rejects if its status is not allowed for its kind. */
export async function sendMixtureRequest(mixture: Mixture, random: Random): Promise<void> {
  const weights = Object.fromEntries(
    Object.entries(requestKinds).map(([name, { weight }]) => [name, weight]),
  );
  const name = mixture.created.length < 20 ? 'creates' : random.weighted(weights);
  const kind = requestKinds[name];
  if (!kind) return;
  const { status, text } = await kind.request(mixture, random);
  mixture.responseCounts.set(name, (mixture.responseCounts.get(name) ?? 0) + 1);
  if (!kind.statuses.includes(status))
    throw new FaultError(`Of the ${name}, one was answered ${status}: ${text.slice(0, 300)}`);
}

function createSubjectSearch({ record }: CreatedRecord): string {
  const { subject } = JSON.parse(record.text) as { subject: { reference: string } };
  return `${fhirPath}/${record.type}?subject=${encodeURIComponent(subject.reference)}&_count=50`;
}

/** Mostly exports one patient, sometimes a whole type. */
function exportPath(created: CreatedRecord, random: Random): string {
  const query =
    random.integerBetween(1, 10) === 1 ? 'type=Composition' : createSubjectSearch(created).split('?')[1];
  return `/app/export?${query?.replace('&_count=50', '') ?? ''}`;
}

async function create({ server, records, created }: Mixture, random: Random): Promise<Answer> {
  const record = random.pick(records);
  const response = await send(server, 'POST', `${fhirPath}/${record.type}`, record.text);
  if (response.status === 201) {
    const { id } = JSON.parse(response.text) as { id: string };
    created.push({ path: `${record.type}/${id}`, record, version: 1 });
    if (created.length > maxCreated) created.shift();
  }
  return response;
}

/**
 * Writes a record at its last known version. A positive `versionOffset` names a version that does not
 * exist.
 */
async function change(
  { server, created }: Pick<Mixture, 'server' | 'created'>,
  random: Random,
  method: 'PUT' | 'PATCH',
  versionOffset = 0,
): Promise<Answer> {
  const target = random.pick(created);
  const { path, record, version } = target;
  const title = `Load ${random.integerBetween(1, 1_000_000)}`;
  const [, id = ''] = path.split('/');
  const updated = { ...(JSON.parse(record.text) as object), id, title };
  const body = method === 'PUT' ? updated : [{ op: 'replace', path: '/title', value: title }];
  const match = { 'If-Match': `W/"${version + versionOffset}"` };
  const response = await send(server, method, `${fhirPath}/${path}`, JSON.stringify(body), match);
  const currentVersion = Number(/"(\d+)"/.exec(response.headers.get('ETag') ?? '')?.[1] ?? version);
  target.version = Math.max(target.version, currentVersion);
  return response;
}

function validate({ server, records }: Mixture, random: Random): Promise<Answer> {
  const { type, text } = random.pick(records);
  return send(server, 'POST', `${fhirPath}/${type}/$validate`, text);
}

function sendBadRequest(mixture: Mixture, random: Random): Promise<Answer> {
  return random.pick(badRequests)(mixture, random);
}

function importSome({ server, records }: Mixture, random: Random): Promise<Answer> {
  const lines = Array.from({ length: importSize }, () => random.pick(records).text);
  return send(server, 'POST', '/app/import', lines.join('\n'), { 'Content-Type': 'application/x-ndjson' });
}
