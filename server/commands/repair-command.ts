/** `chartkeeper repair`: lists and repairs damaged texts of a data folder that no server uses. */
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { etagOf } from '../../core/api/precondition.ts';
import { limits } from '../../core/api/contract.ts';
import { importLimits, readEntries } from '../../core/import/read-files.ts';
import { ownerName } from '../../core/app/tokens.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { stringMember } from '../../core/json/node.ts';
import { scan } from '../../core/json/scan.ts';
import { fillPlaceholders, formatPlural } from '../../core/text/language.ts';
import type { RecordService } from '../fhir/service.ts';
import { findFiles } from '../import/files.ts';
import { openRecords } from '../start.ts';
import { listBackups } from '../sqlite/backup-folder.ts';
import { nameOfVersion, type VersionName } from '../store/checksum.ts';
import type { SealKey } from '../store/audit-chain.ts';
import type { RecordStore } from '../store/store.ts';
import { listIntactVersions } from '../sqlite/record-copies.ts';

export interface RepairOptions {
  /** A backup or a file of records. Default: the backups of the folder and the histories of the records. */
  readonly from?: string;
  /** False for a dry run. */
  readonly write: boolean;
}

/** An intact text of a damaged record and its source. */
interface IntactText {
  /** Absent for a text from a file of records. */
  readonly version?: number;
  readonly text: string;
  readonly source: string;
}

/** Finds intact texts of a version or of earlier versions, latest first. */
type TextFinder = (name: VersionName) => IntactText[] | Promise<IntactText[]>;

/** Prints a line per damaged text and a summary. Returns true if no damage is left. */
export async function runRepair(
  dataDir: string,
  { from, write }: RepairOptions,
  auditKey?: SealKey,
): Promise<boolean> {
  const path = join(dataDir, 'records.db');
  if (from !== undefined && !existsSync(from)) throw new Error(`${from} doesn’t exist. Nothing was changed.`);
  const { store, service } = await openRecords(dataDir, { auditKey });
  try {
    const { readCount, damagedVersions } = await checkAllTexts(store);
    const findTexts =
      from === undefined ? createBackupFinder(path, store) : await createFileFinder(resolve(from));
    const unrepaired = { current: 0, older: 0 };
    // Current versions first, because older versions are only their history.
    for (const state of ['current', 'older'] as const) {
      const states = await store.damage.statesOf(damagedVersions);
      for (const name of damagedVersions.filter((_, index) => states[index] === state)) {
        const intactTexts = await findTexts(name);
        const repair = state === 'current' ? repairCurrentVersion : restoreOlderVersion;
        const { isRepaired, line } = await repair({ store, service, name, intactTexts, write });
        if (!isRepaired) unrepaired[state] += 1;
        process.stdout.write(`${nameOfVersion(name)}: ${line}\n`);
      }
    }
    const texts = formatPlural(readCount, countForms.texts, { damaged: damagedVersions.length });
    process.stdout.write(`${texts}: ${formatSummary(damagedVersions.length, unrepaired, write)}.\n`);
    return unrepaired.current + unrepaired.older === 0;
  } finally {
    await store.close();
  }
}

function formatSummary(
  damagedCount: number,
  unrepaired: Record<'current' | 'older', number>,
  write: boolean,
): string {
  if (damagedCount === 0) return 'nothing to repair';
  if (!write) return 'nothing was changed; use --write to repair';
  if (unrepaired.current + unrepaired.older === 0) return 'all repaired';
  const records = formatPlural(unrepaired.current, countForms.records);
  return formatPlural(unrepaired.older, countForms.left, { records });
}

/** Counts of the last line. Scripts parse its form. */
const countForms = {
  texts: { one: '{n} text read, {damaged} damaged', other: '{n} texts read, {damaged} damaged' },
  records: { one: '{n} record', other: '{n} records' },
  left: {
    one: '{records} and {n} older version still damaged',
    other: '{records} and {n} older versions still damaged',
  },
};

/** Compares every text with its checksum. */
async function checkAllTexts(
  store: RecordStore,
): Promise<{ readCount: number; damagedVersions: VersionName[] }> {
  const damagedVersions: VersionName[] = [];
  store.damage.onNoticed((name) => damagedVersions.push(name));
  const { readCount } = await store.damage.look(0, Infinity);
  store.damage.onNoticed(() => undefined);
  return { readCount, damagedVersions };
}

interface RepairTask {
  readonly store: RecordStore;
  readonly service: RecordService;
  readonly name: VersionName;
  readonly intactTexts: readonly IntactText[];
  readonly write: boolean;
}

interface RepairOutcome {
  readonly isRepaired: boolean;
  readonly line: string;
}

