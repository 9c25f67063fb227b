/** The requests of one server export: kick-off, status, files and cancellation, each at the pace that its server asks for. */
import { open, stat } from 'node:fs/promises';
import type { Connection } from '../../core/app/connections.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { defineMessages, type Message } from '../../core/text/message.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { TransportResponse } from '../gateway/http-transport.ts';
import { RemoteError } from '../gateway/remote-error.ts';
import { formatMessage, requestedPause, sendAtPace, type PaceOptions } from '../remote/request-with-retry.ts';
import type { ExportJob, ListedFile } from './export-job.ts';
import {
  formatKickOff,
  isPassingFailure,
  parseManifest,
  readAddress,
  readProgress,
  type ExportManifest,
} from './protocol.ts';

const messages = defineMessages('serverExport', {
  notStarted: '{host} answered {status} without the address of an export.',
  noManifest: '{host} finished the export without a readable list of its files.',
  expired: '{name} is no longer at {host}. Its time may have expired. Start the export again.',
  manyRedirects: '{host} redirects {name} more than {most} times.',
});

const hour = 3_600_000;
/** Bytes of one file, at most. */
const maxFileBytes = 8 * 1024 ** 3;
const mostRedirects = 3;
/** Pauses between two status requests without a Retry-After, in milliseconds: the first, and the longest. */
const [firstPauseMs, longestPauseMs] = [1000, 60_000];

/** Some files are on servers that the user has not allowed. */
export class UnknownServersError extends Error {
  override readonly name = 'UnknownServersError';
  readonly origins: readonly string[];

  constructor(origins: readonly string[]) {
    super('The user has to allow servers');
    this.origins = origins;
  }
}

/** A file cannot be read, whatever happens to the others. */
export class FileFault extends Error {
  override readonly name = 'FileFault';
  readonly sentence: Message;

  constructor(sentence: Message) {
    super(sentence.text);
    this.sentence = sentence;
  }
}

/** The server failed or refused. */
class ServerFault extends FhirError {
  readonly sentence: Message;

  constructor(sentence: Message) {
    super('unusable', sentence);
    this.sentence = sentence;
  }
}

export interface ExportRequestParts extends PaceOptions {
  readonly gateway: Pick<Gateway, 'transfer'>;
  /** Returns the current connection; rejects if it was removed. */
  readonly connection: () => Promise<Connection>;
}

/** Returns the servers of these files that the user has not allowed yet. */
export function listUnknownServers(job: ExportJob, files: readonly ListedFile[]): readonly string[] {
  const origins = files.map(({ url }) => readAddress(url, statusUrlOf(job), job.baseUrl).origin);
  return [...new Set(origins)].filter((origin) => !isAllowed(job, origin));
}

function isAllowed({ baseUrl, allowed }: ExportJob, origin: string): boolean {
  return origin === new URL(baseUrl).origin || allowed.some((server) => server.origin === origin);
}

const statusUrlOf = ({ statusUrl, baseUrl }: ExportJob): URL => new URL(statusUrl ?? baseUrl);

