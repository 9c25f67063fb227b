/** A FHIR server of the tests that speaks the Bulk Data protocol: kick-off, status, manifest, files and cancellation. */
import type { ServerResponse } from 'node:http';
import { startPeer, type Peer, type RecordedRequest } from '../../gateway/testing/peer.ts';
import { refuse } from '../../gateway/testing/record-server.ts';

export interface ListedTestFile {
  readonly url: string;
  readonly type?: string;
  readonly count?: number;
}

export interface BulkDataServer {
  readonly peer: Peer;
  /** Base URL: `/fhir`. */
  readonly base: string;
  /** Token that it requires, except for files if the manifest says so. */
  token: string | undefined;
  manifest: {
    requiresAccessToken?: boolean;
    output: ListedTestFile[];
    error?: ListedTestFile[];
    deleted?: ListedTestFile[];
  };
  /** Contents of files by path. */
  readonly files: Map<string, string>;
  /** Responses in place of the next ones, by method and path, such as `GET /status/1`. */
  readonly next: Map<string, ((response: ServerResponse) => void)[]>;
  /** Returns method and path of each request so far. */
  requestLines(): string[];
}

/** Address of the only export. */
export const statusPath = '/status/1';

/** Responds that an export is in progress. */
export function reportProgress(progress: string, retryAfter = '1'): (response: ServerResponse) => void {
  return (response) =>
    void response.writeHead(202, { 'X-Progress': progress, 'Retry-After': retryAfter }).end();
}

export async function startBulkDataServer(): Promise<BulkDataServer> {
  const pathOf = ({ url }: RecordedRequest) => new URL(url, 'http://x').pathname;
  const peer = await startPeer((request, response) => {
    const path = pathOf(request);
    const line = `${request.method} ${path}`;
    const scripted = server.next.get(line)?.shift();
    const isFile = server.files.has(path);
    const needsToken =
      server.token !== undefined && (!isFile || server.manifest.requiresAccessToken === true);
    if (scripted) scripted(response);
    else if (needsToken && request.headers.authorization !== `Bearer ${server.token}`)
      refuse(response, 401, 'Send the token.');
    else if (request.method === 'DELETE') response.writeHead(202).end();
    else if (path.endsWith('/$export')) {
      if (request.headers.prefer !== 'respond-async') refuse(response, 400, 'Prefer respond-async.');
      else response.writeHead(202, { 'Content-Location': `${peer.origin}${statusPath}` }).end();
    } else if (path === statusPath) {
      const manifest = {
        transactionTime: '2026-01-01T00:00:00Z',
        request: 'x',
        error: [],
        ...server.manifest,
      };
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(manifest));
    } else if (isFile)
      response.writeHead(200, { 'Content-Type': 'application/fhir+ndjson' }).end(server.files.get(path));
    else refuse(response, 404, 'There is nothing here.');
  });
  const server: BulkDataServer = {
    peer,
    base: `${peer.origin}/fhir`,
    token: 'token-of-the-export',
    manifest: { requiresAccessToken: true, output: [] },
    files: new Map(),
    next: new Map(),
    requestLines: () => peer.requests.map((request) => `${request.method} ${pathOf(request)}`),
  };
  return server;
}
