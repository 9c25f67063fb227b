/** What goes through the records as a whole, one thing after the other, and the reads of another process meanwhile. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fhirPath } from '../core/api/contract.ts';
import { generateClinic } from '../server/demo/generate.ts';
import { Random } from '../server/demo/random.ts';
import { ask } from './ask.ts';
import { median } from './measure.ts';
import { startOurs, type Server } from './processes.ts';
import type { Waits } from './reader.ts';
import { readSample, type SampleRecord } from './sample.ts';
import type { FilledStores } from './stores.ts';
import { warm } from './warm.ts';

export interface BesideFigure extends Waits {
  readonly what: string;
  /** Milliseconds of each answer; of an import those of one record. */
  readonly answers: readonly number[];
}

export interface BesideOptions {
  /** Seconds of each work. */
  readonly seconds: number;
  readonly seed: number;
  /** Text in the names of the works that are measured. */
  readonly only: string;
  /** Folder for a CPU profile of the server. */
  readonly profile: string | undefined;
}

interface Serving extends Server {
  readonly random: Random;
  readonly sample: readonly SampleRecord[];
  /** Ended with the work's time. */
  readonly signal: AbortSignal;
}

interface Work {
  /** Milliseconds that each answer may take. */
  readonly target?: number;
  /** Does one turn; the number of records where its time is told for one. */
  readonly turn: (serving: Serving, turn: number) => Promise<number | undefined>;
}

/** Records of an import. */
export const imported = 10_000;

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
/** A month of the records' times, another each turn. */
const month = (turn: number, ahead = 0) => {
  const at = (turn % 23) + ahead;
  return `${2023 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`;
};
const range = (turn: number, months: number) => `date=ge${month(turn)}&date=lt${month(turn, months)}`;
const of = (list: readonly string[], turn: number) => encodeURIComponent(list[turn % list.length] ?? '');

/** By what is done. Each turn comes behind a change of some record, and asks what the one before did not. */
export const works: Readonly<Record<string, Work>> = {
  'nothing, to compare with': { turn: () => setTimeout(100, undefined) },
  'a wide search, its first page': asked(
    (turn) => `${fhirPath}/CarePlan?status:not=${of(statuses, turn)}&_count=100`,
  ),
  'title:contains': asked((turn) => `${fhirPath}/Composition?title:contains=${of(words, turn)}&_count=50`),
  'a date range': asked((turn) => `${fhirPath}/CarePlan?${range(turn, 1)}&_count=20`),
  'the same date range again': asked(() => `${fhirPath}/CarePlan?${range(5, 1)}&_count=20`, 5),
  'a search without _count': asked((turn) => `${fhirPath}/CarePlan?status=${of(statuses, turn)}`),
  'a count': asked((turn) => `${fhirPath}/CarePlan?${range(turn, 3)}&_summary=count`),
  'facet: status of a whole type': asked(() => '/app/facets/CarePlan/status', 300),
  'facet: author of a whole type': asked(() => '/app/facets/Composition/author', 300),
  'facets of up to 50,000 matches': asked(
    (turn) =>
      `/app/facets/${of(['CarePlan/status', 'Composition/author', 'CarePlan/category'], turn).replace(
        '%2F',
        '/',
      )}?${range(turn, 1)}`,
    300,
  ),
  'facets of wide searches': asked(
    (turn) =>
      `/app/facets/${turn % 2 ? 'CarePlan/status' : 'Composition/author'}?status:not=${of(statuses, turn)}`,
  ),
  'findings of a whole type': asked(() => '/app/facets/CarePlan/findings', 300),
  'export as CSV, page by page': {
    turn: (serving, turn) =>
      readPages(serving, `${fhirPath}/CarePlan?status=${of(statuses, turn)}&_count=200`),
  },
  'export as NDJSON': { turn: (serving) => send(serving, 'GET', '/app/export?type=CarePlan') },
  'the finder': asked((turn) => `/app/find?q=${of(names, turn)}`),
  'an import at level off': { turn: importSome, target: 1 },
};

