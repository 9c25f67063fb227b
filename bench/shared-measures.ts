/** What a person waits for over a large shared store: searches, facets and the finder, behind a change and again. */
import { fhirPath } from '../core/api/contract.ts';
import { Random } from '../server/demo/random.ts';
import { ask } from './ask.ts';
import { median } from './measure.ts';
import type { Server } from './processes.ts';
import type { SampleRecord } from './sample.ts';

export interface SharedFigure {
  readonly what: string;
  /** Medians in milliseconds: of requests that come behind a change of some record, and of those that do not. */
  readonly changed: number;
  readonly again: number;
  /** Milliseconds of a processor that the database used for one behind a change, the mean. */
  readonly used: number;
  /** What both may be at most. */
  readonly most: readonly [changed: number, again: number];
}

type Address = (turn: number, random: Random, sample: readonly SampleRecord[]) => string;

interface Asked {
  readonly address: Address;
  readonly most: readonly [changed: number, again: number];
}

const statuses = ['active', 'completed', 'draft', 'revoked', 'on-hold'];
const words = ['note', 'plan', 'summary', 'care', 'report', 'visit'];
const names = ['John', 'Anna M', 'discharge sum', 'diab', 'wound care', 'Smith'];
const of = (list: readonly string[], turn: number) => encodeURIComponent(list[turn % list.length] ?? '');

/** A month of the records' times. */
function month(turn: number, ahead = 0): string {
  const at = (turn % 11) + ahead;
  return `${2023 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`;
}
const range = (turn: number) => `date=ge${month(turn)}&date=lt${month(turn, 1)}`;

const search = (query: (turn: number) => string): Asked => ({
  address: (turn) => `${fhirPath}/${query(turn)}`,
  most: [300, 40],
});
const facet = (address: (turn: number) => string): Asked => ({ address, most: [600, 600] });

const asked: Readonly<Record<string, Asked>> = {
  'by subject': {
    address: (_, random, sample) => `${fhirPath}/CarePlan?subject=${random.pick(sample).subject}`,
    most: [300, 40],
  },
  'a status': search((turn) => `CarePlan?status=${of(statuses, turn)}&_count=20`),
  'status:not': search((turn) => `CarePlan?status:not=${of(statuses, turn)}&_count=20`),
  'title:contains': search((turn) => `Composition?title:contains=${of(words, turn)}&_count=20`),
  'encounter:missing': search(() => 'Composition?encounter:missing=true&_count=20'),
  'a whole type': search(() => 'CarePlan?_count=20'),
  'a date range': { address: (turn) => `${fhirPath}/CarePlan?${range(turn)}&_count=20`, most: [300, 10] },
  'a count of a date range': search((turn) => `CarePlan?${range(turn)}&_summary=count`),
  'facet: status of a whole type': facet(() => '/app/facets/CarePlan/status'),
  'facet: author of a whole type': facet(() => '/app/facets/Composition/author'),
  'facet: findings of a whole type': facet(() => '/app/facets/CarePlan/findings'),
  'facet: status of a month': facet((turn) => `/app/facets/CarePlan/status?${range(turn)}`),
  'facet: category of a month': facet((turn) => `/app/facets/CarePlan/category?${range(turn)}`),
  'the finder': { address: (turn) => `/app/find?q=${of(names, turn)}`, most: [100, 100] },
};

export interface MeasureOptions {
  readonly rounds: number;
  readonly seed: number;
  readonly only: RegExp;
  /** Milliseconds of a processor that the database used until now. */
  readonly used: () => number;
}

/** Each so many times behind a change of some record, then as many times without. */
export async function measureShared(
  server: Server,
  sample: readonly SampleRecord[],
  { rounds, seed, only, used }: MeasureOptions,
  log: (line: string) => void,
): Promise<SharedFigure[]> {
  const random = new Random(seed, 0, 0);
  const figures: SharedFigure[] = [];
  for (const [what, { address, most }] of Object.entries(asked)) {
    if (!only.test(what)) continue;
    const time = async (path: string) => {
      const started = performance.now();
      await (await ask(server, 'GET', path)).arrayBuffer();
      return performance.now() - started;
    };
    const [changed, again]: [number[], number[]] = [[], []];
    let busy = 0;
    for (let turn = 0; turn < rounds; turn += 1) {
      const path = address(turn, random, sample);
      await change(server, random.pick(sample));
      const before = used();
      changed.push(await time(path));
      busy += used() - before;
      again.push(await time(path));
    }
    figures.push({ what, changed: median(changed), again: median(again), used: busy / rounds, most });
    log(`${what}: ${median(changed).toFixed(1)} ms behind a change, ${median(again).toFixed(1)} ms again`);
  }
  return figures;
}

async function change(server: Server, { type, id }: SampleRecord): Promise<void> {
  const body = JSON.stringify([{ op: 'replace', path: '/title', value: `Title ${performance.now()}` }]);
  const headers = { 'Content-Type': 'application/json-patch+json', 'If-Match': '*' };
  await (await ask(server, 'PATCH', `${fhirPath}/${type}/${id}`, body, headers)).arrayBuffer();
}

export function isWithin({ changed, again, most }: SharedFigure): boolean {
  return changed <= most[0] && again <= most[1];
}
