/**
 * Reads and validates all records of another server without a page: one job per connection, stored in its
 * own file under `remote/`. Called by the routes of connections and at server start.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Connection } from '../../core/app/connections.ts';
import { formatError } from '../log-lines.ts';
import type { QualityFilter } from '../../core/app/quality.ts';
import type { RemoteJob, RemoteQuality } from '../../core/app/remote-quality.ts';
import { dayOf } from '../../core/derive/derive.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { resourceTypes, type ResourceType } from '../../core/fhir/resource.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { Run } from '../fhir/drafts.ts';
import { createWorklist, type Worklist } from '../fhir/quality.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { createRemoteRecordsWorker, type RemoteRecordsWorker } from './remote-records-beside.ts';
import type { RemoteChange } from './remote-records.ts';
import type { ConnectionStore } from '../workspace/connections.ts';
import { createBackground, type Background } from '../background/background.ts';
import type { Leases } from '../store/leases.ts';
import { createMutex } from '../store/mutex.ts';
import { requestWithRetry, type RetryOptions } from './request-with-retry.ts';
import { startJob, readJob, running, toRemoteJob, type JobState } from './job-state.ts';
import { crawlRecords } from './walk.ts';
import { ConnectionError } from '../gateway/remote-error.ts';
import type { CheckFinding } from '../../core/app/checks.ts';
import { excerptOf } from '../../core/app/excerpt.ts';
import { locate, parsePointer } from '../../core/json/pointer.ts';
import { scan } from '../../core/json/scan.ts';
import type { ValidatedPage } from '../fhir/validated-page.ts';

const messages = defineMessages('remote.worklist', {
  connectionDeleted: 'The connection was deleted.',
  anotherServer: 'Another server is already checking these records.',
  failed: 'The records couldn’t be checked. See the log.',
});

export interface RemoteJudgeOptions {
  readonly dataDir: string;
  readonly connections: Pick<ConnectionStore, 'list' | 'find'>;
  readonly gateway: Pick<Gateway, 'ask'>;
  readonly run: Run;
  /** Checks of one's own. */
  readonly checks: CustomChecks;
  readonly clock: () => number;
  /** Which of the servers of one store reads a connection's records. */
  readonly leases: Leases;
  readonly log: (line: string) => void;
}

export type RemoteValidation = ReturnType<typeof createRemoteValidation>;

interface OpenJob {
  readonly records: RemoteRecordsWorker;
  readonly worklist: Worklist;
  state: JobState;
  /** Remaining pages of the run. */
  pages?: AsyncGenerator<void> | undefined;
  /** Only one page at a time is requested from a server, by any of the servers. */
  readonly background: Background;
  /** One request begins or stops the job at a time. */
  readonly inTurn: ReturnType<typeof createMutex>;
}

/** Lease of a connection in seconds: longer than a page takes. */
const leased = 120;

const wait: RetryOptions['wait'] = (ms, signal) => setTimeout(ms, undefined, { signal, ref: false });

