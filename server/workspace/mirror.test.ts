import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { derivedFrom } from '../access/principal.ts';
import { hashToken } from '../access/secret.ts';
import { StoreBusyError } from '../store/store-error.ts';
import type { RowChange, SharedRow, SharedRows } from '../store/shared-rows.ts';
import { openSharedWorkspace } from './workspace.ts';

/** Rows as servers share them, in memory; `hold` lets a read wait, `fail` has the next write fail. */
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
        const found = [...rows.values()].filter((row) =>
          from === undefined ? row.body !== null : row.stamp > from,
        );
        await world.hold;
        return { rows: found, stamp: found.at(-1)?.stamp ?? from ?? 0 };
      },
      write(changes) {
        if (world.fail) return Promise.reject(new StoreBusyError('gone', '', undefined));
        const isTaken = ({ name, key, known }: RowChange) => {
          const { body = null, stamp: written = 0 } = rows.get(`${name} ${key}`) ?? {};
          return known === undefined ? body !== null : written > known;
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
  const opened = await openSharedWorkspace(join(folder, 'workspace.db'), {
    rows: shared,
    clock: { now: Date.now },
  });
  onTestFinished(async () => {
    await opened.workspace.close();
    rmSync(folder, { recursive: true });
  });
  return opened;
}

test('what is written while everything is read anew stays, and is shared', async () => {
  const world = sharedRows();
  const { workspace, mirror } = await open(world.shared);
  world.fail = true;
  workspace.people.add('Lost');
  await expect(mirror.settle()).rejects.toThrow(StoreBusyError);
  world.fail = false;

  let goOn: () => void = () => undefined;
  world.hold = new Promise((resolve) => (goOn = resolve));
  const looked = mirror.look();
  await Promise.resolve();
  const { id } = workspace.people.add('Ada');
  goOn();
  await looked;
  await mirror.settle();
  expect(workspace.people.list()).toEqual([{ id, name: 'Ada' }]);
  expect([...world.rows.values()].map(({ body }) => JSON.parse(body ?? ''))).toEqual([{ id, name: 'Ada' }]);
});

test('of a row that two servers begin one is kept, and who was later is told so', async () => {
  const world = sharedRows();
  const [one, other] = [await open(world.shared), await open(world.shared)];
  const search = { type: 'CarePlan', pairs: [] } as const;
  await one.workspace.searches.save('', 'Mine', search);
  await one.mirror.settle();
  await other.workspace.searches.save('', 'Theirs', search);
  await expect(other.mirror.settle()).rejects.toThrow(StoreBusyError);
  expect([one, other].map(({ mirror }) => mirror.takenBack())).toEqual([0, 1]);
  const names = async () => (await other.workspace.searches.saved('')).map(({ name }) => name);
  expect(await names()).toEqual(['Mine']);
});

test('a damaged text that two servers note is in nobody’s way, and one that is noted no more leaves both', async () => {
  const world = sharedRows();
  const [one, other] = [await open(world.shared), await open(world.shared)];
  const noted = { type: 'CarePlan', id: 'a', version: 1, noticed: 1 } as const;
  for (const { workspace } of [one, other]) workspace.damage.add([noted]);
  await one.mirror.settle();
  await other.mirror.settle();
  one.workspace.damage.remove(noted);
  await one.mirror.settle();
  await other.mirror.look();
  expect([one, other].map(({ workspace }) => workspace.damage.all())).toEqual([[], []]);
});

test('a bulk run that goes on at one keeps its records at the other', async () => {
  const world = sharedRows();
  const [one, other] = [await open(world.shared), await open(world.shared)];
  const run = await one.workspace.bulk.create('', { label: 'Run', operations: [] });
  const id = run?.id ?? '';
  const target = (place: number, state: 'ready' | 'done') =>
    ({ place, state, type: 'CarePlan', id: `plan-${place}`, title: '' }) as const;
  await one.workspace.bulk.save(id, [target(0, 'ready'), target(1, 'ready')]);
  await one.mirror.settle();
  await other.mirror.look();
  await one.workspace.bulk.save(id, [target(0, 'done')]);
  await one.mirror.settle();
  await other.mirror.look();
  const { targets } = await other.workspace.bulk.targets(id, -1);
  expect(targets.map(({ state }) => state)).toEqual(['done', 'ready']);
});

test('a session that begins at one ends at the other, and all of a provider’s subject with it', async () => {
  const world = sharedRows();
  const [one, other] = [await open(world.shared), await open(world.shared)];
  const grant = { name: 'Ada', scopes: ['system/*.*'] };
  const { principal } = one.workspace.sessions.begin(grant);
  const [first, second] = [1, 2].map(() => one.workspace.sessions.begin({ ...grant, subject: 'ada' }));
  await one.mirror.settle();
  await other.mirror.look();
  const ids = () => other.workspace.sessions.list().map(({ id }) => id);
  expect(ids().sort()).toEqual([principal, first?.principal, second?.principal].map((by) => by?.id).sort());
  other.workspace.sessions.end(first?.principal.id ?? '');
  expect(ids()).toEqual([principal.id]);
  other.workspace.sessions.end(principal.id);
  await other.mirror.settle();
  await one.mirror.look();
  expect(one.workspace.sessions.list()).toEqual([]);
});

test('ends at the other server what a session made there, once the session ends', async () => {
  const world = sharedRows();
  const [one, other] = [await open(world.shared), await open(world.shared)];
  const grant = { name: 'Ada', scopes: ['system/*.*'] };
  const { principal } = one.workspace.sessions.begin(grant);
  await one.mirror.settle();
  await other.mirror.look();
  const made = derivedFrom(principal);
  const derived = other.workspace.sessions.begin({ ...grant, ...made });
  const minted = await other.workspace.tokens.mint({ name: 'tool', scopes: ['system/*.*'] }, made);
  await other.mirror.settle();
  await one.mirror.look();
  const found = ({ workspace }: typeof one) => [
    typeof workspace.sessions.find(hashToken(derived.token)),
    typeof workspace.tokens.find(hashToken(minted.token)),
  ];
  expect([found(one), found(other)].flat()).toEqual(Array(4).fill('object'));
  one.workspace.sessions.end(principal.id);
  await one.mirror.settle();
  await other.mirror.look();
  expect([found(one), found(other)].flat()).toEqual(Array(4).fill('undefined'));
});
