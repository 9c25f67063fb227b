/** `chartkeeper repair`: names the damaged texts of a data folder that no server holds, and mends them from good ones. */
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { etagOf } from '../../core/api/precondition.ts';
import { limits } from '../../core/api/contract.ts';
import { ownerName } from '../../core/app/tokens.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { stringMember } from '../../core/json/node.ts';
import { scan } from '../../core/json/scan.ts';
import { fillPlaceholders, formatPlural } from '../../core/text/language.ts';
import type { RecordService } from '../fhir/service.ts';
import { candidatesOf } from '../import/files.ts';
import { openRecords } from '../start.ts';
import { listBackups } from '../store/sqlite/backup-folder.ts';
import { nameOfVersion, type VersionName } from '../store/checksum.ts';
import type { SealKey } from '../store/audit-chain.ts';
import type { RecordStore } from '../store/store.ts';
import { listIntactVersions } from '../store/sqlite/intact-copies.ts';

export interface RepairOptions {
  /** A backup, or a file of records; the backups of the folder, and the records' own histories, where absent. */
  readonly from?: string;
  /** Whether anything is changed. */
  readonly write: boolean;
}

/** A good text of a damaged record, and where it is from. */
interface Found {
  /** Absent where it is of a file of records. */
  readonly version?: number;
  readonly text: string;
  readonly source: string;
}

/** Finds good texts of a version or, where it is not there, of the newest before it; the best first. */
type Finder = (name: VersionName) => Found[] | Promise<Found[]>;

/** Prints a line for each damaged text, then how many there are; answers whether no record is left damaged. */
export async function runRepair(
  dataDir: string,
  { from, write }: RepairOptions,
  auditKey?: SealKey,
): Promise<boolean> {
  const path = join(dataDir, 'records.db');
  if (from !== undefined && !existsSync(from)) throw new Error(`${from} doesn’t exist. Nothing was changed.`);
  const { store, service } = await openRecords(dataDir, { auditKey });
  try {
    const { read, damaged } = await readAll(store);
    const find = from === undefined ? inBackups(path, store) : await inFile(resolve(from));
    const left = { current: 0, older: 0 };
    // A record first: what is put back behind it is its history.
    for (const state of ['current', 'older'] as const) {
      const states = await store.damage.statesOf(damaged);
      for (const name of damaged.filter((_, at) => states[at] === state)) {
        const found = await find(name);
        const mend = state === 'current' ? mendCurrent : putBack;
        const { mended, line } = await mend({ store, service, name, found, write });
        if (!mended) left[state] += 1;
        process.stdout.write(`${nameOfVersion(name)}: ${line}\n`);
      }
    }
    const texts = formatPlural(read, countForms.texts, { damaged: damaged.length });
    process.stdout.write(`${texts}: ${verdict(damaged.length, left, write)}.\n`);
    return left.current + left.older === 0;
  } finally {
    await store.close();
  }
}

function verdict(damaged: number, left: Record<'current' | 'older', number>, write: boolean): string {
  if (damaged === 0) return 'nothing to repair';
  if (!write) return 'nothing was changed; use --write to repair';
  if (left.current + left.older === 0) return 'all repaired';
  const records = formatPlural(left.current, countForms.records);
  return formatPlural(left.older, countForms.left, { records });
}

/** Counts of the last line, whose form scripts read. */
const countForms = {
  texts: { one: '{n} text read, {damaged} damaged', other: '{n} texts read, {damaged} damaged' },
  records: { one: '{n} record', other: '{n} records' },
  left: {
    one: '{records} and {n} older version still damaged',
    other: '{records} and {n} older versions still damaged',
  },
};

/** Reads every text against its checksum. */
async function readAll(store: RecordStore): Promise<{ read: number; damaged: VersionName[] }> {
  const damaged: VersionName[] = [];
  store.damage.onNoticed((name) => damaged.push(name));
  const { readCount: read } = await store.damage.look(0, Infinity);
  store.damage.onNoticed(() => undefined);
  return { read, damaged };
}

interface Mending {
  readonly store: RecordStore;
  readonly service: RecordService;
  readonly name: VersionName;
  readonly found: readonly Found[];
  readonly write: boolean;
}

interface Mended {
  readonly mended: boolean;
  readonly line: string;
}

/** A good text becomes the record's new version. */
async function mendCurrent({ service, name, found, write }: Mending): Promise<Mended> {
  const [best] = found;
  if (!best) {
    return {
      mended: false,
      line: 'damaged; no intact version found. Name a file that contains it with --from.',
    };
  }
  const { source } = best;
  const lines = best.version === undefined ? recordLines : versionLines;
  const parameters = { source, from: String(best.version) };
  if (!write) return { mended: false, line: fillPlaceholders(lines.offered, parameters) };
  try {
    const { type, id } = name;
    const ifMatch = etagOf(name.version);
    const request = { type, id, text: best.text, author: ownerName, ifMatch };
    const { version: stored } = await service.mend(request);
    const version = String(stored.version);
    return { mended: true, line: fillPlaceholders(lines.repaired, { ...parameters, version }) };
  } catch (error) {
    if (!(error instanceof FhirError)) throw error;
    const line = fillPlaceholders(lines.refused, { ...parameters, reason: error.message });
    return { mended: false, line };
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

/** An older version stays what it was: only the text that bears its checksum is put back. */
async function putBack({ store, name, found, write }: Mending): Promise<Mended> {
  const same = found.find(({ version }) => version === name.version);
  const older = 'damaged; the record continues without this older version';
  if (!same) return { mended: false, line: `${older}, and no copy was found.` };
  if (!write) return { mended: false, line: `${older}; would be restored from ${same.source}.` };
  const done = await store.damage.putBack(name, same.text);
  return done
    ? { mended: true, line: `older version restored from ${same.source}.` }
    : { mended: false, line: `${older}; the copy in ${same.source} differs.` };
}

/** In the backups of the folder and, where none holds as new a version, in what is whole of the record itself. */
function inBackups(path: string, store: RecordStore): Finder {
  const backups = listBackups(path);
  return async (name) => {
    const own = await store.history(name.type, { id: name.id }, 200);
    const found = backups.flatMap((backup): Found[] => {
      const [copy] = listIntactVersions(backup.path, [name]);
      return copy ? [{ ...copy, source: backup.name }] : [];
    });
    const before = [...own.versions].flatMap((one): Found[] =>
      'text' in one && one.version < name.version
        ? [{ version: one.version, text: one.text, source: 'its own history' }]
        : [],
    );
    return [...found, ...before].toSorted((one, other) => (other.version ?? 0) - (one.version ?? 0));
  };
}

async function inFile(path: string): Promise<Finder> {
  const source = basename(path);
  if (isDatabase(path)) {
    return (name) => {
      const [copy] = listIntactVersions(path, [name]);
      return copy ? [{ ...copy, source }] : [];
    };
  }
  const texts = new Map<string, string>();
  for await (const { text } of candidatesOf({ path, bytes: 0 }, limits.body)) {
    const root = text === undefined ? undefined : rootOf(text);
    if (text !== undefined && root) {
      texts.set(`${stringMember(root, 'resourceType') ?? ''}/${stringMember(root, 'id') ?? ''}`, text);
    }
  }
  return ({ type, id }) => {
    const text = texts.get(`${type}/${id}`);
    return text === undefined ? [] : [{ text, source }];
  };
}

/** What a line of a file holds; undefined where it is no JSON. */
function rootOf(text: string) {
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
