import { use, useEffect } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { ConnectionSummary } from '../../core/app/connections.ts';
import { is } from '../../core/json/shape.ts';
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

interface Held {
  readonly turn: SwitchConnection;
  /** Another one for each server. */
  readonly keeper: DraftAutosave;
}

/** Shows the server that is worked on; what a part of the page holds. */
async function work(): Promise<() => Held> {
  const held: Held[] = [];
  function Part() {
    const { name } = useConnection();
    const { message } = useStatus();
    const [turn, keeper] = [useSwitchConnection(), use(DraftsContext)];
    useEffect(() => void held.push({ turn, keeper }), [turn, keeper]);
    return (
      <>
        <h1>{name}</h1>
        <output>{message}</output>
      </>
    );
  }
  await show(<Part />);
  return () => {
    const last = held.at(-1);
    if (!last) throw new Error('Nothing is shown');
    return last;
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
  const found: unknown = await (await send('GET', `/app/connections/${id}`)).json();
  if (is(ConnectionSummary, found)) return found;
  throw new Error('The server answered no connection');
}

const heading = (name: string) => page.getByRole('heading', { name });

test('a turn to the server that is worked on is no turn; its new name is taken on', async () => {
  const now = await work();
  const { turn, keeper } = now();
  expect(await turn(undefined)).toBe(true);
  expect(now().keeper).toBe(keeper);

  const ward = await connect('Ward');
  expect(await turn(ward)).toBe(true);
  await expect.element(heading('Ward')).toBeVisible();
  await expect.element(page.getByText(text.connections.switched('Ward'))).toBeVisible();
  expect(selectedConnection.id()).toBe(ward.id);
  const there = now();
  expect(there.keeper).not.toBe(keeper);

  expect(await turn({ ...ward, name: 'Ward 3' })).toBe(true);
  await expect.element(heading('Ward 3')).toBeVisible();
  expect(now().keeper).toBe(there.keeper);
  // Another address is another server, whatever it is called.
  expect(await turn({ ...ward, baseUrl: 'https://other.example.org' })).toBe(true);
  await expect.poll(() => now().keeper).not.toBe(there.keeper);
});

test('a page turns to another server once its unsaved texts are kept as drafts, and not before', async () => {
  const now = await work();
  const { turn, keeper } = now();
  const ward = await connect('Ward');
  const unsaved = { type: 'CarePlan', recordId: '1', title: 'Diet', base: '{}', text: '{"a":1}' } as const;
  keeper.keep('tab', unsaved);
  let fails = true;
  intercept((request, pass) =>
    fails && request.startsWith('PUT ') ? Promise.reject(new TypeError('away')) : pass(),
  );
  expect(await turn(ward)).toBe(false);
  await expect.element(page.getByText(text.connections.notKept)).toBeVisible();
  expect(selectedConnection.id()).toBeUndefined();

  fails = false;
  expect(await turn(ward)).toBe(true);
  const said = text.connections.keptDrafts('Ward', localConnection.name, 1);
  await expect.element(page.getByText(said)).toBeVisible();
});