function asked(path: (turn: number) => string, target?: number): Work {
  const turn: Work['turn'] = (serving, number) => send(serving, 'GET', path(number));
  return { turn, ...(target !== undefined && { target }) };
}

/** Each work on the built server, which serves all of them, as it would a person. */
export async function measureBeside(
  { dataDir, sample }: FilledStores,
  { seconds, seed, only, profile }: BesideOptions,
  log: (line: string) => void,
): Promise<BesideFigure[]> {
  await warm([join(dataDir, 'records.db')]);
  const server = await startOurs(dataDir, profile);
  const figures: BesideFigure[] = [];
  try {
    const records = readSample(sample);
    const random = new Random(seed, 0, 0);
    for (const [what, work] of Object.entries(works)) {
      if (!what.includes(only)) continue;
      const reader = fork(resolve(import.meta.dirname, 'reader.ts'), [
        String(server.port),
        server.token,
        sample,
      ]);
      await once(reader, 'message');
      const answers = await during(
        { ...server, random, sample: records, signal: AbortSignal.timeout(seconds * 1000) },
        work,
      ).catch((fault: unknown) => {
        // It would keep this process from ending.
        reader.kill();
        throw fault;
      });
      reader.send('end');
      const [waits] = (await once(reader, 'message')) as [Waits];
      figures.push({ what, answers, ...waits });
      log(
        `${what}: ${answers.length} answers, median ${median(answers)} ms, longest ${Math.max(...answers)} ms; ${JSON.stringify(waits)}`,
      );
    }
  } finally {
    await server.stop();
  }
  return figures;
}

async function during(serving: Serving, { turn }: Work): Promise<number[]> {
  const answers: number[] = [];
  for (let number = 0; !serving.signal.aborted; number += 1) {
    await change(serving);
    const started = performance.now();
    const records = await turn(serving, number);
    answers.push((performance.now() - started) / (records ?? 1));
    if (records !== undefined) break;
  }
  return answers;
}

/** Writes a new version of some record, so that whatever was counted is counted anew. */
async function change(serving: Serving): Promise<void> {
  const { type, id } = serving.random.pick(serving.sample);
  const body = JSON.stringify([{ op: 'replace', path: '/title', value: `Title ${performance.now()}` }]);
  const answer = await ask(serving, 'PATCH', `${fhirPath}/${type}/${id}`, body, {
    'Content-Type': 'application/json-patch+json',
    'If-Match': '*',
  });
  await answer.arrayBuffer();
}

/** Reads an answer to its end, or for as long as the work goes on. */
async function send(serving: Serving, method: string, path: string): Promise<undefined> {
  const answer = await ask(serving, method, path);
  const body = answer.body?.getReader();
  while (body && !(await body.read()).done)
    if (serving.signal.aborted) return body.cancel().then(() => undefined);
  return undefined;
}

/** The pages of a search one after the other. */
async function readPages(serving: Serving, path: string): Promise<undefined> {
  for (let next: string | undefined = path; next !== undefined && !serving.signal.aborted;) {
    const text: string = await (await ask(serving, 'GET', next)).text();
    const link = /"relation":"next","url":("[^"]*")/.exec(text)?.[1];
    const url = link && new URL(JSON.parse(link) as string);
    next = url && url.pathname + url.search;
  }
}

async function importSome(serving: Serving): Promise<number> {
  const lines: string[] = [];
  for (const { text } of generateClinic({ seed: Date.now() % 1e6, patients: imported })) {
    lines.push(text);
    if (lines.length === imported) break;
  }
  const answer = await ask(serving, 'POST', '/app/import?level=off', lines.join('\n'), {
    'Content-Type': 'application/x-ndjson',
  });
  const report = await answer.text();
  if (!report.includes(`"stored":${imported}`))
    throw new Error(`An import was not whole: ${report.slice(-200)}`);
  return imported;
}
