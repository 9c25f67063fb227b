/** For tests alone: components within what the page gives them, before a real server of their own on an empty store. */
import '@mantine/core/styles.css';
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

export interface RunningServer {
  readonly token: string;
  /** Where it answers, past the page. */
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

/** Starts a server for this test, to which the page speaks from now on. */
export async function startServer(): Promise<void> {
  const { token } = await startOther();
  session.accept(token);
  onTestFinished(() => sessionStorage.clear());
}

/** Starts a server that the page knows nothing of. */
export async function startOther(): Promise<RunningServer> {
  const server = await commands.startServer();
  onTestFinished(() => commands.removeServer(server.token));
  return server;
}

/** Keeps the page's requests on their way; they arrive once the function that is returned is called. */
export async function holdRequests(): Promise<() => Promise<void>> {
  const token = session.token() ?? '';
  await commands.holdRequests(token);
  return () => commands.releaseRequests(token);
}

/**
 * Sends a request to the test's server, or to the one whose token it is, past the page, about a connection where one is
 * named; a string body goes as application/json. Throws on a refusal.
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
  return answer;
}

/** What the status bar says. */
export function Said() {
  return <output aria-label="Status bar">{useStatus().message}</output>;
}

/** Renders a component as the page does: theme, styles, connection, queries, drafts. */
export function show(component: ReactNode): Promise<RenderResult> {
  // Before its server goes: what is registered last is done first.
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
