/** Works that go through all records one after another, and the reads of another process during them. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fhirPath } from '../core/api/contract.ts';
import { generateClinic } from '../server/demo/generate.ts';
import { Random } from '../server/demo/random.ts';
import { requestChecked } from './ask.ts';
import { median } from './measure.ts';
import { startOurs, type Server } from './processes.ts';
import type { Waits } from './reader.ts';
import { readSample, type SampleRecord } from './sample.ts';
import type { FilledStores } from './stores.ts';
import { warmCache } from './warm.ts';

export interface BesideFigure extends Waits {
  readonly title: string;
  /** Milliseconds of each response, or of each record of an import. */
  readonly durationsMs: readonly number[];
}

export interface BesideOptions {
  /** Seconds of each work. */
  readonly seconds: number;
  readonly seed: number;
  /** Text in the titles of the measured works. */
  readonly titlePart: string;
  /** Folder for a CPU profile of the server. */
  readonly profile: string | undefined;
}

interface WorkContext extends Server {
  readonly random: Random;
  readonly sample: readonly SampleRecord[];
  /** Aborted at the end of the work's time. */
  readonly signal: AbortSignal;
}

interface Work {
  /** Limit of each response in milliseconds. */
  readonly target?: number;
  /** Performs one turn. Returns a number of records if its duration counts per record. */
  readonly turn: (serving: WorkContext, turn: number) => Promise<number | undefined>;
}

/** Records of an import. */
export const importSize = 10_000;

const words = ['note', 'plan', 'summary', 'care', 'disc', 'report', 'heart', 'after', 'visit', 'gra'];
const statuses = ['active', 'completed', 'draft', 'revoked', 'on-hold'];
const names = [
  'Jo',
  'John',
  'Anna M',
  'Mül',
  'discharge sum',
  'diab',
  'CarePlan 1',
  'wound care',
  'a',
  'Smith',
];
/** Returns a month of the records' times. Each turn uses another one. */
const formatMonth = (turn: number, monthOffset = 0) => {
  const monthIndex = (turn % 23) + monthOffset;
  return `${2023 + Math.floor(monthIndex / 12)}-${String((monthIndex % 12) + 1).padStart(2, '0')}`;
};
const formatRange = (turn: number, months: number) =>
  `date=ge${formatMonth(turn)}&date=lt${formatMonth(turn, months)}`;
const pick = (values: readonly string[], turn: number) =>
  encodeURIComponent(values[turn % values.length] ?? '');

/**
 * Works by title. Each turn follows a change of a record and sends another request than the previous turn.
 */
export const works: Readonly<Record<string, Work>> = {
  'nothing, to compare with': { turn: () => setTimeout(100, undefined) },
  'a wide search, its first page': createRequestWork(
    (turn) => `${fhirPath}/CarePlan?status:not=${pick(statuses, turn)}&_count=100`,
  ),
  'title:contains': createRequestWork(
    (turn) => `${fhirPath}/Composition?title:contains=${pick(words, turn)}&_count=50`,
  ),
  'a date range': createRequestWork((turn) => `${fhirPath}/CarePlan?${formatRange(turn, 1)}&_count=20`),
  'the same date range again': createRequestWork(
    () => `${fhirPath}/CarePlan?${formatRange(5, 1)}&_count=20`,
    5,
  ),
  'a search without _count': createRequestWork(
    (turn) => `${fhirPath}/CarePlan?status=${pick(statuses, turn)}`,
  ),
  'a count': createRequestWork((turn) => `${fhirPath}/CarePlan?${formatRange(turn, 3)}&_summary=count`),
  'facet: status of a whole type': createRequestWork(() => '/app/facets/CarePlan/status', 300),
  'facet: author of a whole type': createRequestWork(() => '/app/facets/Composition/author', 300),
  'facets of up to 50,000 matches': createRequestWork(
    (turn) =>
      `/app/facets/${pick(['CarePlan/status', 'Composition/author', 'CarePlan/category'], turn).replace(
        '%2F',
        '/',
      )}?${formatRange(turn, 1)}`,
    300,
  ),
  'facets of wide searches': createRequestWork(
    (turn) =>
      `/app/facets/${turn % 2 ? 'CarePlan/status' : 'Composition/author'}?status:not=${pick(statuses, turn)}`,
  ),
  'findings of a whole type': createRequestWork(() => '/app/facets/CarePlan/findings', 300),
  'export as CSV, page by page': {
    turn: (serving, turn) =>
      readPages(serving, `${fhirPath}/CarePlan?status=${pick(statuses, turn)}&_count=200`),
  },
  'export as NDJSON': { turn: (serving) => send(serving, 'GET', '/app/export?type=CarePlan') },
  'the finder': createRequestWork((turn) => `/app/find?q=${pick(names, turn)}`),
  'an import at level off': { turn: importRecords, target: 1 },
};