export function createRemoteValidation(options: RemoteJudgeOptions) {
  const { dataDir, connections, gateway, run, checks, clock, leases, log } = options;
  const files = createRemoteRecordsWorker();
  const jobsById = new Map<string, Promise<OpenJob>>();
  let closed = false;
  const hasCustomChecks = () => checks.stamp() !== '';
  const pathOf = (id: string) => join(dataDir, 'remote', `${id}.db`);

  function open(id: string): Promise<OpenJob> {
    const existingJob = jobsById.get(id);
    if (existingJob) return existingJob;
    const newJob = openJobFile(id, files.open(pathOf(id)));
    jobsById.set(id, newJob);
    newJob.catch(() => jobsById.delete(id));
    return newJob;
  }

  async function openJobFile(id: string, records: RemoteRecordsWorker): Promise<OpenJob> {
    const background = createBackground({
      store: { leases },
      leased: [`remote/${id}`, leased],
      async step(signal) {
        if (!isUnderWay(openJob.state)) return false;
        if (openJob.state.state === 'waiting') await keep(openJob, running(openJob.state));
        openJob.pages ??= validatePages(id, openJob, signal);
        return (await openJob.pages.next()).done !== true;
      },
      onRefused: (ms) => reportPause(openJob, { until: clock() + ms, error: messages.anotherServer().text }),
      onFailure: (error) => fail(openJob, error),
    });
    const openJob: OpenJob = {
      records,
      worklist: createWorklist({ level: 'standard', sentences: checks.sentences, ...records }),
      state: readJob(await records.job()),
      background,
      inTurn: createMutex(),
    };
    return openJob;
  }

  async function keep(openJob: OpenJob, state: JobState, change?: RemoteChange): Promise<void> {
    const addedCount = await openJob.records.keep(state, change);
    openJob.state = { ...state, read: state.read + addedCount };
  }

  async function reportPause(openJob: OpenJob, pause: Parameters<RetryOptions['onWait']>[0]): Promise<void> {
    const state = running(openJob.state);
    const until = new Date(pause?.until ?? 0).toISOString();
    await keep(openJob, pause ? { ...state, state: 'waiting', until, fault: pause.error } : state);
  }

  /** Reads, validates and stores the remaining pages of a job. Yields after each. */
  async function* validatePages(id: string, openJob: OpenJob, signal: AbortSignal): AsyncGenerator<void> {
    const connection = async () => {
      const savedConnection = await connections.find(id);
      if (savedConnection) return savedConnection;
      throw new FhirError('not-found', messages.connectionDeleted());
    };
    const onWait: RetryOptions['onWait'] = (pause) =>
      signal.aborted ? undefined : reportPause(openJob, pause);
    const requestOptions = { gateway, connection, clock, wait, onWait };
    const { baseUrl } = await connection();
    for (const type of resourceTypes) {
      const initialWalk = openJob.state.walks[type];
      if (initialWalk.done) continue;
      const pages = crawlRecords(initialWalk, {
        type,
        baseUrl,
        ask: (url) => requestWithRetry(requestOptions, url, type, signal),
        judge: async (text) =>
          addCheckFindings(
            checks,
            type,
            await run('judgePage', [text, type, dayOf(clock()), hasCustomChecks()], true),
          ),
      });
      for await (const { page, walk } of pages) {
        signal.throwIfAborted();
        const { state } = openJob;
        const { records, deleted } = page;
        const isLastPage = walk.done && walk.refused === undefined;
        const change = { type, run: state.run, records, deleted, isLastPage };
        await keep(openJob, { ...state, walks: { ...state.walks, [type]: walk } }, change);
        yield;
      }
    }
    const rejections = Object.values(openJob.state.walks).flatMap((walk) => walk.refused ?? []);
    const [firstRejection] = rejections.length === resourceTypes.length ? rejections : [];
    await keep(openJob, {
      ...openJob.state,
      ...(firstRejection === undefined ? { state: 'done' } : { state: 'failed', fault: firstRejection }),
    });
  }

  async function fail(openJob: OpenJob, error: unknown): Promise<void> {
    const isKnownError = error instanceof ConnectionError || error instanceof FhirError;
    if (!isKnownError) log(`Checking another server’s records failed: ${formatError(error)}`);
    const fault = isKnownError ? error.message : messages.failed().text;
    await keep(openJob, { ...running(openJob.state), state: 'failed', fault }).catch((problem: unknown) =>
      log(`Couldn’t save the progress of a worklist: ${formatError(problem)}`),
    );
  }

  async function halt(openJob: OpenJob): Promise<void> {
    await openJob.background.stop();
    openJob.pages = undefined;
  }

  /** Stops the job and closes its file. */
  async function release(pendingJob: Promise<OpenJob>): Promise<void> {
    const openJob = await pendingJob.catch(() => undefined);
    if (!openJob) return;
    await openJob.inTurn(async () => {
      await openJob.background.close();
      await openJob.records.close();
    });
  }

  async function wakeAll(): Promise<void> {
    for (const { id } of await connections.list()) {
      if (closed || !existsSync(pathOf(id))) continue;
      const openJob = await open(id);
      await openJob.inTurn(() => {
        if (isUnderWay(openJob.state)) openJob.background.wake();
      });
    }
  }
  let woken: Promise<void> | undefined;

  return {
    /** Resumes in the background the jobs that ran when the server stopped. */
    wake(): void {
      woken = wakeAll().catch((error: unknown) => log(`Couldn’t resume a worklist: ${formatError(error)}`));
    },

    /**
     * Starts or resumes a job, or reads the changes since the last run. A running job continues, unless
     * `from` is `start`.
     */
    async start({ id }: Connection, from?: 'start'): Promise<RemoteJob> {
      const openJob = await open(id);
      return openJob.inTurn(async () => {
        if (openJob.background.isActive() && from === undefined) return toRemoteJob(openJob.state);
        await halt(openJob);
        await keep(openJob, startJob(openJob.state, from, new Date(clock()).toISOString(), checks.stamp()));
        openJob.background.wake();
        return toRemoteJob(openJob.state);
      });
    },

    async stop({ id }: Connection): Promise<RemoteJob> {
      const openJob = await open(id);
      return openJob.inTurn(async () => {
        if (openJob.background.isActive()) {
          await halt(openJob);
          if (isUnderWay(openJob.state)) await keep(openJob, { ...running(openJob.state), state: 'stopped' });
        }
        return toRemoteJob(openJob.state);
      });
    },

    async quality({ id }: Connection, filter: QualityFilter): Promise<RemoteQuality> {
      const openJob = await open(id);
      // The state before the counts: all its records are counted.
      const job = toRemoteJob(openJob.state);
      return { ...(await openJob.worklist.overview(filter)), job };
    },

    worklist: async ({ id }: Connection): Promise<Worklist> => (await open(id)).worklist,

    /** Validates a record that was saved through the gateway, if there is a worklist. */
    async revalidateSaved({ id }: Connection, type: ResourceType, text: string): Promise<void> {
      if (!existsSync(pathOf(id))) return;
      const record = await run('judgeRecord', [text, type, dayOf(clock())], true);
      const { records, state } = await open(id);
      if (!record || state.state === 'none') return;
      const validatedRecord = hasCustomChecks() ? { ...record, text } : record;
      const page = await addCheckFindings(checks, type, { records: [validatedRecord], deleted: [] });
      for (const pageRecord of page.records) await records.put(pageRecord, state.run);
    },

    /** Drops all that is known of a connection's records. */
    async forget(id: string): Promise<void> {
      const openJob = jobsById.get(id);
      if (openJob) await release(openJob);
      jobsById.delete(id);
      if (existsSync(pathOf(id))) await files.remove(pathOf(id));
    },

    /** Stops in order. Running jobs resume at the next start. */
    async close(): Promise<void> {
      closed = true;
      await woken;
      await Promise.all([...jobsById.values()].map(release));
      jobsById.clear();
    },
  };
}

