/** For tests only: renders components in the providers of the page, with a real server on an empty store. */
import '../ui/mantine.css';
import type { ReactNode } from 'react';
import { onTestFinished } from 'vitest';
import { commands } from 'vitest/browser';
import { cleanup, render, type RenderResult } from 'vitest-browser-react/pure';
import { connectionHeader } from '../../core/app/connections.ts';
import { ConnectionHost } from '../app/connection-host.tsx';
import { Providers } from '../app/providers.tsx';
import { session } from '../platform/session.ts';
import '../ui/global.css';
import { useStatus } from '../ui/status-store.ts';

/** A server that a test has started. */
export interface RunningServer {
  readonly token: string;
  /** Origin for direct requests, without the proxy of the page. */
  readonly origin: string;
}

declare module 'vitest/browser' {
  interface BrowserCommands {
    startServer: () => Promise<RunningServer>;
    holdRequests: (token: string) => Promise<void>;
    releaseRequests: (token: string) => Promise<void>;
    removeServer: (token: string) => Promise<void>;
    watchRequests: () => Promise<void>;
    requests: () => Promise<readonly string[]>;
    messages: () => Promise<readonly string[]>;
    realRecords: (
      type: string,
      all?: boolean,
    ) => Promise<readonly { readonly name: string; readonly text: string }[]>;
  }
}

/** Starts a server for this test and signs the page in to it. */
export async function startServer(): Promise<void> {
  const { token } = await startOtherServer();
  session.accept(token);
  onTestFinished(() => sessionStorage.clear());
}

/** Starts a server without signing the page in. */
export async function startOtherServer(): Promise<RunningServer> {
  const server = await commands.startServer();
  onTestFinished(() => commands.removeServer(server.token));
  return server;
}

/** Holds the requests of the page. Returns a function that releases them. */
export async function holdRequests(): Promise<() => Promise<void>> {
  const token = session.token() ?? '';
  await commands.holdRequests(token);
  return () => commands.releaseRequests(token);
}

/**
 * Sends a request directly to the server of the test, or to the server of another token. A body is application/json.
 *
 * @param connection - Id of the remote connection that the request is about.
 * @throws Error for a status outside 200 to 299.
 */
export async function send(
  method: string,
  path: string,
  body?: string,
  token = session.token() ?? '',
  connection?: string,
): Promise<Response> {
  const headers = {
    Authorization: `Bearer ${token}`,
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...(connection !== undefined && { [connectionHeader]: connection }),
  };
  const answer = await fetch(path, { method, headers, ...(body !== undefined && { body }) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  // The response of an import begins before its last record is stored.
  await answer.clone().arrayBuffer();
  return answer;
}

/** Renders the message of the status bar. */
export function StatusMessage() {
  return <output aria-label="Status bar">{useStatus().message}</output>;
}

/** Renders a component as the page does: theme, styles, connection, queries and drafts. */
export function show(component: ReactNode): Promise<RenderResult> {
  // Unmounts before the server stops: the last registered callback runs first.
  onTestFinished(cleanup);
  return render(component, { wrapper: Page });
}

function Page({ children }: { readonly children: ReactNode }) {
  return (
    <Providers>
      <ConnectionHost>{children}</ConnectionHost>
    </Providers>
  );
}
