/**
 * The workbench stores open tabs and drafts on its server. Without them, a new profile starts as on the first
 * day.
 */
import type { Browser, Page } from '@playwright/test';
import { DraftList } from '../../core/app/drafts.ts';
import { emptySession } from '../../core/app/session.ts';
import { matchesSchema } from '../../core/json/shape.ts';
import type { Server } from '../processes.ts';
import { inNewPage } from './browser.ts';

/** Runs `work` in a page of a new profile, without tabs and drafts of earlier rounds. */
export async function inFreshWorkbench<Result>(
  { browser, workbench }: { readonly browser: Browser; readonly workbench: Server },
  work: (page: Page) => Promise<Result>,
): Promise<Result> {
  await request(workbench, 'PUT', '/session', emptySession);
  const drafts = await request(workbench, 'GET', '/drafts');
  if (!matchesSchema(DraftList, drafts)) throw new Error('The server answered drafts in an unknown form.');
  for (const { id } of drafts) await request(workbench, 'DELETE', `/drafts/${id}`);
  return inNewPage(browser, work);
}

async function request(
  { port, token }: Server,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}/app${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}.`);
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
}
