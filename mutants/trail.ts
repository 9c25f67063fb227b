import type { Mutant } from './mutant.ts';

const verifyTest = 'server/store/sqlite/verify.test.ts';
const keeperTest = 'server/store/sqlite/database-keeper.test.ts';
const reopened =
  'item 9: after a failed sync nothing is written until the database was opened anew; reads go on';
const auditTest = 'server/http/audit-routes.test.ts';
const chainTests = 'server/store/audit-chain.test.ts';
const trailTest = 'server/store/sqlite/verify-trail.test.ts';
const watchTest = 'server/trail-watch.test.ts';
const logTest = {
  file: watchTest,
  title:
    'item 23: of a log that was %s, verify and the start name how many acknowledged writes are missing at least',
};
const chainTest = {
  file: verifyTest,
  title: 'entries that were removed, added, renumbered or sealed anew are found, the first of them named',
};
const stays = { file: verifyTest, title: 'no entry can be changed or removed through SQL' };

/** What is noticed afterwards, and what happens where the disk fails. */
export const trailMutants: readonly Mutant[] = [
  {
    mechanism: 'audit: an entry with each write',
    file: 'server/store/sqlite/version-writer.ts',
    text: 'trail.add([entryOf(next, before, sha256)]);',
    test: { file: verifyTest, title: 'a whole file has no findings, and all of it was looked at' },
  },
  {
    mechanism: 'audit: seals are compared',
    file: 'server/store/audit-chain.ts',
    text: "if (sealing !== 'foreign' && !seal.equals(sealOf(this.previous, this.group, this.keyOf(sealing)))) {",
    instead: 'if (seal.length === 0) {',
    test: { file: verifyTest, title: 'an audit entry whose %s was changed is found' },
  },
  {
    mechanism: 'audit: each seal holds the one before it',
    file: 'server/store/audit-chain.ts',
    text: "`${previous.toString('hex')}\\n${JSON.stringify(rows)}`",
    instead: '`${previous.length}\\n${JSON.stringify(rows)}`',
    test: {
      file: 'server/store/audit-chain.test.ts',
      title: 'an entry that was changed and whose group was sealed anew is found at the next seal',
    },
  },
  {
    mechanism: 'audit: seals with a key hold it',
    file: 'server/store/audit-chain.ts',
    text: "createHmac('sha256', key.secret)",
    instead: "createHmac('sha256', '')",
    test: { file: chainTests, title: 'a seal that was made with another key of the same name is none' },
  },
  {
    mechanism: 'audit: entries vouch for texts',
    file: 'server/store/sqlite/version-writer.ts',
    text: 'trail.add([entryOf(next, before, sha256)]);',
    instead: 'trail.add([{ ...entryOf(next, before, sha256), sha256: undefined }]);',
    test: { file: trailTest, title: 'item 24: %s (%s) is found' },
  },
  {
    mechanism: 'audit: the end is kept outside the records',
    file: 'server/trail-watch.ts',
    text: '    kept.keep(head);\n    last = head;\n',
    test: logTest,
  },
  {
    mechanism: 'audit: a start compares with the end that was kept',
    file: 'server/trail-watch.ts',
    text: 'last && (await audit.lossSince(last))',
    instead: 'undefined',
    test: logTest,
  },
  {
    mechanism: 'audit: a restore moves the end',
    file: 'server/trail-watch.ts',
    text: '      kept.keep(undefined);\n',
    test: {
      file: watchTest,
      title: 'a kill in the middle of a restore, behind the swap, is told as no loss',
    },
  },
  {
    mechanism: 'audit: entries are numbered without a gap',
    file: 'server/store/audit-chain.ts',
    text: 'if (seq !== due) {',
    instead: 'if (seq < 0) {',
    test: chainTest,
  },
  {
    mechanism: 'audit: no entry is changed',
    file: 'server/store/sqlite/migrations.ts',
    text: "BEGIN SELECT RAISE(ABORT, 'the audit trail keeps every row as it is'); END;",
    instead: 'BEGIN SELECT 1; END;',
    test: stays,
  },
  {
    mechanism: 'audit: no entry is removed',
    file: 'server/store/sqlite/migrations.ts',
    text: "BEGIN SELECT RAISE(ABORT, 'the audit trail keeps every row'); END;",
    instead: 'BEGIN SELECT 1; END;',
    test: stays,
  },
  {
    mechanism: 'audit: tokens are redacted',
    file: 'server/http/audit-recorder.ts',
    text: 'return redactPath(address, ',
    instead: 'return address || redactPath(address, ',
    test: { file: auditTest, title: 'no body and no token stands in the trail, wherever it was put' },
  },
  {
    mechanism: 'verify: the checksum of each version',
    file: 'server/store/sqlite/verify-records.ts',
    text: "yield { where, problem: 'has a text that is not the one that was written.' };",
    test: { file: verifyTest, title: '200 flips of one bit each, 200 noticed, each by its record' },
  },
  {
    mechanism: 'backups: what is replaced is kept',
    file: 'server/store/sqlite/restore.ts',
    text: 'linkSync(path, before);',
    test: {
      file: 'server/http/backup-routes.test.ts',
      title: 'item 13: a backup is made, listed, and put back in the running server; what was there is kept',
    },
  },
  {
    mechanism: 'failed disk: nothing is written behind a failed sync',
    file: 'server/store/sqlite/write-queue.ts',
    text: '    this.refuse(error);\n',
    test: { file: keeperTest, title: reopened },
  },
  {
    mechanism: 'failed disk: the database is opened anew',
    file: 'server/store/sqlite/write-queue.ts',
    text: '    this.failed(error);\n',
    test: { file: keeperTest, title: reopened },
  },
  {
    mechanism: 'failed disk: what a failed write left in the log is cut off',
    file: 'server/store/sqlite/database-keeper.ts',
    text: '      dropFailedFrames(database);\n',
    test: {
      file: keeperTest,
      title: 'item 9: what a failed write left in the log is cut off before it is answered',
    },
  },
  {
    mechanism: 'a backup that is not good is not restored',
    file: 'server/store/sqlite/restore.ts',
    text: 'await inspectBeside(draft, { migrations })',
    instead: 'null',
    test: {
      file: 'server/http/backup-routes.test.ts',
      title: 'a backup that is not good is refused, and the records stay',
    },
  },
  {
    mechanism: 'restore: versions number on behind those that were given out',
    file: 'server/store/sqlite/sqlite-store.ts',
    text: 'Math.max(standing.version, taken) + 1',
    instead: 'standing.version + 1',
    test: {
      file: 'server/http/backup-routes.test.ts',
      title:
        'a number that a restore took back is given to no other text: who still holds its ETag is refused',
    },
  },
];
