/**
 * Measures the waits of a person over a large shared store: searches, facets and the finder, after a change
 * and again.
 */
import { fhirPath } from '../core/api/contract.ts';
import { Random } from '../server/demo/random.ts';
import { requestChecked } from './ask.ts';
import { median } from './measure.ts';
import type { Server } from './processes.ts';
import type { SampleRecord } from './sample.ts';

/** Limits of the two medians in milliseconds. */
interface Limits {
  readonly changed: number;
  readonly repeated: number;
}

export interface SharedFigure {
  readonly title: string;
  /** Medians in milliseconds: of requests after a change of some record, and of requests without a change. */
  readonly changedMs: number;
  readonly repeatedMs: number;
  /** Mean processor time of the database for a request after a change, in milliseconds. */
  readonly processorMs: number;
  readonly limitsMs: Limits;
}

type CreatePath = (turn: number, random: Random, sample: readonly SampleRecord[]) => string;

interface MeasuredRequest {
  readonly address: CreatePath;
  readonly limitsMs: Limits;
}

const statuses = ['active', 'completed', 'draft', 'revoked', 'on-hold'];
const words = ['note', 'plan', 'summary', 'care', 'report', 'visit'];
const names = ['John', 'Anna M', 'discharge sum', 'diab', 'wound care', 'Smith'];
const pick = (values: readonly string[], turn: number) =>
  encodeURIComponent(values[turn % values.length] ?? '');

/** Returns a month of the records' times. */
function formatMonth(turn: number, monthOffset = 0): string {
  const monthIndex = (turn % 11) + monthOffset;
  return `${2023 + Math.floor(monthIndex / 12)}-${String((monthIndex % 12) + 1).padStart(2, '0')}`;
}
const formatRange = (turn: number) => `date=ge${formatMonth(turn)}&date=lt${formatMonth(turn, 1)}`;

const createSearch = (query: (turn: number) => string): MeasuredRequest => ({
  address: (turn) => `${fhirPath}/${query(turn)}`,
  limitsMs: { changed: 300, repeated: 40 },
});
const createFacet = (address: (turn: number) => string): MeasuredRequest => ({
  address,
  limitsMs: { changed: 600, repeated: 600 },
});

const measuredRequests: Readonly<Record<string, MeasuredRequest>> = {
  'by subject': {
    address: (_, random, sample) => `${fhirPath}/CarePlan?subject=${random.pick(sample).subject}`,
    limitsMs: { changed: 300, repeated: 40 },
  },
  'a status': createSearch((turn) => `CarePlan?status=${pick(statuses, turn)}&_count=20`),
  'status:not': createSearch((turn) => `CarePlan?status:not=${pick(statuses, turn)}&_count=20`),
  'title:contains': createSearch((turn) => `Composition?title:contains=${pick(words, turn)}&_count=20`),
  'encounter:missing': createSearch(() => 'Composition?encounter:missing=true&_count=20'),
  'a whole type': createSearch(() => 'CarePlan?_count=20'),
  'a date range': {
    address: (turn) => `${fhirPath}/CarePlan?${formatRange(turn)}&_count=20`,
    limitsMs: { changed: 300, repeated: 10 },
  },
  'a count of a date range': createSearch((turn) => `CarePlan?${formatRange(turn)}&_summary=count`),
  'facet: status of a whole type': createFacet(() => '/app/facets/CarePlan/status'),
  'facet: author of a whole type': createFacet(() => '/app/facets/Composition/author'),
  'facet: findings of a whole type': createFacet(() => '/app/facets/CarePlan/findings'),
  'facet: status of a month': createFacet((turn) => `/app/facets/CarePlan/status?${formatRange(turn)}`),
  'facet: category of a month': createFacet((turn) => `/app/facets/CarePlan/category?${formatRange(turn)}`),
  'the finder': {
    address: (turn) => `/app/find?q=${pick(names, turn)}`,
    limitsMs: { changed: 100, repeated: 100 },
  },
};

export interface MeasureOptions {
  readonly rounds: number;
  readonly seed: number;
  readonly titlePattern: RegExp;
  /** Returns the processor time of the database so far, in milliseconds. */
  readonly readProcessorMs: () => number;
}

/** Measures each request a number of times after a change of some record, each followed by a repetition. */
export async function measureShared(
  server: Server,
  sample: readonly SampleRecord[],
  { rounds, seed, titlePattern, readProcessorMs }: MeasureOptions,
  log: (line: string) => void,
): Promise<SharedFigure[]> {
  const random = new Random(seed, 0, 0);
  const figures: SharedFigure[] = [];
  for (const [title, { address, limitsMs }] of Object.entries(measuredRequests)) {
    if (!titlePattern.test(title)) continue;
    const measureTime = async (path: string) => {
      const startTime = performance.now();
      await (await requestChecked(server, 'GET', path)).arrayBuffer();
      return performance.now() - startTime;
    };
    const [changedMs, repeatedMs]: [number[], number[]] = [[], []];
    let processorMs = 0;
    for (let turn = 0; turn < rounds; turn += 1) {
      const path = address(turn, random, sample);
      await change(server, random.pick(sample));
      const processorMsBefore = readProcessorMs();
      changedMs.push(await measureTime(path));
      processorMs += readProcessorMs() - processorMsBefore;
      repeatedMs.push(await measureTime(path));
    }
    figures.push({
      title,
      changedMs: median(changedMs),
      repeatedMs: median(repeatedMs),
      processorMs: processorMs / rounds,
      limitsMs,
    });
    log(
      `${title}: ${median(changedMs).toFixed(1)} ms behind a change, ${median(repeatedMs).toFixed(1)} ms again`,
    );
  }
  return figures;
}

async function change(server: Server, { type, id }: SampleRecord): Promise<void> {
  const body = JSON.stringify([{ op: 'replace', path: '/title', value: `Title ${performance.now()}` }]);
  const headers = { 'Content-Type': 'application/json-patch+json', 'If-Match': '*' };
  await (await requestChecked(server, 'PATCH', `${fhirPath}/${type}/${id}`, body, headers)).arrayBuffer();
}

export function isWithinLimits({ changedMs, repeatedMs, limitsMs }: SharedFigure): boolean {
  return changedMs <= limitsMs.changed && repeatedMs <= limitsMs.repeated;
}
