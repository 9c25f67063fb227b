/** Moves that are killed many times, wherever they are, and one of much more than the memory that it is given. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRecords } from '../start.ts';
import { killedBehind, unkilled } from '../testing/killed-move.ts';
import { damageIn, Places, served } from '../testing/moved-store.ts';
import { postgresPrograms } from '../testing/postgres.ts';
import { carePlan } from '../testing/test-server.ts';

const places = new Places();
afterAll(() => places.remove());

const kills = 12;

/** A folder with a record of many versions, some of few, and texts of so many megabytes. */
async function filled(versions: number, texts: readonly number[]): Promise<string> {
  const folder = places.folder();
  const { store, service } = await openRecords(folder, { level: 'off' });
  const importOf = (id: string, more: string) =>
    service.importRecord({
      type: 'CarePlan',
      text: carePlan('Patient/p', `,"id":"${id}"${more}`),
      author: 'a',
      keepIds: true,
    });
  for (const [at, megabytes] of texts.entries())
    await importOf(`large-${at}`, `,"title":"${'x'.repeat(megabytes * 1_000_000)}"`);
  await importOf('many', '');
  for (let at = 0; at < 300; at += 1) await importOf(`few-${at}`, `,"title":"${at}"`);
  for (let at = 0; at < versions; at += 1) {
    const text = carePlan('Patient/p', `,"id":"many","title":"${at}"`);
    await service.update({ type: 'CarePlan', id: 'many', text, author: 'a' });
  }
  await store.close();
  return folder;
}

describe.skipIf(!postgresPrograms())('a move (not run where PostgreSQL is not installed)', () => {
  let source = '';
  beforeAll(async () => {
    source = await filled(4000, [5, 5, 1, 1]);
  });

  test(`killed ${kills} times each way, at any point, nothing is lost and nothing is there twice`, async () => {
    const [store, other, folder] = [await places.store(), await places.store(), places.folder()];
    const { last: digest } = await unkilled(source, other.keeper);
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    for (const [from, to] of [
      [source, store.keeper],
      [store.server, folder],
    ] as const) {
      for (let round = 0; round < kills; round += 1) {
        // At first in the middle of what is copied; then of what is compared, which has a line for each row.
        const lines = 1 + Math.floor(Math.random() * (round < kills / 2 ? 4 : 6000));
        expect(await killedBehind(from, to, lines)).toMatchObject({ signal: 'SIGKILL' });
      }
      const { code, last } = await unkilled(from, to);
      expect([code, last.length]).toEqual([0, 64]);
      if (from === source) expect(last).toBe(digest);
    }
    expect(await damageIn(folder)).toEqual([]);
    await served(folder, async ({ ask }) => {
      expect((await ask('GET', '/fhir-r4/v1/CarePlan/many/_history?_count=1')).total).toBe(4001);
      expect((await ask('GET', '/fhir-r4/v1/CarePlan/large-0')).title).toHaveLength(5_000_000);
      expect((await ask('GET', '/fhir-r4/v1/CarePlan?subject=Patient/p&_count=1')).total).toBe(305);
    });
  });

  test('texts of 200 MB go each way in a heap of 100 MB', async () => {
    const [large, store, folder] = [
      await filled(0, Array<number>(40).fill(5)),
      await places.store(),
      places.folder(),
    ];
    const flags = ['--max-old-space-size=100'];
    const there = await unkilled(large, store.keeper, flags);
    expect([there.code, there.last.length]).toEqual([0, 64]);
    const back = await unkilled(store.server, folder, flags);
    expect([back.code, back.last.length]).toEqual([0, 64]);
    expect(await damageIn(folder)).toEqual([]);
  });
});
