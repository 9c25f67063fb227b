/** For tests alone: components within what the page gives them, before a real server of their own on an empty store. */
import { MantineProvider } from '@mantine/core';
import '@mantine/core/styles.css';
import type { ReactNode } from 'react';
import { afterEach } from 'vitest';
import { commands } from 'vitest/browser';
import { cleanup, render, type RenderResult } from 'vitest-browser-react/pure';
import { ConnectionHost } from '../app/connection-host.tsx';
import { session } from '../platform/session.ts';
import '../ui/global.css';
import { createStatusStore, StatusContext } from '../ui/status-store.ts';
import { colorSchemeManager, cssVariablesResolver, theme } from '../ui/theme.ts';

declare module 'vitest/browser' {
  interface BrowserCommands {
    startServer: () => Promise<string>;
    removeServer: (token: string) => Promise<void>;
  }
}

const tokens: string[] = [];

afterEach(async () => {
  await cleanup();
  sessionStorage.clear();
  await Promise.all(tokens.splice(0).map((token) => commands.removeServer(token)));
});

/** Starts a server for this test, to which the page speaks from now on. */
export async function startServer(): Promise<void> {
  const token = await commands.startServer();
  tokens.push(token);
  session.accept(token);
}

/** Sends a request to the test's server, past the page; a string body goes as application/json. Throws on a refusal. */
export async function send(method: string, path: string, body?: string): Promise<Response> {
  const headers = {
    Authorization: `Bearer ${session.token() ?? ''}`,
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  };
  const answer = await fetch(path, { method, headers, ...(body !== undefined && { body }) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer;
}

/** Renders a component as the page does: theme, styles, connection, queries, drafts. */
export function show(component: ReactNode): Promise<RenderResult> {
  return render(component, { wrapper: Page });
}

const status = createStatusStore();

function Page({ children }: { readonly children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
    >
      <StatusContext value={status}>
        <ConnectionHost>{children}</ConnectionHost>
      </StatusContext>
    </MantineProvider>
  );
}
