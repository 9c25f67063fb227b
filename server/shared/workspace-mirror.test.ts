import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { inheritFrom } from '../access/principal.ts';
import { hashToken } from '../access/secret.ts';
import { StoreBusyError } from '../store/store-error.ts';
import type { RowChange, SharedRow, SharedRows } from './shared-rows.ts';
import { openSharedWorkspace } from './workspace.ts';

/** Shared rows in memory. `hold` delays a read, and `fail` makes the next write fail. */
function sharedRows() {
  const rows = new Map<string, SharedRow & { readonly stamp: number }>();
  let stamp = 0;
  const world = {
    rows,
    hold: Promise.resolve(),
    fail: false,
    put({ name, key, body }: SharedRow) {
      rows.delete(`${name} ${key}`);
      rows.set(`${name} ${key}`, { name, key, body, stamp: (stamp += 1) });
    },
    shared: {
      async since(from) {
        const matches = [...rows.values()].filter((row) =>
          from === undefined ? row.body !== null : row.stamp > from,
        );
        await world.hold;
        return { rows: matches, stamp: matches.at(-1)?.stamp ?? from ?? 0 };
      },
      write(changes) {
        if (world.fail) return Promise.reject(new StoreBusyError('gone', '', undefined));
        const isTaken = ({ name, key, knownStamp }: RowChange) => {
          const { body = null, stamp: writtenStamp = 0 } = rows.get(`${name} ${key}`) ?? {};
          return knownStamp === undefined ? body !== null : writtenStamp > knownStamp;
        };
        if (changes.some(isTaken)) return Promise.resolve('taken');
        return Promise.resolve(
          changes.map((row) => {
            world.put(row);
            return { ...row, stamp };
          }),
        );
      },
      onChange: () => undefined,
    } satisfies SharedRows as SharedRows,
  };
  return world;
}

async function open(shared: SharedRows) {
  const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-mirror-'));
  const openedWorkspace = await openSharedWorkspace(join(folder, 'workspace.db'), {
    rows: shared,
    clock: { now: Date.now },
  });
  onTestFinished(async () => {
    await openedWorkspace.workspace.close();
    rmSync(folder, { recursive: true });
  });
  return openedWorkspace;
}

test('keeps and shares a write during a full read', async () => {
  const world = sharedRows();
  const { workspace, mirror } = await open(world.shared);
  world.fail = true;
  workspace.people.add('Lost');
  await expect(mirror.settle()).rejects.toThrow(StoreBusyError);
  world.fail = false;

  let release: () => void = () => undefined;
  world.hold = new Promise((resolve) => (release = resolve));
  const reading = mirror.look();
  await Promise.resolve();
  const { id } = workspace.people.add('Ada');
  release();
  await reading;
  await mirror.settle();
  expect(workspace.people.list()).toEqual([{ id, name: 'Ada' }]);
  expect([...world.rows.values()].map(({ body }) => JSON.parse(body ?? ''))).toEqual([{ id, name: 'Ada' }]);
});

test('keeps one of two new rows with the same key and rejects the later one', async () => {
  const world = sharedRows();
  const [serverA, serverB] = [await open(world.shared), await open(world.shared)];
  const search = { type: 'CarePlan', pairs: [] } as const;
  await serverA.workspace.searches.save('', 'Mine', search);
  await serverA.mirror.settle();
  await serverB.workspace.searches.save('', 'Theirs', search);
  await expect(serverB.mirror.settle()).rejects.toThrow(StoreBusyError);
  expect([serverA, serverB].map(({ mirror }) => mirror.takenBack())).toEqual([0, 1]);
  const names = async () => (await serverB.workspace.searches.saved('')).map(({ name }) => name);
  expect(await names()).toEqual(['Mine']);
});

test('merges a damaged text recorded by two servers and removes it from both', async () => {
  const world = sharedRows();
  const [serverA, serverB] = [await open(world.shared), await open(world.shared)];
  const damagedText = { type: 'CarePlan', id: 'a', version: 1, noticed: 1 } as const;
  for (const { workspace } of [serverA, serverB]) workspace.damage.add([damagedText]);
  await serverA.mirror.settle();
  await serverB.mirror.settle();
  serverA.workspace.damage.remove(damagedText);
  await serverA.mirror.settle();
  await serverB.mirror.look();
  expect([serverA, serverB].map(({ workspace }) => workspace.damage.all())).toEqual([[], []]);
});

test('keeps the targets of a bulk run on the other server', async () => {
  const world = sharedRows();
  const [serverA, serverB] = [await open(world.shared), await open(world.shared)];
  const run = await serverA.workspace.bulk.create('', { label: 'Run', operations: [] });
  const id = run?.id ?? '';
  const target = (place: number, state: 'ready' | 'done') =>
    ({ place, state, type: 'CarePlan', id: `plan-${place}`, title: '' }) as const;
  await serverA.workspace.bulk.save(id, [target(0, 'ready'), target(1, 'ready')]);
  await serverA.mirror.settle();
  await serverB.mirror.look();
  await serverA.workspace.bulk.save(id, [target(0, 'done')]);
  await serverA.mirror.settle();
  await serverB.mirror.look();
  const { targets } = await serverB.workspace.bulk.targets(id, -1);
  expect(targets.map(({ state }) => state)).toEqual(['done', 'ready']);
});

test('ends a session on the other server, with all sessions of its subject', async () => {
  const world = sharedRows();
  const [serverA, serverB] = [await open(world.shared), await open(world.shared)];
  const grant = { name: 'Ada', scopes: ['system/*.*'] };
  const { principal } = serverA.workspace.sessions.begin(grant);
  const [firstSession, secondSession] = [1, 2].map(() =>
    serverA.workspace.sessions.begin({ ...grant, subject: 'ada' }),
  );
  await serverA.mirror.settle();
  await serverB.mirror.look();
  const ids = () => serverB.workspace.sessions.list().map(({ id }) => id);
  expect(ids().sort()).toEqual(
    [principal, firstSession?.principal, secondSession?.principal]
      .map((principalOfSession) => principalOfSession?.id)
      .sort(),
  );
  serverB.workspace.sessions.end(firstSession?.principal.id ?? '');
  expect(ids()).toEqual([principal.id]);
  serverB.workspace.sessions.end(principal.id);
  await serverB.mirror.settle();
  await serverA.mirror.look();
  expect(serverA.workspace.sessions.list()).toEqual([]);
});

test('ends derived sessions and tokens of the other server with their session', async () => {
  const world = sharedRows();
  const [serverA, serverB] = [await open(world.shared), await open(world.shared)];
  const grant = { name: 'Ada', scopes: ['system/*.*'] };
  const { principal } = serverA.workspace.sessions.begin(grant);
  await serverA.mirror.settle();
  await serverB.mirror.look();
  const origin = inheritFrom(principal);
  const derivedSession = serverB.workspace.sessions.begin({ ...grant, ...origin });
  const minted = await serverB.workspace.tokens.mint({ name: 'tool', scopes: ['system/*.*'] }, origin);
  await serverB.mirror.settle();
  await serverA.mirror.look();
  const listStates = ({ workspace }: typeof serverA) => [
    typeof workspace.sessions.find(hashToken(derivedSession.token)),
    typeof workspace.tokens.find(hashToken(minted.token)),
  ];
  expect([listStates(serverA), listStates(serverB)].flat()).toEqual(Array(4).fill('object'));
  serverA.workspace.sessions.end(principal.id);
  await serverA.mirror.settle();
  await serverB.mirror.look();
  expect([listStates(serverA), listStates(serverB)].flat()).toEqual(Array(4).fill('undefined'));
});
