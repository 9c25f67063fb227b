/**
 * Reads all records of another server and judges them, without a page: one job for each connection, kept in a file of
 * its own under `remote/`. Called by the routes of connections and by the start of the server.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Connection } from '../../core/app/connections.ts';
import type { QualityFilter } from '../../core/app/quality.ts';
import type { RemoteJob, RemoteQuality } from '../../core/app/remote-quality.ts';
import { dayOf } from '../../core/derive/derive.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { resourceTypes, type ResourceType } from '../../core/fhir/resource.ts';
import type { Run } from '../fhir/jobs.ts';
import { createWorklist, type QualityService } from '../fhir/quality.ts';
import { faultSentence } from '../gateway/fault-sentence.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { openRemoteRecords, removeRemoteRecords, type RemoteRecords } from '../store/remote-records.ts';
import type { ConnectionStore } from '../workspace/connections.ts';
import { askPatiently, type Asking } from './ask.ts';
import { begun, readJob, running, toRemoteJob, type JobState } from './job-state.ts';
import { walkThrough } from './walk.ts';

export interface RemoteJudgeOptions {
  readonly dataDir: string;
  readonly connections: Pick<ConnectionStore, 'list' | 'find'>;
  readonly gateway: Pick<Gateway, 'ask'>;
  readonly run: Run;
  readonly clock: () => number;
  readonly wait?: Asking['wait'];
  readonly log: (line: string, error?: unknown) => void;
}

export type RemoteJudge = ReturnType<typeof createRemoteJudge>;

interface Held {
  readonly records: RemoteRecords;
  readonly worklist: QualityService;
  state: JobState;
  control?: AbortController;
  /** Resolves once the job has ended by whatever cause. */
  ended: Promise<void>;
}

const realWait: Asking['wait'] = (ms, signal) => setTimeout(ms, undefined, { signal, ref: false });

export function createRemoteJudge(options: RemoteJudgeOptions) {
  const { dataDir, connections, gateway, run, clock, wait = realWait, log } = options;
  const all = new Map<string, Held>();
  let closed = false;
  const pathOf = (id: string) => join(dataDir, 'remote', `${id}.db`);

  function open(id: string): Held {
    const found = all.get(id);
    if (found) return found;
    const records = openRemoteRecords(pathOf(id), clock);
    const worklist = createWorklist({ level: 'standard', ...records });
    const held: Held = { records, worklist, state: readJob(records.job()), ended: Promise.resolve() };
    all.set(id, held);
    return held;
  }

  function keep(held: Held, state: JobState, change?: () => void): void {
    held.records.together(() => {
      change?.();
      held.records.keepJob(JSON.stringify(state));
    });
    held.state = state;
  }

  async function work(id: string, held: Held, signal: AbortSignal): Promise<void> {
    const { records } = held;
    const connection = async () => {
      const found = await connections.find(id);
      if (found) return found;
      throw new FhirError('not-found', { text: 'The connection was removed.' });
    };
    const waiting: Asking['waiting'] = (pause) => {
      if (signal.aborted) return;
      const state = running(held.state);
      const { until, fault } = pause ?? {};
      keep(
        held,
        until === undefined || fault === undefined
          ? state
          : { ...state, state: 'waiting', until: new Date(until).toISOString(), fault },
      );
    };
    const asking = { gateway, connection, clock, wait, waiting };
    const { baseUrl } = await connection();
    for (const type of resourceTypes) {
      const walk = held.state.walks[type];
      if (walk.done) continue;
      await walkThrough(walk, {
        ...{ type, baseUrl },
        ask: (url) => askPatiently(asking, url, type, signal),
        judge: async (text) => run('judgePage', [text, type, dayOf(clock())], true),
        keep: (page, now) => {
          signal.throwIfAborted();
          const { state } = held;
          const next = { ...state, read: state.read, walks: { ...state.walks, [type]: now } };
          keep(held, next, () => {
            for (const id of page.deleted) records.drop(type, id);
            for (const record of page.records) if (records.put(record, state.run)) next.read += 1;
            if (now.done && now.refused === undefined) records.dropFormer(type, state.run);
          });
        },
      });
    }
    const refused = Object.values(held.state.walks).flatMap((walk) => walk.refused ?? []);
    const [fault] = refused;
    const none = fault !== undefined && refused.length === resourceTypes.length;
    keep(held, { ...held.state, state: none ? 'failed' : 'done', ...(none && { fault }) });
  }

  function begin(id: string, held: Held): void {
    const control = new AbortController();
    const { signal } = control;
    held.control = control;
    held.ended = work(id, held, signal)
      .catch((error: unknown) => {
        if (signal.aborted) return;
        const known = faultSentence(error) ?? (error instanceof FhirError ? error.message : undefined);
        if (known === undefined) log('The records of another server could not be judged.', error);
        const fault = known ?? 'The records could not be judged; the log says why.';
        keep(held, { ...running(held.state), state: 'failed', fault });
      })
      .catch((error: unknown) => log('How far a worklist is could not be kept.', error))
      .finally(() => {
        if (held.control === control) delete held.control;
      });
  }

  async function halt(held: Held): Promise<void> {
    held.control?.abort();
    await held.ended;
  }

  return {
    /** Goes on with what was running when the server ended. */
    async wake(): Promise<void> {
      for (const { id } of await connections.list()) {
        if (closed || !existsSync(pathOf(id))) continue;
        const held = open(id);
        if (held.state.state === 'running' || held.state.state === 'waiting') begin(id, held);
      }
    },

    /** Begins, goes on, or reads what changed since the last run; a job that runs is left alone, but for `start`. */
    async start({ id }: Connection, from?: 'start'): Promise<RemoteJob> {
      const held = open(id);
      if (held.control && from === undefined) return toRemoteJob(held.state);
      await halt(held);
      keep(held, begun(held.state, from, new Date(clock()).toISOString()));
      begin(id, held);
      return toRemoteJob(held.state);
    },

    async stop({ id }: Connection): Promise<RemoteJob> {
      const held = open(id);
      if (held.control) {
        await halt(held);
        const { state } = held.state;
        if (state === 'running' || state === 'waiting')
          keep(held, { ...running(held.state), state: 'stopped' });
      }
      return toRemoteJob(held.state);
    },

    async quality({ id }: Connection, filter: QualityFilter): Promise<RemoteQuality> {
      const { worklist, state } = open(id);
      return { ...(await worklist.overview(filter)), job: toRemoteJob(state) };
    },

    worklist: ({ id }: Connection): QualityService => open(id).worklist,

    /** Judges a record that was saved through the gateway, where a worklist is kept. */
    async written({ id }: Connection, type: ResourceType, text: string): Promise<void> {
      if (!existsSync(pathOf(id))) return;
      const record = await run('judgeRecord', [text, type, dayOf(clock())], true);
      const { records, state } = open(id);
      if (record && state.state !== 'none') records.together(() => void records.put(record, state.run));
    },

    /** Drops all that is known of a connection's records. */
    async forget(id: string): Promise<void> {
      const held = all.get(id);
      if (held) {
        await halt(held);
        held.records.close();
        all.delete(id);
      }
      removeRemoteRecords(pathOf(id));
    },

    /** Stops in order; what runs goes on at the next start. */
    async close(): Promise<void> {
      closed = true;
      await Promise.all([...all.values()].map(halt));
      for (const { records } of all.values()) records.close();
      all.clear();
    },
  };
}
