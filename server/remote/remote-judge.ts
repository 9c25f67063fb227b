/**
 * Reads all records of another server and judges them, without a page: one job for each connection, kept in a file of
 * its own under `remote/`. Called by the routes of connections and by the start of the server.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Connection } from '../../core/app/connections.ts';
import { faultText } from '../log-lines.ts';
import type { QualityFilter } from '../../core/app/quality.ts';
import type { RemoteJob, RemoteQuality } from '../../core/app/remote-quality.ts';
import { dayOf } from '../../core/derive/derive.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { resourceTypes, type ResourceType } from '../../core/fhir/resource.ts';
import type { Run } from '../fhir/jobs.ts';
import { createWorklist, type Worklist } from '../fhir/quality.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { remoteRecordsBeside, type RecordsBeside } from '../store/sqlite/remote-records-beside.ts';
import type { RemoteChange } from '../store/sqlite/remote-records.ts';
import type { ConnectionStore } from '../workspace/connections.ts';
import { type Lease, type Leases } from '../store/leases.ts';
import { turns } from '../store/turns.ts';
import { askPatiently, type Asking } from './ask.ts';
import { judgedByAll, type OwnChecks } from './own-checks.ts';
import { begun, readJob, running, toRemoteJob, type JobState } from './job-state.ts';
import { walkThrough } from './walk.ts';
import { ConnectionFault } from '../gateway/remote-fault.ts';

export interface RemoteJudgeOptions {
  readonly dataDir: string;
  readonly connections: Pick<ConnectionStore, 'list' | 'find'>;
  readonly gateway: Pick<Gateway, 'ask'>;
  readonly run: Run;
  /** Checks of one's own. */
  readonly checks: OwnChecks;
  readonly clock: () => number;
  /** Which of the servers of one store reads a connection's records. */
  readonly leases: Leases;
  readonly log: (line: string) => void;
}

export type RemoteJudge = ReturnType<typeof createRemoteJudge>;

interface Held {
  readonly records: RecordsBeside;
  readonly worklist: Worklist;
  /** A server is asked for one page at a time, whoever asks. */
  readonly lease: Lease;
  state: JobState;
  control?: AbortController;
  /** Resolves once the job has ended by whatever cause. */
  ended: Promise<void>;
  /** One request begins or stops the job at a time. */
  readonly inTurn: ReturnType<typeof turns>;
}

/** Seconds for which a connection is this server's: longer than a page takes. */
const leased = 120;

/** Milliseconds until it is asked again whether it is. */
const turn = 1000;

const wait: Asking['wait'] = (ms, signal) => setTimeout(ms, undefined, { signal, ref: false });

