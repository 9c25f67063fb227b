import { use, useEffect } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { ConnectionSummary } from '../../core/app/connections.ts';
import { matchesSchema } from '../../core/json/shape.ts';
import type { DraftAutosave } from '../features/record/drafts/draft-autosave.ts';
import { DraftsContext } from '../features/record/drafts/drafts-context.ts';
import { selectedConnection } from './connection-host.tsx';
import {
  localConnection,
  useConnection,
  useSwitchConnection,
  type SwitchConnection,
} from '../platform/connection.ts';
import { intercept } from '../testing/answers.ts';
import { send, show, startServer } from '../testing/show.tsx';
import { useStatus } from '../ui/status-store.ts';
import { text } from '../ui/text.ts';

beforeEach(startServer);

interface PageContext {
  readonly switchTo: SwitchConnection;
  /** Each server has its own. */
  readonly autosave: DraftAutosave;
}

/** Renders the current server. Returns a function that reads the contexts of a component. */
async function showPart(): Promise<() => PageContext> {
  const contexts: PageContext[] = [];
  function Part() {
    const { name } = useConnection();
    const { message } = useStatus();
    const [switchTo, autosave] = [useSwitchConnection(), use(DraftsContext)];
    useEffect(() => void contexts.push({ switchTo, autosave }), [switchTo, autosave]);
    return (
      <>
        <h1>{name}</h1>
        <output>{message}</output>
      </>
    );
  }
  await show(<Part />);
  return () => {
    const latest = contexts.at(-1);
    if (!latest) throw new Error('Nothing is shown');
    return latest;
  };
}

async function connect(name: string): Promise<ConnectionSummary> {
  const settings = {
    name,
    baseUrl: 'https://fhir.example.org',
    mode: 'normal',
    authentication: { kind: 'none' },
  };
  const { id } = (await (await send('POST', '/app/connections', JSON.stringify(settings))).json()) as {
    id: string;
  };
  const connection: unknown = await (await send('GET', `/app/connections/${id}`)).json();
  if (matchesSchema(ConnectionSummary, connection)) return connection;
  throw new Error('The server answered no connection');
}

const heading = (name: string) => page.getByRole('heading', { name });

test('keeps the state when switching to the current server, and applies its new name', async () => {
  const getContext = await showPart();
  const { switchTo, autosave } = getContext();
  expect(await switchTo(undefined)).toBe(true);
  expect(getContext().autosave).toBe(autosave);

  const ward = await connect('Ward');
  expect(await switchTo(ward)).toBe(true);
  await expect.element(heading('Ward')).toBeVisible();
  await expect.element(page.getByText(text.connections.switched('Ward'))).toBeVisible();
  expect(selectedConnection.id()).toBe(ward.id);
  const wardContext = getContext();
  expect(wardContext.autosave).not.toBe(autosave);

  expect(await switchTo({ ...ward, name: 'Ward 3' })).toBe(true);
  await expect.element(heading('Ward 3')).toBeVisible();
  expect(getContext().autosave).toBe(wardContext.autosave);
  // Another URL is another server, even with the same name.
  expect(await switchTo({ ...ward, baseUrl: 'https://other.example.org' })).toBe(true);
  await expect.poll(() => getContext().autosave).not.toBe(wardContext.autosave);
});

test('switches servers only after unsaved texts are stored as drafts', async () => {
  const getContext = await showPart();
  const { switchTo, autosave } = getContext();
  const ward = await connect('Ward');
  const draft = { type: 'CarePlan', recordId: '1', title: 'Diet', base: '{}', text: '{"a":1}' } as const;
  autosave.setText('tab', draft);
  let fails = true;
  intercept((request, pass) =>
    fails && request.startsWith('PUT ') ? Promise.reject(new TypeError('away')) : pass(),
  );
  expect(await switchTo(ward)).toBe(false);
  await expect.element(page.getByText(text.connections.notKept)).toBeVisible();
  expect(selectedConnection.id()).toBeUndefined();

  fails = false;
  expect(await switchTo(ward)).toBe(true);
  const message = text.connections.keptDrafts('Ward', localConnection.name, 1);
  await expect.element(page.getByText(message)).toBeVisible();
});
