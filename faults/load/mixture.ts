import { fhirPath } from '../../core/api/contract.ts';
import { generateClinic, type DemoRecord } from '../../server/demo/generate.ts';
import type { Random } from '../../server/demo/random.ts';
import type { Server } from '../../bench/processes.ts';
import { FaultError } from '../fault-case.ts';
import { send, type Answer } from '../server.ts';

/** A record that was made, with the version that is known of it. */
interface Made {
  readonly path: string;
  readonly record: DemoRecord;
  version: number;
}

/** What all clients of a mixture share. */
export interface Mixture {
  readonly server: Pick<Server, 'port' | 'token'>;
  readonly records: readonly DemoRecord[];
  /** Those that requests are about, the newest. */
  readonly made: Made[];
  /** Answers by kind of request. */
  readonly answers: Map<string, number>;
}

type Request = (mixture: Mixture, random: Random) => Promise<Answer>;

interface Kind {
  readonly weight: number;
  /** Statuses that it may be answered with. */
  readonly statuses: readonly number[];
  readonly request: Request;
}

const get =
  (pathOf: (made: Made, random: Random) => string): Request =>
  ({ server, made }, random) =>
    send(server, 'GET', pathOf(random.pick(made), random));

const bad: readonly Request[] = [
  ({ server }) => send(server, 'POST', `${fhirPath}/CarePlan`, '{"resourceType":'),
  ({ server }) => send(server, 'POST', `${fhirPath}/CarePlan`, '{"resourceType":"CarePlan","title":7}'),
  ({ server }) => send(server, 'GET', `${fhirPath}/Composition?colour=red`),
  ({ server }) => send(server, 'GET', `${fhirPath}/CarePlan/none`),
  ({ server }) => send(server, 'DELETE', `${fhirPath}/CarePlan`),
  ({ server, made }, random) => change({ server, made }, random, 'PATCH', 7),
];

/** All that clients ask for, seldom what is long. */
const kinds: Readonly<Record<string, Kind>> = {
  reads: { weight: 300, statuses: [200], request: get(({ path }) => `${fhirPath}/${path}`) },
  'searches by patient': { weight: 200, statuses: [200], request: get(bySubject) },
  'searches of a page': {
    weight: 60,
    statuses: [200],
    request: get(() => `${fhirPath}/Composition?status=final&_sort=-_lastUpdated&_count=20`),
  },
  creates: { weight: 60, statuses: [201], request: create },
  updates: { weight: 80, statuses: [200, 412], request: (all, random) => change(all, random, 'PUT') },
  patches: { weight: 80, statuses: [200, 412], request: (all, random) => change(all, random, 'PATCH') },
  histories: {
    weight: 60,
    statuses: [200],
    request: get(({ path }) => `${fhirPath}/${path}/_history?_count=10`),
  },
  validations: { weight: 40, statuses: [200], request: validate },
  'bad requests': { weight: 60, statuses: [400, 404, 405, 412, 422], request: refused },
  worklists: { weight: 4, statuses: [200], request: get(() => '/app/quality') },
  exports: { weight: 4, statuses: [200], request: get(exportPath) },
  imports: { weight: 4, statuses: [200], request: importSome },
};

/** Records that an import brings. */
const imported = 20;

/** Records that requests are about. */
const remembered = 500;

export function createMixture(server: Mixture['server'], seed: number): Mixture {
  return { server, records: [...generateClinic({ seed, patients: 50 })], made: [], answers: new Map() };
}

/** Sends one request of the mixture. Rejects where it is answered with a status that its kind has not. */
export async function sendOne(mixture: Mixture, random: Random): Promise<void> {
  const weights = Object.fromEntries(Object.entries(kinds).map(([name, { weight }]) => [name, weight]));
  const name = mixture.made.length < 20 ? 'creates' : random.weighted(weights);
  const kind = kinds[name];
  if (!kind) return;
  const { status, text } = await kind.request(mixture, random);
  mixture.answers.set(name, (mixture.answers.get(name) ?? 0) + 1);
  if (!kind.statuses.includes(status))
    throw new FaultError(`Of the ${name}, one was answered ${status}: ${text.slice(0, 300)}`);
}

function bySubject({ record }: Made): string {
  const { subject } = JSON.parse(record.text) as { subject: { reference: string } };
  return `${fhirPath}/${record.type}?subject=${encodeURIComponent(subject.reference)}&_count=50`;
}

/** Mostly of one patient, now and then of a whole type. */
function exportPath(made: Made, random: Random): string {
  const query = random.between(1, 10) === 1 ? 'type=Composition' : bySubject(made).split('?')[1];
  return `/app/export?${query?.replace('&_count=50', '') ?? ''}`;
}

async function create({ server, records, made }: Mixture, random: Random): Promise<Answer> {
  const record = random.pick(records);
  const answer = await send(server, 'POST', `${fhirPath}/${record.type}`, record.text);
  if (answer.status === 201) {
    const { id } = JSON.parse(answer.text) as { id: string };
    made.push({ path: `${record.type}/${id}`, record, version: 1 });
    if (made.length > remembered) made.shift();
  }
  return answer;
}

/** Writes a record with the version that is known of it; `ahead` names one that is not there. */
async function change(
  { server, made }: Pick<Mixture, 'server' | 'made'>,
  random: Random,
  method: 'PUT' | 'PATCH',
  ahead = 0,
): Promise<Answer> {
  const target = random.pick(made);
  const { path, record, version } = target;
  const title = `Load ${random.between(1, 1_000_000)}`;
  const [, id = ''] = path.split('/');
  const whole = { ...(JSON.parse(record.text) as object), id, title };
  const body = method === 'PUT' ? whole : [{ op: 'replace', path: '/title', value: title }];
  const match = { 'If-Match': `W/"${version + ahead}"` };
  const answer = await send(server, method, `${fhirPath}/${path}`, JSON.stringify(body), match);
  const now = Number(/"(\d+)"/.exec(answer.headers.get('ETag') ?? '')?.[1] ?? version);
  target.version = Math.max(target.version, now);
  return answer;
}

function validate({ server, records }: Mixture, random: Random): Promise<Answer> {
  const { type, text } = random.pick(records);
  return send(server, 'POST', `${fhirPath}/${type}/$validate`, text);
}

function refused(mixture: Mixture, random: Random): Promise<Answer> {
  return random.pick(bad)(mixture, random);
}

function importSome({ server, records }: Mixture, random: Random): Promise<Answer> {
  const lines = Array.from({ length: imported }, () => random.pick(records).text);
  return send(server, 'POST', '/app/import', lines.join('\n'), { 'Content-Type': 'application/x-ndjson' });
}
