/**
 * Exports of other servers (`$export`) that this server requests, waits for, reads and imports. Each is a job that a
 * restart of this server resumes. Called by the routes and at start.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Authorship } from '../../core/app/authorship.ts';
import type { Connection } from '../../core/app/connections.ts';
import {
  isUnfinishedExport,
  type AllowedServers,
  type NewServerExport,
  type ServerExport,
} from '../../core/app/server-exports.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { ConnectionError } from '../gateway/remote-error.ts';
import { formatError, type Log } from '../log-lines.ts';
import type { PaceOptions } from '../remote/request-with-retry.ts';
import { saysFull } from '../store/store-error.ts';
import type { ConnectionStore } from '../workspace/connections.ts';
import { importExport, type ExportImportParts, type ExportResults } from './export-import.ts';
import { changeJob, createExportFolders, toServerExport, type ExportJob } from './export-job.ts';
import {
  createExportRequests,
  FileFault,
  listUnknownServers,
  UnknownServersError,
} from './export-requests.ts';

const messages = defineMessages('serverExport', {
  absent: 'There is no export with this ID.',
  ended: 'The export has ended.',
  notFailed: 'Only a failed export can be resumed.',
  notAsking: 'The export is not waiting for an answer about these servers.',
  unfinished: 'The export is not finished. Stop it first.',
  connectionChanged: 'The connection was deleted or leads to another server now.',
  notCanceled: '{host} did not confirm that the export was canceled.',
  diskFull: 'The disk is full. Free up space, then resume the export.',
  failed: 'The export failed. See the log.',
});

export interface ServerExportParts extends Omit<ExportImportParts, 'folders'> {
  readonly connections: Pick<ConnectionStore, 'find'>;
  readonly gateway: Pick<Gateway, 'transfer'>;
  readonly clock: () => number;
  readonly log: Log;
}

export type ServerExports = ReturnType<typeof createServerExports>;

interface OpenExport {
  job: ExportJob;
  readonly control: AbortController;
  work: Promise<void>;
  /** Results of the running import. */
  results?: () => ExportResults;
}

/** Milliseconds in which a server must confirm a cancellation. */
const cancelMs = 10_000;

const wait: PaceOptions['wait'] = (ms, signal) => setTimeout(ms, undefined, { signal, ref: false });