function isUnderWay({ state }: JobState): boolean {
  return state === 'running' || state === 'waiting';
}

/** Custom checks for records of another server. */
interface CustomChecks {
  findings(type: ResourceType, texts: readonly string[]): Promise<readonly (readonly CheckFinding[])[]>;
  /** Returns a value that changes with the active checks; empty without any. */
  stamp(): string;
  readonly sentences: () => ReadonlyMap<string, string>;
}

/**
 * Adds the findings of custom checks to a page and removes its texts. Returns a page without texts
 * unchanged.
 */
async function addCheckFindings(
  checks: Pick<CustomChecks, 'findings'>,
  type: ResourceType,
  page: ValidatedPage,
): Promise<ValidatedPage> {
  const texts = page.records.flatMap(({ text }) => text ?? []);
  if (texts.length < page.records.length || texts.length === 0) return page;
  const checkFindings = await checks.findings(type, texts);
  const records = page.records.map(({ text = '', findings, ...record }, index) => {
    const ownFindings = checkFindings[index] ?? [];
    const root = ownFindings.length > 0 ? scan(text).root : undefined;
    return {
      ...record,
      findings: [
        ...findings,
        ...ownFindings.map(({ text: message, ...finding }) => {
          const tokens = parsePointer(finding.pointer) ?? [];
          return {
            ...finding,
            message,
            excerpt: root && tokens.length > 0 ? excerptOf(locate(root, tokens)) : '',
          };
        }),
      ],
    };
  });
  return { ...page, records };
}
