import type { Mutant } from './mutant.ts';

const openDatabase = 'server/store/sqlite/open-database.ts';
const openTest = 'server/store/sqlite/open-database.test.ts';
const opened = 'item 7: a new file is 0600 in a folder 0700, WAL with synchronous FULL';
const settings = 'server/store/sqlite/connection-settings.ts';
const settingsTest = 'server/store/sqlite/connection-settings.test.ts';

/** What becomes of a record between its arrival and the disk. */
export const dataMutants: readonly Mutant[] = [
  {
    mechanism: 'JSON: every digit is kept',
    file: 'core/json/print.ts',
    text: 'return node.source;',
    instead: 'return String(Number(node.source));',
    test: {
      file: 'core/json/scan.test.ts',
      title: 'prints back what it read, digits, escapes and order included',
    },
  },
  {
    mechanism: 'JSON: no property twice',
    file: 'core/json/scan.ts',
    text: "if (this.seen(container, key)) this.note('duplicate-key', 'A property name stands twice', start, end);",
    test: {
      file: 'server/http/refusals.test.ts',
      title: 'a body that is not one clean record is refused at the element',
    },
  },
  {
    mechanism: 'JSON: no name of a prototype',
    file: 'core/json/scan.ts',
    text: "if (forbiddenNames.has(key)) this.note('forbidden-key', 'This property name is not allowed', start, end);",
    test: {
      file: 'server/http/refusals.test.ts',
      title: 'a body that is not one clean record is refused at the element',
    },
  },
  {
    mechanism: 'JSON: 64 levels',
    file: 'core/json/scan.ts',
    text: 'this.frames.length >= this.depth',
    instead: 'this.frames.length >= 2 * this.depth',
    test: { file: 'core/json/scan.test.ts', title: 'stops at the depth limit before anything recursive' },
  },
  {
    mechanism: 'patch: 500 operations',
    file: 'core/fhir/patch.ts',
    text: 'root.items.length > limits.patchOperations',
    instead: 'root.items.length > 2 * limits.patchOperations',
    test: { file: 'server/http/limits.test.ts', title: 'operations of a patch' },
  },
  {
    mechanism: 'patch: the id is immutable',
    file: 'core/fhir/record.ts',
    text: "new Set(['/id', '/resourceType', ",
    instead: "new Set(['/resourceType', ",
    test: {
      file: 'server/conformance/rows-patch.test.ts',
      title: "row 48: %s is the server's: 422 business-rule",
    },
  },
  {
    mechanism: 'patch: no prototype is reached',
    file: 'core/fhir/patch.ts',
    text: 'tokens.some((token) => forbiddenNames.has(token))',
    instead: 'tokens.length === 0',
    test: { file: 'server/conformance/rows-patch.test.ts', title: 'row 49: the name %s is 400 value' },
  },
  {
    mechanism: 'patch: only what is there is replaced',
    file: 'core/fhir/patch.ts',
    text: 'if (!target) missing(parent, token, index, expressionAt(type, tokens.slice(0, step)));',
    instead: 'if (!target) return;',
    test: {
      file: 'server/conformance/rows-patch.test.ts',
      title: 'row 45: replace of %s, which is missing, is 422 processing at the nearest parent',
    },
  },
  {
    mechanism: 'patch: all operations or none',
    file: 'server/fhir/drafts.ts',
    text: '  applyPatch(record, type, operations);',
    instead: '  try { applyPatch(record, type, operations); } catch { return record; }',
    test: { file: 'server/http/refusals.test.ts', title: 'a patch is refused whole, and nothing is stored' },
  },
  {
    mechanism: 'update: the id of the body is that of the address',
    file: 'server/fhir/drafts.ts',
    text: 'if (sent !== undefined && sent !== id && !anyId) throw otherId(type);',
    test: {
      file: 'server/conformance/rows-update.test.ts',
      title: 'row 26: the body id %j is 400 value at the id',
    },
  },
  {
    mechanism: 'If-Match is checked',
    file: 'server/fhir/conditions.ts',
    text: "if (accepted !== 'any' && !accepted.includes(version)) throw stale(type, version);",
    test: {
      file: 'server/conformance/rows-update.test.ts',
      title: 'row 30: a stale If-Match is 412 conflict with the current version and ETag',
    },
  },
  {
    mechanism: 'compare and swap: the version stands in the UPDATE',
    file: 'server/store/sqlite/version-writer.ts',
    text: 'AND id = ? AND version = ? RETURNING',
    instead: 'AND id = ? AND ? > 0 RETURNING',
    test: {
      file: 'server/store/sqlite/contract.test.ts',
      title: 'a write that is refused leaves all as it was',
      from: 'server/store/testing/contract-versions.ts',
    },
  },
  {
    mechanism: 'an id is given once: no index sees to that',
    file: 'server/store/sqlite/version-writer.ts',
    text: "WHERE NOT EXISTS (SELECT 1 FROM record WHERE type = '${type}' AND id = ?)",
    instead: "WHERE ? <> ''",
    test: {
      file: 'server/store/sqlite/contract.test.ts',
      title: 'a write that is refused leaves all as it was',
      from: 'server/store/testing/contract-versions.ts',
    },
  },
  {
    mechanism: 'issue rows have a sum',
    file: 'server/store/sqlite/verify-records.ts',
    text: 'record.issues_crc32 !== sumOfIssues(record.pk)',
    instead: 'record.issues_crc32 < 0',
    test: { file: 'server/store/sqlite/verify.test.ts', title: '%s is found' },
  },
  {
    mechanism: 'the sum of issue rows follows them',
    file: 'server/store/sqlite/version-writer.ts',
    text: 'changed.length > 0 || ',
    test: {
      file: 'server/store/sqlite/record-quality.test.ts',
      title: 'a record has the sum of its issue rows as they stand, of before records had one too',
    },
  },
  {
    mechanism: 'a Bundle holds 128 MiB of records at most',
    file: 'server/store/sqlite/statements.ts',
    text: 'bytes > most && index > 0',
    instead: 'bytes < 0',
    test: {
      file: 'server/store/sqlite/record-search.test.ts',
      title: 'pages that are cut by their bytes lead over every match, there and back',
    },
  },
  {
    mechanism: 'synchronous FULL',
    file: settings,
    text: "database.pragma('synchronous = FULL');",
    test: { file: openTest, title: opened },
  },
  {
    mechanism: 'settings are read back: FULL that was not taken',
    file: settings,
    text: '  synchronous: 2,\n',
    test: { file: settingsTest, title: 'a database with %s is not served' },
  },
  {
    mechanism: 'settings are read back, each',
    file: settings,
    text: 'if (found === value) continue;',
    instead: 'continue;',
    test: { file: settingsTest, title: 'a database with %s is not served' },
  },
  {
    mechanism: 'settings are read back before a database is served',
    file: openDatabase,
    text: 'assertSettings(database, locking);',
    test: {
      file: 'server/store/sqlite/open-settings.test.ts',
      title: 'a database whose settings were not taken is not opened',
    },
  },
  {
    mechanism: 'write-ahead log',
    file: settings,
    text: "database.pragma('journal_mode = WAL');",
    test: { file: openTest, title: opened },
  },
  {
    mechanism: 'exclusive lock: a second start ends',
    file: 'server/store/sqlite/folder-lock.ts',
    text: 'BEGIN EXCLUSIVE',
    instead: 'BEGIN',
    test: {
      file: 'server/store/sqlite/folder-lock.test.ts',
      title: 'item 7: what one holds no other holds or looks at, until it lets go',
    },
  },
  {
    mechanism: 'secure_delete: what is deleted is overwritten',
    file: settings,
    text: "database.pragma('secure_delete = ON');",
    test: { file: openTest, title: opened },
  },
  {
    mechanism: 'trusted_schema OFF',
    file: settings,
    text: "database.pragma('trusted_schema = OFF');",
    test: { file: openTest, title: opened },
  },
  {
    mechanism: 'file modes: 0600, and 0700 for folders',
    file: 'server/store/sqlite/file-modes.ts',
    text: 'if (hasModes) for (const [file, mode] of modesOf(path)) chmodSync(file, mode);',
    test: {
      file: 'server/store/sqlite/file-modes.test.ts',
      title: 'those that were open to others are closed when they are opened, backups too',
    },
  },
  {
    mechanism: 'file modes are read back',
    file: 'server/store/sqlite/file-modes.ts',
    text: 'if (found === mode) continue;',
    instead: 'continue;',
    test: {
      file: 'server/store/sqlite/file-modes.test.ts',
      title: 'a file that stays open to others is not served',
    },
  },
  {
    mechanism: 'a backup before each migration',
    file: 'server/store/sqlite/open-database.ts',
    text: "if (found > 0 && found < migrations.length) backUp(database, backupPath(database.name, 'migration'));",
    test: {
      file: 'server/store/sqlite/migrate.test.ts',
      title: 'item 12: before a migration there is a backup of what was there; a new file needs none',
    },
  },
  {
    mechanism: 'checksum of each version, compared when it is read',
    file: 'server/store/sqlite/text-check.ts',
    text: 'if (isSound(bytes, sum)) return bytes;',
    instead: 'if (Buffer.isBuffer(bytes)) return bytes;',
    test: {
      file: 'server/store/checksum.test.ts',
      title: 'a text in which one bit has changed is answered nowhere; the other records are',
    },
  },
  {
    mechanism: 'checksum: SHA-256 of what is read alone',
    file: 'server/store/checksum.ts',
    text: "hash('sha256', bytes, 'hex').toUpperCase() === sum",
    instead: 'sum !== undefined',
    test: {
      file: 'server/store/checksum.test.ts',
      title: 'a text in which one bit has changed is answered nowhere; the other records are',
    },
  },
  {
    mechanism: 'checksum: CRC-32 of what a search finds',
    file: 'server/store/checksum.ts',
    text: 'quickSumOf(bytes) === sum',
    instead: 'sum > 0',
    test: {
      file: 'server/store/checksum.test.ts',
      title: 'a text in which one bit has changed is answered nowhere; the other records are',
    },
  },
  {
    mechanism: 'opening: quick_check',
    file: 'server/store/sqlite/inspect.ts',
    text: "if (check && database.pragma('quick_check(1)', { simple: true }) !== 'ok') throw fault('damaged', path);",
    test: {
      file: openTest,
      title: 'a file that is %s: a sentence with "%s", an exit code, nothing changed',
    },
  },
  {
    mechanism: 'opening: the size that the header tells',
    file: 'server/store/sqlite/inspect.ts',
    text: "if (!hasLog(path) && size < pageSizeOf(header) * header.readUInt32BE(28)) throw fault('truncated', path);",
    test: { file: openTest, title: '200 truncations: each is refused, none changes the file' },
  },
  {
    mechanism: 'opening: a newer version is left alone',
    file: 'server/store/sqlite/inspect.ts',
    text: "if (migrations && version > migrations.length) throw fault('newer', path);",
    test: {
      file: openTest,
      title: 'a file that is %s: a sentence with "%s", an exit code, nothing changed',
    },
  },
];
