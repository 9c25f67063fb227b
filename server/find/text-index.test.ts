import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { isFull } from '../store/sqlite.ts';
import { carePlan, startTestServer } from '../testing/test-server.ts';
import { TextIndex } from './text-index.ts';

const disk = mkdtempSync(join(tmpdir(), 'chartkeeper-full-'));
const mounted =
  process.platform === 'linux' &&
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'none', disk]).status === 0;
afterAll(() => {
  if (mounted) spawnSync('umount', ['--lazy', disk]);
  rmSync(disk, { recursive: true, force: true });
});

test.skipIf(!mounted)(
  'on a full disk the index keeps what it has, says that it is behind, and goes on with room again (not run where nothing can be mounted)',
  async () => {
    const server = await startTestServer();
    onTestFinished(() => server.remove());
    const lines = (word: string, count: number) =>
      Array.from({ length: count }, (_, at) => {
        const words = Array.from({ length: 150 }, (_, of) => `${word}${at}x${of}`).join(' ');
        return carePlan('Patient/p', `,"description":"${words}"`);
      }).join('\n');
    const add = async (word: string, count: number) => {
      const headers = { 'Content-Type': 'application/x-ndjson' };
      const { text } = await server.send('POST', '/app/import', lines(word, count), headers);
      expect(text).toContain(`"stored":${count}`);
    };
    const text = join(disk, 'text.db');
    const index = new TextIndex({ records: join(server.dataDir, 'records.db'), text });
    onTestFinished(() => index.close());
    const find = (word: string) => index.ask({ text: word, limit: 8 });
    const count = (word: string) => find(word).records.flatMap(({ found }) => found).length;

    await add('first', 1);
    while (index.step());
    expect(count('first0x1')).toBe(1);
    const { ino } = statSync(text);
    const ballast = join(disk, 'ballast');
    const { error } = spawnSync('sh', ['-c', `cat /dev/zero > ${ballast}`]);
    expect(error).toBeUndefined();
    await add('second', 200);
    const fill = () => {
      while (index.step());
    };
    expect(fill).toThrow(expect.toSatisfy(isFull));
    expect(statSync(text).ino).toBe(ino);
    expect(count('first0x1')).toBe(1);
    expect(find('first0x1').behind).toBeGreaterThan(0);
    index.close();
    expect(count('first0x1')).toBe(1);
    writeFileSync(ballast, '');
    fill();
    expect([find('second').behind, count('second199x149'), count('first0x1')]).toEqual([0, 1, 1]);
  },
);

test('of an erased record no word of any version stays in the file', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.remove());
  const text = join(server.dataDir, 'index-of-this-test.db');
  const index = new TextIndex({ records: join(server.dataDir, 'records.db'), text });
  onTestFinished(() => index.close());
  const holds = (word: string) => readFileSync(text).includes(word);
  const found = (word: string) =>
    index.ask({ text: word, limit: 8 }).records.flatMap(({ found: rows }) => rows).length;
  const written = (word: string) => carePlan('Patient/p', `,"title":"Plan ${word}","description":"${word}"`);

  const kept = await server.send('POST', '/fhir-r4/v1/CarePlan', written('wombatstays'));
  const { json } = await server.send('POST', '/fhir-r4/v1/CarePlan', written('quokkafirst'));
  while (index.step());
  await server.send('PUT', `/fhir-r4/v1/CarePlan/${json.id}`, written('numbatsecond'));
  while (index.step());
  expect([found('quokkafirst'), found('numbatsecond'), found('wombatstays')]).toEqual([0, 1, 1]);
  index.close();
  // A word's beginning may stand with the word before it.
  const tails = ['kkafirst', 'mbatsecond', 'mbatstays'];
  expect(tails.map(holds)).toEqual([true, true, true]);
  const erasure = JSON.stringify({ type: 'CarePlan', id: json.id, reason: 'Asked for.' });
  expect((await server.send('POST', '/app/erasures', erasure)).status).toBe(201);
  index.erase([{ type: 'CarePlan', id: json.id }]);
  expect([found('quokkafirst'), found('numbatsecond'), found('wombatstays')]).toEqual([0, 0, 1]);
  index.close();
  expect(tails.map(holds)).toEqual([false, false, true]);
  expect(kept.status).toBe(201);
});