/** Stores an intact text as a new version of the record. */
async function repairCurrentVersion({
  service,
  name,
  intactTexts,
  write,
}: RepairTask): Promise<RepairOutcome> {
  const [latestText] = intactTexts;
  if (!latestText) {
    return {
      isRepaired: false,
      line: 'damaged; no intact version found. Name a file that contains it with --from.',
    };
  }
  const { source } = latestText;
  const lines = latestText.version === undefined ? recordLines : versionLines;
  const parameters = { source, from: String(latestText.version) };
  if (!write) return { isRepaired: false, line: fillPlaceholders(lines.offered, parameters) };
  try {
    const { type, id } = name;
    const ifMatch = etagOf(name.version);
    const request = { type, id, text: latestText.text, author: ownerName, ifMatch };
    const { version: storedVersion } = await service.mend(request);
    const version = String(storedVersion.version);
    return { isRepaired: true, line: fillPlaceholders(lines.repaired, { ...parameters, version }) };
  } catch (error) {
    if (!(error instanceof FhirError)) throw error;
    const line = fillPlaceholders(lines.refused, { ...parameters, reason: error.message });
    return { isRepaired: false, line };
  }
}

/** Lines about a damaged record that a record of a file may repair. */
const recordLines = {
  offered: 'damaged; would be repaired with the record from {source}.',
  repaired: 'repaired with the record from {source}, as version {version}.',
  refused: 'damaged; the record from {source} was refused: {reason}',
};

/** Lines about a damaged record that a version of a backup may repair. */
const versionLines = {
  offered: 'damaged; would be repaired with version {from} from {source}.',
  repaired: 'repaired with version {from} from {source}, as version {version}.',
  refused: 'damaged; version {from} from {source} was refused: {reason}',
};

/** Restores an older version, only from a text with the same checksum. */
async function restoreOlderVersion({ store, name, intactTexts, write }: RepairTask): Promise<RepairOutcome> {
  const sameVersion = intactTexts.find(({ version }) => version === name.version);
  const olderNote = 'damaged; the record continues without this older version';
  if (!sameVersion) return { isRepaired: false, line: `${olderNote}, and no copy was found.` };
  if (!write)
    return { isRepaired: false, line: `${olderNote}; would be restored from ${sameVersion.source}.` };
  const isRestored = await store.damage.putBack(name, sameVersion.text);
  return isRestored
    ? { isRepaired: true, line: `older version restored from ${sameVersion.source}.` }
    : { isRepaired: false, line: `${olderNote}; the copy in ${sameVersion.source} differs.` };
}

/** Returns a finder that searches the backups of the folder and the history of the record. */
function createBackupFinder(path: string, store: RecordStore): TextFinder {
  const backups = listBackups(path);
  return async (name) => {
    const history = await store.history(name.type, { id: name.id }, 200);
    const backupTexts = backups.flatMap((backup): IntactText[] => {
      const [copy] = listIntactVersions(backup.path, [name]);
      return copy ? [{ ...copy, source: backup.name }] : [];
    });
    const olderTexts = [...history.versions].flatMap((version): IntactText[] =>
      'text' in version && version.version < name.version
        ? [{ version: version.version, text: version.text, source: 'its own history' }]
        : [],
    );
    return [...backupTexts, ...olderTexts].toSorted(
      (leftText, rightText) => (rightText.version ?? 0) - (leftText.version ?? 0),
    );
  };
}

async function createFileFinder(path: string): Promise<TextFinder> {
  const source = basename(path);
  if (isDatabase(path)) {
    return (name) => {
      const [copy] = listIntactVersions(path, [name]);
      return copy ? [{ ...copy, source }] : [];
    };
  }
  const texts = new Map<string, string>();
  const { files } = await findFiles([path]);
  for await (const { text } of readEntries(files, importLimits(limits.body))) {
    const root = text === undefined ? undefined : parseRoot(text);
    if (text !== undefined && root) {
      texts.set(`${stringMember(root, 'resourceType') ?? ''}/${stringMember(root, 'id') ?? ''}`, text);
    }
  }
  return ({ type, id }) => {
    const text = texts.get(`${type}/${id}`);
    return text === undefined ? [] : [{ text, source }];
  };
}

/** Parses a line of a file. Returns undefined if the line is not JSON. */
function parseRoot(text: string) {
  try {
    return scan(text).root;
  } catch {
    return undefined;
  }
}

/** SQLite file format, section 1.3.1. */
function isDatabase(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const header = Buffer.alloc(16);
    readSync(file, header, 0, 16, 0);
    return header.toString('latin1') === 'SQLite format 3\0';
  } finally {
    closeSync(file);
  }
}
