import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readCriteria } from '../../core/fhir/search.ts';
import { openRecords } from '../start.ts';
import { runCli } from '../testing/run-cli.ts';
import { carePlan, composition } from '../testing/test-server.ts';

let folder: string;
let data: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chartkeeper-import-'));
  data = join(folder, 'data');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function file(name: string, content: string | Buffer): Promise<string> {
  await mkdir(join(folder, 'in'), { recursive: true });
  const path = join(folder, 'in', name);
  await writeFile(path, content);
  return path;
}

const importInto = (...parameters: string[]) => runCli(['import', '--data', data, ...parameters]);
const withId = (id: string, text: string) => text.replace('{', `{"id":"${id}",`);

async function total(subject: string, type: 'CarePlan' | 'Composition' = 'CarePlan'): Promise<number> {
  const { store } = await openRecords(data);
  try {
    return await store.total(readCriteria(type, [['subject', subject]]));
  } finally {
    await store.close();
  }
}

describe('chartkeeper import', () => {
  test('reads all formats, keeps other types, names rejected entries and exits with 1', async () => {
    await file('a.json', `\ufeff${carePlan('Patient/a')}`);
    await file(
      'b.ndjson',
      `${carePlan('Patient/b')}\r\n\n${carePlan('Patient/b')}\n{"resourceType":"CarePlan","title":""}`,
    );
    const entries = [carePlan('Patient/c'), composition('Patient/c'), '{"resourceType":"Patient","id":"c"}'];
    await file(
      'c.json',
      `{"resourceType":"Bundle","type":"collection","entry":[${entries.map((entry) => `{"resource":${entry}}`).join(',')}]}`,
    );
    await file('d.json', 'no JSON');
    await file('e.ndjson', Buffer.from(`${carePlan('Patient/\xff')}\n`, 'latin1'));
    await file('f.txt', 'not looked at');
    const { code, stdout } = await importInto(join(folder, 'in'));
    expect(code).toBe(1);
    const lines = stdout.trim().split('\n');
    expect(lines.at(-1)).toBe('5 stored, 0 unchanged, 3 refused, related resources: Patient 1.');
    expect(lines).toHaveLength(5);
    expect(lines[3]).toBe('Skipped 1 file: .txt 1.');
    expect(lines[0]).toMatch(/^refused .*b\.ndjson:4: CarePlan\.title: .*\.$/);
    expect(lines[1]).toMatch(/^refused .*d\.json: .*line 1, column 1/);
    expect(lines[2]).toMatch(/^refused .*e\.ndjson:1: .*UTF-8/);
    expect(await total('b')).toBe(2);
    expect(await total('c', 'Composition')).toBe(1);
  });

  test('exits with 0 on a valid import; repeats --keep-ids without overwriting other content', async () => {
    const path = await file('a.ndjson', withId('one', carePlan('Patient/a')));
    expect(await importInto('--keep-ids', path)).toMatchObject({
      code: 0,
      stdout: '1 stored, 0 unchanged, 0 refused.\n',
    });
    expect(await importInto('--keep-ids', path)).toMatchObject({
      code: 0,
      stdout: '0 stored, 1 unchanged, 0 refused.\n',
    });
    await writeFile(path, withId('one', carePlan('Patient/other')));
    const { code, stdout } = await importInto('--keep-ids', path);
    expect(code).toBe(1);
    expect(stdout).toContain('A CarePlan with this ID already exists');
    expect(await total('a')).toBe(1);
  });

  test('assigns new ids without --keep-ids', async () => {
    const path = await file('a.ndjson', withId('one', carePlan('Patient/a')));
    await importInto(path);
    expect((await importInto(path)).stdout).toBe('1 stored, 0 unchanged, 0 refused.\n');
    expect(await total('a')).toBe(2);
  });

  test('stores a dirty record with --level off', async () => {
    const path = await file('dirty.json', carePlan('Patient/dirty', ',"description":7'));
    expect((await importInto(path)).stdout).toContain('CarePlan.description: ');
    expect(await importInto('--level', 'off', path)).toMatchObject({ code: 0 });
    expect(await total('dirty')).toBe(1);
  });

  test('exits with 1 and one message for a missing path', async () => {
    const { code, stderr } = await importInto(join(folder, 'nothing.json'));
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain('nothing.json');
  });
});

const real = resolve(import.meta.dirname, '../../../shared/data');

describe.skipIf(!existsSync(real))('real records (not run where they are absent)', () => {
  test('stores at least 95 of 100, names each rejected one and finds a patient by bare id', async () => {
    const paths = ['synthea-careplans.ndjson', 'CarePlan', 'Composition'].map((name) => join(real, name));
    const { stdout } = await importInto(...paths);
    const [storedCount = 0, , refusedCount = 0] = [
      ...(stdout.trim().split('\n').at(-1) ?? '').matchAll(/\d+/g),
    ].map(Number);
    expect(storedCount + refusedCount).toBe(2036);
    expect(storedCount / (storedCount + refusedCount)).toBeGreaterThanOrEqual(0.95);
    expect(stdout.match(/^refused /gm) ?? []).toHaveLength(refusedCount);
    expect(await total('018f428e-34f6-4707-8009-5ad742f901e7')).toBeGreaterThan(0);
  });
});
