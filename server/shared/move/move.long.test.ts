/** Moves that are killed many times at random points, and a move of more data than its memory. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRecords } from '../../start.ts';
import { killMoveAfter, runMove } from '../../testing/killed-move.ts';
import { listProblems, Places, withServer } from '../../testing/moved-store.ts';
import { postgresPrograms } from '../../testing/postgres.ts';
import { carePlan } from '../../testing/test-server.ts';

const places = new Places();
afterAll(() => places.remove());

const kills = 12;

/** Creates a folder with a record of many versions, records of one version, and texts of some megabytes. */
async function createFilledFolder(versions: number, texts: readonly number[]): Promise<string> {
  const folder = places.folder();
  const { store, service } = await openRecords(folder, { level: 'off' });
  const importOf = (id: string, members: string) =>
    service.importRecord({
      type: 'CarePlan',
      text: carePlan('Patient/p', `,"id":"${id}"${members}`),
      author: 'a',
      keepIds: true,
    });
  for (const [index, megabytes] of texts.entries())
    await importOf(`large-${index}`, `,"title":"${'x'.repeat(megabytes * 1_000_000)}"`);
  await importOf('many', '');
  for (let index = 0; index < 300; index += 1) await importOf(`few-${index}`, `,"title":"${index}"`);
  for (let index = 0; index < versions; index += 1) {
    const text = carePlan('Patient/p', `,"id":"many","title":"${index}"`);
    await service.update({ type: 'CarePlan', id: 'many', text, author: 'a' });
  }
  await store.close();
  return folder;
}

describe.skipIf(!postgresPrograms())('move (not run where PostgreSQL is not installed)', () => {
  let source = '';
  beforeAll(async () => {
    source = await createFilledFolder(4000, [5, 5, 1, 1]);
  });

  test(`loses and duplicates nothing if killed ${kills} times in each direction`, async () => {
    const [store, otherStore, folder] = [await places.store(), await places.store(), places.folder()];
    const { lastLine: digest } = await runMove(source, otherStore.keeper);
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    for (const [from, to] of [
      [source, store.keeper],
      [store.address, folder],
    ] as const) {
      for (let round = 0; round < kills; round += 1) {
        // First kills during the copy, then during the comparison, which prints a line for each row.
        const lines = 1 + Math.floor(Math.random() * (round < kills / 2 ? 4 : 6000));
        expect(await killMoveAfter(from, to, lines)).toMatchObject({ signal: 'SIGKILL' });
      }
      const { code, lastLine } = await runMove(from, to);
      expect([code, lastLine.length]).toEqual([0, 64]);
      if (from === source) expect(lastLine).toBe(digest);
    }
    expect(await listProblems(folder)).toEqual([]);
    await withServer(folder, async ({ ask }) => {
      expect((await ask('GET', '/fhir-r4/v1/CarePlan/many/_history?_count=1')).total).toBe(4001);
      expect((await ask('GET', '/fhir-r4/v1/CarePlan/large-0')).title).toHaveLength(5_000_000);
      expect((await ask('GET', '/fhir-r4/v1/CarePlan?subject=Patient/p&_count=1')).total).toBe(305);
    });
  });

  test('moves 200 MB of texts in each direction in a heap of 100 MB', async () => {
    const [large, store, folder] = [
      await createFilledFolder(0, Array<number>(40).fill(5)),
      await places.store(),
      places.folder(),
    ];
    const flags = ['--max-old-space-size=100'];
    const forward = await runMove(large, store.keeper, flags);
    expect([forward.code, forward.lastLine.length]).toEqual([0, 64]);
    const back = await runMove(store.address, folder, flags);
    expect([back.code, back.lastLine.length]).toEqual([0, 64]);
    expect(await listProblems(folder)).toEqual([]);
  });
});