export function createExportRequests({ gateway, connection, ...pace }: ExportRequestParts) {
  const isOwn = (url: URL, { baseUrl }: ExportJob) => url.origin === new URL(baseUrl).origin;

  const send = async (
    url: URL,
    request: Omit<Parameters<Gateway['transfer']>[1], 'url'>,
  ): Promise<TransportResponse> => gateway.transfer(await connection(), { ...request, url });

  return {
    /**
     * Starts an export. Returns the address of its status.
     *
     * @throws FhirError if the server refuses.
     */
    async start({ request, baseUrl }: ExportJob, signal: AbortSignal): Promise<string> {
      const url = formatKickOff(baseUrl, request);
      const options = {
        method: 'GET',
        headers: { Accept: 'application/fhir+json', Prefer: 'respond-async' },
        sendsToken: true,
        disconnected: signal,
      };
      const limits = { requestedWaitMs: hour, attempts: 1 };
      const response = await sendAtPace(
        pace,
        url,
        async () => refuse(await send(url, options), url),
        signal,
        limits,
      );
      const { status, headers } = response;
      if (status >= 400) throw new FhirError('unusable', formatMessage(response, url));
      const address = headers['content-location'];
      if (status !== 202 || typeof address !== 'string')
        throw new FhirError('unusable', messages.notStarted({ host: url.host, status }));
      return readAddress(address, url, baseUrl).href;
    },

    /**
     * Waits until the server has prepared the files.
     *
     * @throws FhirError if the export failed.
     */
    async waitForManifest(
      job: ExportJob,
      signal: AbortSignal,
      onProgress: (progress: string | undefined) => Promise<void>,
    ): Promise<ExportManifest> {
      const url = statusUrlOf(job);
      if (!isAllowed(job, url.origin)) throw new UnknownServersError([url.origin]);
      const options = {
        method: 'GET',
        headers: { Accept: 'application/json' },
        sendsToken: isOwn(url, job),
        disconnected: signal,
      };
      const limits = { requestedWaitMs: hour, attempts: Infinity };
      for (let delay = firstPauseMs; ; delay = Math.min(2 * delay, longestPauseMs)) {
        const response = await sendAtPace(
          pace,
          url,
          async () => refuse(await send(url, options), url),
          signal,
          limits,
        );
        const { status, headers, body } = response;
        if (status === 200) {
          const manifest = parseManifest(body.toString());
          if (manifest) return manifest;
          throw new FhirError('unusable', messages.noManifest({ host: url.host }));
        }
        if (status !== 202) throw new FhirError('unusable', formatMessage(response, url));
        await onProgress(readProgress(headers['x-progress']));
        await pace.wait(requestedPause(headers, pace.clock(), hour) ?? delay, signal);
      }
    },

    /**
     * Saves a file. Returns its bytes.
     *
     * @throws FileFault if it cannot be read, UnknownServersError if it is on a server that is not allowed.
     */
    async save(job: ExportJob, file: ListedFile, path: string, signal: AbortSignal): Promise<number> {
      const fetchFrom = (url: URL, sendsToken: boolean) =>
        send(url, {
          method: 'GET',
          headers: { Accept: 'application/fhir+ndjson' },
          sendsToken,
          disconnected: signal,
          limit: maxFileBytes,
          receive: (chunks) => writeFile(path, chunks),
        });
      let url = readAddress(file.url, statusUrlOf(job), job.baseUrl);
      for (let hop = 0; hop <= mostRedirects; hop += 1) {
        const { requiresToken, allowed, baseUrl } = job;
        const { origin, host } = url;
        if (!isAllowed(job, origin)) throw new UnknownServersError([origin]);
        const permission = allowed.find((server) => server.origin === origin);
        const isOwnServer = isOwn(url, job);
        const sendsToken = isOwnServer
          ? requiresToken !== false
          : requiresToken === true && permission?.sendsToken === true;
        const target = url;
        const response = await sendAtPace(
          pace,
          target,
          async () => {
            const answer = await fetchFrom(target, sendsToken);
            const needsToken = answer.status === 401 && isOwnServer && !sendsToken;
            return refuse(needsToken ? await fetchFrom(target, true) : answer, target);
          },
          signal,
          { requestedWaitMs: hour, attempts: 3 },
        ).catch((error: unknown) => {
          if (error instanceof ServerFault) throw new FileFault(error.sentence);
          throw error instanceof RemoteError && error.sent ? new FileFault(error.sentence) : error;
        });
        const { status, headers } = response;
        if (status === 200) return (await stat(path)).size;
        if (status === 404 || status === 410)
          throw new FileFault(messages.expired({ name: file.name, host }));
        if (status < 300 || status >= 400 || headers.location === undefined)
          throw new FileFault(formatMessage(response, url));
        url = readAddress(headers.location, url, baseUrl);
      }
      throw new FileFault(messages.manyRedirects({ host: url.host, name: file.name, most: mostRedirects }));
    },

    /** Cancels the export at its server. Returns false if the server did not confirm it. */
    async cancel(job: ExportJob, signal: AbortSignal): Promise<boolean> {
      const url = statusUrlOf(job);
      const options = { method: 'DELETE', headers: {}, sendsToken: isOwn(url, job), disconnected: signal };
      const { status } = await send(url, options);
      return status < 300 || status === 404 || status === 410;
    },
  };
}

/** Throws for a failure of the server after which asking again is of no use. Returns any other response. */
function refuse(response: TransportResponse, url: URL): TransportResponse {
  if (response.status < 500 || isPassingFailure(response.status, response.body)) return response;
  throw new ServerFault(formatMessage(response, url));
}

async function writeFile(path: string, chunks: AsyncIterable<Buffer>): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    for await (const chunk of chunks) await file.writeFile(chunk);
    await file.sync();
  } finally {
    await file.close();
  }
}
