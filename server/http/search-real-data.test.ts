import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { indexRows } from '../../core/derive/derive.ts';
import { isFhirId, type ResourceType } from '../../core/fhir/resource.ts';
import { scan } from '../../core/json/scan.ts';
import { createSearch } from '../fhir/search.ts';
import { openRecordStore } from '../store/sqlite/sqlite-store.ts';
import type { RecordStore } from '../store/store.ts';
import type { Json } from '../testing/test-server.ts';

const realDataFolder = resolve(import.meta.dirname, '../../../shared/data');
const base = 'http://127.0.0.1:1';

interface Sample {
  readonly name: string;
  readonly text: string;
}

/** Uses all Synthea records with the long tests, otherwise every tenth. */
const sampleStep = process.env.LONG_TESTS === undefined ? 10 : 1;

function samples(): Sample[] {
  const lines = readFileSync(join(realDataFolder, 'synthea-careplans.ndjson'), 'utf8').split('\n');
  return [
    ...globSync(join(realDataFolder, '{CarePlan,Composition}/*.json')).map((path) => ({
      name: basename(path),
      text: readFileSync(path, 'utf8'),
    })),
    ...lines.flatMap((text, index) =>
      text === '' || index % sampleStep > 0 ? [] : [{ name: `synthea line ${index + 1}`, text }],
    ),
  ];
}

// Writes to the store directly, so that records with errors are searched too.
describe.skipIf(!existsSync(realDataFolder))('real records (not run where they are absent)', () => {
  let folder: string;
  let store: RecordStore;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chartkeeper-real-'));
    store = await openRecordStore(join(folder, 'records.db'));
  });
  afterAll(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });

  test('finds each record by the last segment of its subject', async () => {
    const storedRecords: { name: string; type: ResourceType; id: string; segment: string }[] = [];
    for (const [index, { name, text }] of samples().entries()) {
      const record: Json = JSON.parse(text);
      const type: ResourceType = record.resourceType;
      const id = isFhirId(record.id ?? '') ? `${index}.${record.id}`.slice(0, 64) : `id-${index}`;
      const lastUpdated = new Date(Date.UTC(2026, 0, 1) + index).toISOString();
      const rows = indexRows(type, scan(text).root);
      const version = {
        type,
        id,
        version: 1,
        lastUpdated,
        text,
        operation: 'import',
        author: 'test',
      } as const;
      expect(await store.insert({ ...version, index: rows, issues: [] })).toBe('stored');
      const literal: unknown = record.subject?.reference;
      if (typeof literal !== 'string') continue;
      storedRecords.push({ name, type, id, segment: literal.split(/[/:#]/).at(-1) ?? '' });
    }
    expect(storedRecords.length).toBeGreaterThan(267 - 10 + 1700 / sampleStep);
    const searches = createSearch({ store });
    const missed: string[] = [];
    for (const { name, type, id, segment } of storedRecords) {
      const bytes = await searches.search(type, [['subject', segment]], { lenient: false, base });
      if (!Buffer.isBuffer(bytes) || !bytes.includes(`"fullUrl":"${base}/fhir-r4/v1/${type}/${id}"`))
        missed.push(name);
    }
    expect(missed).toEqual([]);
  });
});