function createRequestWork(createPath: (turn: number) => string, target?: number): Work {
  const turn: Work['turn'] = (serving, number) => send(serving, 'GET', createPath(number));
  return { turn, ...(target !== undefined && { target }) };
}

/** Measures each work on the built server. */
export async function measureParallelReads(
  { dataDir, sample }: FilledStores,
  { seconds, seed, titlePart, profile }: BesideOptions,
  log: (line: string) => void,
): Promise<BesideFigure[]> {
  await warmCache([join(dataDir, 'records.db')]);
  const server = await startOurs(dataDir, profile);
  const figures: BesideFigure[] = [];
  try {
    const records = readSample(sample);
    const random = new Random(seed, 0, 0);
    for (const [title, work] of Object.entries(works)) {
      if (!title.includes(titlePart)) continue;
      const reader = fork(resolve(import.meta.dirname, 'reader.ts'), [
        String(server.port),
        server.token,
        sample,
      ]);
      await once(reader, 'message');
      const durationsMs = await measureTurns(
        { ...server, random, sample: records, signal: AbortSignal.timeout(seconds * 1000) },
        work,
      ).catch((error: unknown) => {
        // Its IPC channel would keep this process from ending.
        reader.kill();
        throw error;
      });
      reader.send('end');
      const [waits] = (await once(reader, 'message')) as [Waits];
      figures.push({ title, durationsMs, ...waits });
      log(
        `${title}: ${durationsMs.length} answers, median ${median(durationsMs)} ms, longest ${Math.max(...durationsMs)} ms; ${JSON.stringify(waits)}`,
      );
    }
  } finally {
    await server.stop();
  }
  return figures;
}

async function measureTurns(serving: WorkContext, { turn }: Work): Promise<number[]> {
  const durationsMs: number[] = [];
  for (let number = 0; !serving.signal.aborted; number += 1) {
    await change(serving);
    const startTime = performance.now();
    const records = await turn(serving, number);
    durationsMs.push((performance.now() - startTime) / (records ?? 1));
    if (records !== undefined) break;
  }
  return durationsMs;
}

/** Writes a new version of some record, so that counts are computed again. */
async function change(serving: WorkContext): Promise<void> {
  const { type, id } = serving.random.pick(serving.sample);
  const body = JSON.stringify([{ op: 'replace', path: '/title', value: `Title ${performance.now()}` }]);
  const response = await requestChecked(serving, 'PATCH', `${fhirPath}/${type}/${id}`, body, {
    'Content-Type': 'application/json-patch+json',
    'If-Match': '*',
  });
  await response.arrayBuffer();
}

/** Reads a response to its end, or until the time of the work is over. */
async function send(serving: WorkContext, method: string, path: string): Promise<undefined> {
  const response = await requestChecked(serving, method, path);
  const body = response.body?.getReader();
  while (body && !(await body.read()).done)
    if (serving.signal.aborted) return body.cancel().then(() => undefined);
  return undefined;
}

/** Reads the pages of a search one after another. */
async function readPages(serving: WorkContext, path: string): Promise<undefined> {
  for (let nextPath: string | undefined = path; nextPath !== undefined && !serving.signal.aborted;) {
    const text: string = await (await requestChecked(serving, 'GET', nextPath)).text();
    const link = /"relation":"next","url":("[^"]*")/.exec(text)?.[1];
    const url = link && new URL(JSON.parse(link) as string);
    nextPath = url && url.pathname + url.search;
  }
}

async function importRecords(serving: WorkContext): Promise<number> {
  const lines: string[] = [];
  for (const { text } of generateClinic({ seed: Date.now() % 1e6, patients: importSize })) {
    lines.push(text);
    if (lines.length === importSize) break;
  }
  const response = await requestChecked(serving, 'POST', '/app/import?level=off', lines.join('\n'), {
    'Content-Type': 'application/x-ndjson',
  });
  const report = await response.text();
  if (!report.includes(`"stored":${importSize}`))
    throw new Error(`An import was not whole: ${report.slice(-200)}`);
  return importSize;
}
