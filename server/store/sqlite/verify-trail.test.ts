import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  recordRemoved,
  resealWithout,
  rowTables,
  runIn,
  trailChanges,
  type FolderChange,
} from '../../testing/trail-changes.ts';
import { fillForChanges } from '../../testing/trail-sample.ts';
import { WatchedFolder } from '../../testing/watched-folder.ts';
import { sealKey, sealOf, type ChainRow } from '../audit-chain.ts';
import { connect } from './sqlite.ts';

const key = sealKey(Buffer.from('a key of the tests, long enough to be one'));

/** Two stores that went through the same: one sealed with a key, one without. */
const folders: { plain: WatchedFolder; keyed: WatchedFolder }[] = [];

async function filled(given?: typeof key): Promise<WatchedFolder> {
  const folder = await WatchedFolder.make(given);
  await folder.start();
  await fillForChanges(folder.path, (...request) => folder.send(...request));
  await folder.stop();
  return folder;
}

beforeAll(async () => {
  folders.push({ plain: await filled(), keyed: await filled(key) });
});
afterAll(() => Promise.all(folders.flatMap(({ plain, keyed }) => [plain.remove(), keyed.remove()])));

const both = ['plain', 'keyed'] as const;

async function findingsAfter(which: (typeof both)[number], change: FolderChange) {
  const [made] = folders;
  if (!made) throw new Error('No folder was made');
  const folder = await made[which].copy();
  change(folder.path);
  const findings = await folder.verify();
  await folder.remove();
  return findings;
}

test.each(both.flatMap((which) => trailChanges.map(([what, ...rest]) => [what, which, ...rest] as const)))(
  'item 24: %s (%s) is found',
  async (_what, which, change, finding) => {
    expect(await findingsAfter(which, () => undefined)).toEqual([]);
    expect(await findingsAfter(which, change)).toContainEqual(expect.stringMatching(finding));
  },
);

test('item 24: one read that is dropped and sealed anew is found by the seal that is kept outside, and with a key by itself', async () => {
  expect(await findingsAfter('plain', resealWithout)).toEqual([
    expect.stringMatching(
      /^the file lacks entries of the audit trail\. The audit trail ends at entry \d+, and one more was written\. The log/,
    ),
  ]);
  // Whoever can write the workspace too is found where there is a key.
  const alone = (folder: string) => {
    resealWithout(folder);
    rmSync(join(folder, 'workspace.db'));
  };
  expect(await findingsAfter('plain', alone)).toEqual([]);
  expect(await findingsAfter('keyed', alone)).toEqual([
    'audit entry 1 is in doubt: neither it nor what follows it was sealed with the key.',
  ]);
});

test('what was written before a reset, or of a record before it was erased, need not be there', async () => {
  const erased = (folder: string) => {
    const database = connect(join(folder, 'records.db'));
    const { id } = database
      .prepare<unknown[], { id: string }>('SELECT id FROM record WHERE version = 2')
      .get() ?? { id: '' };
    database.close();
    runIn(recordRemoved)(folder);
    addEntry(folder, 'erase', `CarePlan/${id}: asked for: by letter`);
  };
  expect(await findingsAfter('plain', erased)).toEqual([]);
  const reset = (folder: string) => {
    runIn([...rowTables, 'version', 'record', 'vouched'].map((table) => `DELETE FROM ${table};`).join(' '))(
      folder,
    );
    addEntry(folder, 'reset', 'a.db');
  };
  expect(await findingsAfter('plain', reset)).toEqual([]);
});

/** An entry behind the last, sealed as the server does. */
function addEntry(folder: string, action: string, what: string): void {
  const database = connect(join(folder, 'records.db'));
  const { seq, seal } = database
    .prepare<unknown[], { seq: number; seal: Buffer }>(
      'SELECT seq, seal FROM audit ORDER BY seq DESC LIMIT 1',
    )
    .get() ?? { seq: 0, seal: Buffer.alloc(32) };
  const row: ChainRow = [seq + 1, 1, 'owner', action, what, null, null, 200, ''];
  database
    .prepare('INSERT INTO audit VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL, NULL, NULL)')
    .run(...row, sealOf(seal, [row]));
  database.close();
}