export function createServerExports({
  dataDir,
  connections,
  gateway,
  clock,
  log,
  ...importParts
}: ServerExportParts) {
  const folders = createExportFolders(dataDir);
  /** All known exports by id, in the order of their start. */
  const exportsById = new Map<string, OpenExport>();
  let isClosed = false;
  const loaded = loadAll();

  async function loadAll(): Promise<void> {
    const jobs = await folders.load();
    for (const job of jobs.sort((a, b) => (a.started < b.started ? -1 : 1))) {
      add(job);
      // A kill may have come between the end and the removal.
      if (!isUnfinishedExport(job)) await folders.removeFiles(job);
    }
  }

  function add(job: ExportJob): OpenExport {
    const openExport = { job, control: new AbortController(), work: Promise.resolve() };
    exportsById.set(job.id, openExport);
    return openExport;
  }

  async function find(id: string): Promise<OpenExport> {
    await loaded;
    const openExport = exportsById.get(id);
    if (openExport) return openExport;
    throw new FhirError('not-found', messages.absent());
  }

  async function save(openExport: OpenExport, change: Partial<ExportJob>): Promise<void> {
    openExport.job = changeJob(openExport.job, change);
    await folders.save(openExport.job);
  }

  /** Ends an export. A reader of the new state finds no file any more. */
  async function endExport(openExport: OpenExport, change: Partial<ExportJob>): Promise<void> {
    const job = changeJob(openExport.job, change);
    await folders.save(job);
    await folders.removeFiles(job);
    openExport.job = job;
  }

  /** Runs the remaining steps of an export. */
  function run(openExport: OpenExport): void {
    const { id } = openExport.job;
    const next: OpenExport = { ...openExport, control: new AbortController() };
    exportsById.set(id, next);
    next.work = work(next, next.control.signal).catch((error: unknown) => endWith(next, error));
  }

  async function work(openExport: OpenExport, signal: AbortSignal): Promise<void> {
    const connection = async () => {
      const { connection: id, baseUrl } = openExport.job;
      const current = await connections.find(id);
      if (current?.baseUrl === baseUrl) return current;
      throw new FhirError('not-found', messages.connectionChanged());
    };
    const onWait: PaceOptions['onWait'] = (pause) =>
      signal.aborted
        ? undefined
        : save(
            openExport,
            pause
              ? { state: 'waiting', until: new Date(pause.until).toISOString(), fault: pause.error }
              : { state: 'running' },
          );
    const requests = createExportRequests({ gateway, connection, clock, wait, onWait });
    if (openExport.job.step === 'request') {
      const statusUrl = await requests.start(openExport.job, signal);
      await save(openExport, { step: 'prepare', statusUrl });
    }
    if (openExport.job.step === 'prepare') {
      const onProgress = async (progress: string | undefined) => {
        if (progress !== undefined && progress !== openExport.job.progress)
          await save(openExport, { progress });
      };
      const manifest = await requests.waitForManifest(openExport.job, signal, onProgress);
      await save(openExport, { step: 'download', bytes: 0, ...manifest });
    }
    if (openExport.job.step === 'download') {
      const unknownServers = listUnknownServers(openExport.job, openExport.job.files);
      if (unknownServers.length > 0) throw new UnknownServersError(unknownServers);
      for (const file of openExport.job.files) {
        if (file.state !== 'open') continue;
        signal.throwIfAborted();
        const { id } = openExport.job;
        const change = await requests.save(openExport.job, file, folders.pathOf(id, file.name), signal).then(
          (bytes) => ({ state: 'read' as const, bytes }),
          (error: unknown) => {
            if (error instanceof FileFault)
              return { state: 'failed' as const, fault: error.sentence, bytes: 0 };
            throw error;
          },
        );
        const { bytes, ...fileChange } = change;
        const { files, bytes: earlierBytes = 0 } = openExport.job;
        await save(openExport, {
          files: files.map((other) => (other.name === file.name ? { ...other, ...fileChange } : other)),
          bytes: earlierBytes + bytes,
        });
      }
      await save(openExport, { step: 'import' });
    }
    for await (const results of importExport({ ...importParts, folders, dataDir }, openExport.job)) {
      openExport.results = results;
      signal.throwIfAborted();
    }
    await endExport(openExport, { state: 'done', ...openExport.results?.() });
  }

  async function endWith(openExport: OpenExport, error: unknown): Promise<void> {
    // A stop and a close say themselves what follows.
    if (openExport.control.signal.aborted) return;
    const { requiresToken = false } = openExport.job;
    const change = (): Partial<ExportJob> => {
      if (error instanceof UnknownServersError)
        return { state: 'asking', servers: error.origins.map((origin) => ({ origin, requiresToken })) };
      const isKnown = error instanceof ConnectionError || error instanceof FhirError;
      if (isKnown) return { state: 'failed', fault: error.message };
      if (saysFull(error)) return { state: 'failed', fault: messages.diskFull().text };
      log(`A server export failed: ${formatError(error)}`);
      return { state: 'failed', fault: messages.failed().text };
    };
    await save(openExport, change()).catch((problem: unknown) =>
      log(`Couldn’t save the state of a server export: ${formatError(problem)}`),
    );
  }

  async function halt(openExport: OpenExport): Promise<void> {
    openExport.control.abort();
    await openExport.work;
  }

  /** Cancels an export at its server. Returns a remark if the server did not confirm that. */
  async function cancel({ job }: OpenExport): Promise<Pick<ExportJob, 'fault'>> {
    const { statusUrl, connection: id, baseUrl, step } = job;
    const connection = await connections.find(id);
    if (statusUrl === undefined || step === 'import' || connection?.baseUrl !== baseUrl) return {};
    const pace = { clock, wait, onWait: () => undefined };
    const requests = createExportRequests({
      gateway,
      connection: () => Promise.resolve(connection),
      ...pace,
    });
    const isCanceled = await requests.cancel(job, AbortSignal.timeout(cancelMs)).catch(() => false);
    return isCanceled ? {} : { fault: messages.notCanceled({ host: new URL(statusUrl).host }).text };
  }

  async function forgetOne(openExport: OpenExport): Promise<void> {
    await halt(openExport);
    exportsById.delete(openExport.job.id);
    await folders.remove(openExport.job.id);
  }

  async function dropFiles(): Promise<void> {
    await loaded;
    for (const openExport of exportsById.values()) {
      const { state, step, files } = openExport.job;
      const hasFiles = step === 'download' || (step === 'import' && state === 'failed');
      if (!isUnfinishedExport(openExport.job) || !hasFiles) continue;
      await halt(openExport);
      await folders.removeFiles(openExport.job);
      const openFiles = files.map((file) =>
        file.state === 'read' ? { ...file, state: 'open' as const } : file,
      );
      openExport.job = {
        ...openExport.job,
        files: openFiles,
        bytes: 0,
        ...(step === 'import' && { step: 'download' as const }),
      };
      await folders.save(openExport.job);
      if (isUnderWay(openExport.job)) run(openExport);
    }
  }

  return {
    /** Resumes the exports that ran when the server stopped. */
    wake(): void {
      void loaded.then(() => {
        for (const openExport of exportsById.values())
          if (!isClosed && isUnderWay(openExport.job)) run(openExport);
      });
    },

    async list(): Promise<readonly ServerExport[]> {
      await loaded;
      const jobs = Array.from(exportsById.values(), ({ job, results }) => ({ ...job, ...results?.() }));
      return jobs.map(toServerExport).reverse();
    },

    async start(
      { id: connection, baseUrl }: Connection,
      request: NewServerExport,
      { author, person }: Authorship,
    ): Promise<ServerExport> {
      await loaded;
      const openExport = add({
        id: randomUUID(),
        connection,
        baseUrl,
        host: new URL(baseUrl).host,
        started: new Date(clock()).toISOString(),
        ...(request.group !== undefined && { group: request.group }),
        request,
        author,
        ...(person !== undefined && { person }),
        state: 'running',
        step: 'request',
        files: [],
        allowed: [],
      });
      await folders.save(openExport.job);
      run(openExport);
      return toServerExport(openExport.job);
    },

    /** Continues with the servers that the user allows. */
    async allow(id: string, { servers }: AllowedServers): Promise<ServerExport> {
      const openExport = await find(id);
      const { state, servers: askedServers = [], allowed } = openExport.job;
      const isAsked = ({ origin }: { readonly origin: string }) =>
        askedServers.some((server) => server.origin === origin);
      if (state !== 'asking' || !servers.every(isAsked))
        throw new FhirError('business-rule', messages.notAsking());
      await save(openExport, { state: 'running', allowed: [...allowed, ...servers] });
      run(openExport);
      return toServerExport(openExport.job);
    },

    /** Continues a failed export where it failed. */
    async resume(id: string): Promise<ServerExport> {
      const openExport = await find(id);
      if (openExport.job.state !== 'failed') throw new FhirError('business-rule', messages.notFailed());
      await save(openExport, { state: 'running' });
      run(openExport);
      return toServerExport(openExport.job);
    },

    /** Stops an export and cancels it at its server. What was imported stays. */
    async stop(id: string): Promise<ServerExport> {
      const openExport = await find(id);
      if (!isUnfinishedExport(openExport.job)) throw new FhirError('business-rule', messages.ended());
      await halt(openExport);
      if (isUnfinishedExport(openExport.job)) {
        const remark = await cancel(openExport);
        await endExport(openExport, { state: 'stopped', ...openExport.results?.(), ...remark });
      }
      return toServerExport(openExport.job);
    },

    /** Removes an export that has ended from the list. */
    async remove(id: string): Promise<void> {
      const openExport = await find(id);
      if (isUnfinishedExport(openExport.job)) throw new FhirError('business-rule', messages.unfinished());
      await forgetOne(openExport);
    },

    /** Stops and drops the exports of a connection. */
    async forget(connection: string): Promise<void> {
      await loaded;
      for (const openExport of exportsById.values())
        if (openExport.job.connection === connection) await forgetOne(openExport);
    },

    /**
     * Drops the files of exports that are not being imported, and reads them again if needed. They may contain what was
     * erased, which their import leaves out.
     */
    dropFiles(): void {
      dropFiles().catch((error: unknown) =>
        log(`Couldn’t drop the files of an export: ${formatError(error)}`),
      );
    },

    /** Stops in order. Running exports resume at the next start. */
    async close(): Promise<void> {
      isClosed = true;
      await loaded;
      await Promise.all([...exportsById.values()].map(halt));
    },
  };
}

function isUnderWay({ state }: ExportJob): boolean {
  return state === 'running' || state === 'waiting';
}
