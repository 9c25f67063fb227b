import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  removeRecordSql,
  resealWithout,
  rowTables,
  runIn,
  trailChanges,
  type FolderChange,
} from '../../testing/trail-changes.ts';
import { fillForChanges } from '../../testing/trail-sample.ts';
import { WatchedFolder } from '../../testing/watched-folder.ts';
import { sealKey, sealOf, type ChainRow } from '../audit-chain.ts';
import { connect } from '../../sqlite/sqlite.ts';

const key = sealKey(Buffer.from('a key of the tests, long enough to be one'));

/** Two stores with the same history: one sealed with a key, one without. */
const folders: { plain: WatchedFolder; keyed: WatchedFolder }[] = [];

async function createFilled(sealingKey?: typeof key): Promise<WatchedFolder> {
  const folder = await WatchedFolder.make(sealingKey);
  await folder.start();
  await fillForChanges(folder.path, (...request) => folder.send(...request));
  await folder.stop();
  return folder;
}

beforeAll(async () => {
  folders.push({ plain: await createFilled(), keyed: await createFilled(key) });
});
afterAll(() => Promise.all(folders.flatMap(({ plain, keyed }) => [plain.remove(), keyed.remove()])));

const variants = ['plain', 'keyed'] as const;

async function findingsAfter(variant: (typeof variants)[number], change: FolderChange) {
  const [folderPair] = folders;
  if (!folderPair) throw new Error('No folder was made');
  const folder = await folderPair[variant].copy();
  change(folder.path);
  const findings = await folder.verify();
  await folder.remove();
  return findings;
}

test.each(
  variants.flatMap((variant) =>
    trailChanges.map(([name, ...changeAndFinding]) => [name, variant, ...changeAndFinding] as const),
  ),
)('reports %s (%s)', async (_name, variant, change, finding) => {
  expect(await findingsAfter(variant, () => undefined)).toEqual([]);
  expect(await findingsAfter(variant, change)).toContainEqual(expect.stringMatching(finding));
});

test('finds a removed read by the anchor, or by the key if the anchor was removed too', async () => {
  expect(await findingsAfter('plain', resealWithout)).toEqual([
    expect.stringMatching(
      /^the file lacks entries of the audit log\. The audit log ends at entry \d+, but 1 more entry was written\. The log/,
    ),
  ]);
  // With a key, even a change of the workspace is found.
  const resealWithoutAnchor = (folder: string) => {
    resealWithout(folder);
    rmSync(join(folder, 'workspace.db'));
  };
  expect(await findingsAfter('plain', resealWithoutAnchor)).toEqual([]);
  expect(await findingsAfter('keyed', resealWithoutAnchor)).toEqual([
    'audit entry 1 is in doubt: it and all later entries were not sealed with this key.',
  ]);
});

test('accepts missing versions from before a reset or an erasure', async () => {
  const erase = (folder: string) => {
    const database = connect(join(folder, 'records.db'));
    const { id } = database
      .prepare<unknown[], { id: string }>('SELECT id FROM record WHERE version = 2')
      .get() ?? { id: '' };
    database.close();
    runIn(removeRecordSql)(folder);
    addEntry(folder, 'erase', `CarePlan/${id}: asked for: by letter`);
  };
  expect(await findingsAfter('plain', erase)).toEqual([]);
  const reset = (folder: string) => {
    runIn([...rowTables, 'version', 'record', 'vouched'].map((table) => `DELETE FROM ${table};`).join(' '))(
      folder,
    );
    addEntry(folder, 'reset', 'a.db');
  };
  expect(await findingsAfter('plain', reset)).toEqual([]);
});

/** Appends an entry with a valid seal. */
function addEntry(folder: string, action: string, target: string): void {
  const database = connect(join(folder, 'records.db'));
  const { seq, seal } = database
    .prepare<unknown[], { seq: number; seal: Buffer }>(
      'SELECT seq, seal FROM audit ORDER BY seq DESC LIMIT 1',
    )
    .get() ?? { seq: 0, seal: Buffer.alloc(32) };
  const row: ChainRow = [seq + 1, 1, 'owner', action, target, null, null, 200, ''];
  database
    .prepare('INSERT INTO audit VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL, NULL, NULL)')
    .run(...row, sealOf(seal, [row]));
  database.close();
}