export function createRemoteJudge(options: RemoteJudgeOptions) {
  const { dataDir, connections, gateway, run, checks, clock, leases, log } = options;
  const files = remoteRecordsBeside();
  const all = new Map<string, Promise<Held>>();
  let closed = false;
  const asksOwn = () => checks.stamp() !== '';
  const pathOf = (id: string) => join(dataDir, 'remote', `${id}.db`);

  function open(id: string): Promise<Held> {
    const found = all.get(id);
    if (found) return found;
    const held = opened(files.open(pathOf(id)), leases.of(`remote/${id}`, leased));
    all.set(id, held);
    held.catch(() => all.delete(id));
    return held;
  }

  async function opened(records: RecordsBeside, lease: Lease): Promise<Held> {
    const worklist = createWorklist({ level: 'standard', sentences: checks.sentences, ...records });
    const state = readJob(await records.job());
    return { records, worklist, lease, state, ended: Promise.resolve(), inTurn: turns() };
  }

  async function keep(held: Held, state: JobState, change?: RemoteChange): Promise<void> {
    const stored = await held.records.keep(state, change);
    held.state = { ...state, read: state.read + stored };
  }

  async function work(id: string, held: Held, signal: AbortSignal): Promise<void> {
    const connection = async () => {
      const found = await connections.find(id);
      if (found) return found;
      throw new FhirError('not-found', { text: 'The connection was removed.' });
    };
    const waiting: Asking['waiting'] = async (pause) => {
      if (signal.aborted) return;
      const state = running(held.state);
      const { until, fault } = pause ?? {};
      await keep(
        held,
        until === undefined || fault === undefined
          ? state
          : { ...state, state: 'waiting', until: new Date(until).toISOString(), fault },
      );
    };
    const asking = { gateway, connection, clock, wait, waiting };
    const asked = async (url: URL, type: ResourceType) => {
      while (!(await held.lease.hold())) {
        await waiting({ until: clock() + turn, fault: 'Another server reads these records.' });
        await wait(turn, signal);
        await waiting(undefined);
      }
      return askPatiently(asking, url, type, signal);
    };
    const { baseUrl } = await connection();
    for (const type of resourceTypes) {
      const walk = held.state.walks[type];
      if (walk.done) continue;
      await walkThrough(walk, {
        ...{ type, baseUrl },
        ask: (url) => asked(url, type),
        judge: async (text) =>
          judgedByAll(checks, type, await run('judgePage', [text, type, dayOf(clock()), asksOwn()], true)),
        keep: async ({ records, deleted }, now) => {
          signal.throwIfAborted();
          const { state } = held;
          const last = now.done && now.refused === undefined;
          const change = { type, run: state.run, records, deleted, last };
          await keep(held, { ...state, walks: { ...state.walks, [type]: now } }, change);
        },
      });
    }
    const refused = Object.values(held.state.walks).flatMap((walk) => walk.refused ?? []);
    const [fault] = refused.length === resourceTypes.length ? refused : [];
    await keep(held, {
      ...held.state,
      ...(fault === undefined ? { state: 'done' } : { state: 'failed', fault }),
    });
  }

  function begin(id: string, held: Held): void {
    const control = new AbortController();
    const { signal } = control;
    held.control = control;
    held.ended = work(id, held, signal)
      .catch(async (error: unknown) => {
        if (signal.aborted) return;
        const known = error instanceof ConnectionFault || error instanceof FhirError;
        if (!known) log(`The records of another server could not be judged: ${faultText(error)}`);
        const fault = known ? error.message : 'The records could not be judged; the log says why.';
        await keep(held, { ...running(held.state), state: 'failed', fault });
      })
      .catch((error: unknown) => log(`How far a worklist is could not be kept: ${faultText(error)}`))
      .then(async () => {
        if (held.control === control) delete held.control;
        // Where it cannot be given back, it ends by itself.
        await held.lease.release().catch(() => undefined);
      });
  }

  async function halt(held: Held): Promise<void> {
    held.control?.abort();
    await held.ended;
  }

  /** Stops what runs, and closes the file. */
  async function release(opened: Promise<Held>): Promise<void> {
    const held = await opened.catch(() => undefined);
    if (!held) return;
    await held.inTurn(async () => {
      await halt(held);
      await held.records.close();
    });
  }

  async function wakeAll(): Promise<void> {
    for (const { id } of await connections.list()) {
      if (closed || !existsSync(pathOf(id))) continue;
      const held = await open(id);
      await held.inTurn(() => {
        if (!closed && !held.control && isUnderWay(held.state)) begin(id, held);
      });
    }
  }
  let woken: Promise<void> | undefined;

  return {
    /** Goes on, in the background, with what was running when the server ended. */
    wake(): void {
      woken = wakeAll().catch((error: unknown) => log(`A worklist could not go on: ${faultText(error)}`));
    },

    /** Begins, goes on, or reads what changed since the last run; a job that runs is left alone, but for `start`. */
    async start({ id }: Connection, from?: 'start'): Promise<RemoteJob> {
      const held = await open(id);
      return held.inTurn(async () => {
        if (held.control && from === undefined) return toRemoteJob(held.state);
        await halt(held);
        await keep(held, begun(held.state, from, new Date(clock()).toISOString(), checks.stamp()));
        begin(id, held);
        return toRemoteJob(held.state);
      });
    },

    async stop({ id }: Connection): Promise<RemoteJob> {
      const held = await open(id);
      return held.inTurn(async () => {
        if (held.control) {
          await halt(held);
          if (isUnderWay(held.state)) await keep(held, { ...running(held.state), state: 'stopped' });
        }
        return toRemoteJob(held.state);
      });
    },

    async quality({ id }: Connection, filter: QualityFilter): Promise<RemoteQuality> {
      const held = await open(id);
      // As it was before the counts: what is told to be done was counted to its end.
      const job = toRemoteJob(held.state);
      return { ...(await held.worklist.overview(filter)), job };
    },

    worklist: async ({ id }: Connection): Promise<Worklist> => (await open(id)).worklist,

    /** Judges a record that was saved through the gateway, where a worklist is kept. */
    async written({ id }: Connection, type: ResourceType, text: string): Promise<void> {
      if (!existsSync(pathOf(id))) return;
      const record = await run('judgeRecord', [text, type, dayOf(clock())], true);
      const { records, state } = await open(id);
      if (!record || state.state === 'none') return;
      const asked = asksOwn() ? { ...record, text } : record;
      const page = await judgedByAll(checks, type, { records: [asked], deleted: [] });
      for (const one of page.records) await records.put(one, state.run);
    },

    /** Drops all that is known of a connection's records. */
    async forget(id: string): Promise<void> {
      const held = all.get(id);
      if (held) await release(held);
      all.delete(id);
      if (existsSync(pathOf(id))) await files.remove(pathOf(id));
    },

    /** Stops in order; what runs goes on at the next start. */
    async close(): Promise<void> {
      closed = true;
      await woken;
      await Promise.all([...all.values()].map(release));
      all.clear();
    },
  };
}

function isUnderWay({ state }: JobState): boolean {
  return state === 'running' || state === 'waiting';
}
