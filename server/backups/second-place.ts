/**
 * A second place for backups, on another disk: each is copied there, synced and compared. Called by the backups and the
 * command line. Invariant: a place that is away, or answers nothing, holds up nothing but its own copies.
 */
import { randomUUID } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import * as v from 'valibot';
import type { PlaceSetting, SecondPlace } from '../../core/app/backups.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { parseAs } from '../../core/json/shape.ts';
import {
  backupsNamed,
  isNameOf,
  listBackups,
  newestFirst,
  plainFiles,
  removeBackup,
  type NamedBackup,
  type SeenBackups,
} from '../store/sqlite/backup-folder.ts';
import { copyBackup, NotTheSame } from '../store/sqlite/copy-backup.ts';
import { codeOf, saysFull } from '../store/store-error.ts';
import { removable } from './thinning.ts';

/** Where the setting is kept. */
export interface PlaceMemory {
  secondPlace(): PlaceSetting | undefined;
  saveSecondPlace(setting: PlaceSetting): void;
}

interface SecondPlaceParts {
  readonly dataDir: string;
  /** Of the databases whose backups are copied. */
  readonly paths: readonly string[];
  readonly memory: PlaceMemory;
  readonly log: (line: string) => void;
  readonly clock: () => number;
}

/** How the last look at the place ended. */
type Found = Pick<SecondPlace, 'state' | 'problem'>;

/** A file in the folder: without it, the folder is an empty one that stands where the disk is missing. */
const mark = 'chartkeeper-backups.json';
const Mark = v.object({ id: v.string() });

export function createSecondPlace({ dataDir, paths, memory, log, clock }: SecondPlaceParts) {
  let found: Found = { state: 'copying', problem: null };
  let seen: readonly NamedBackup[] = [];
  let compared: string | null = null;
  let running: Promise<void> | undefined;
  let again = false;
  let looking = false;
  let closed = false;

  const folderOf = () => memory.secondPlace()?.folder ?? null;

  async function copyAll(folder: string, path: string, there: readonly string[]): Promise<void> {
    const held = backupsNamed(folder, path, there);
    const names = new Set(held.map(({ name }) => name));
    const own = listBackups(path).filter(({ kind }) => kind !== 'replaced');
    const lacking = own.filter(({ name }) => !names.has(name));
    const old = await removable(newestFirst([...held, ...lacking]), clock());
    // The newest of the first place stays: its number is small where that folder was emptied.
    const gone = new Set(old.filter(({ name }) => name !== own[0]?.name));
    for (const one of lacking.filter((one) => !gone.has(one))) {
      if (closed) return;
      await copyBackup(one.path, folder);
      compared = new Date(clock()).toISOString();
    }
    for (const one of held) if (gone.has(one)) removeBackup(one.path);
  }

  async function look(folder: string): Promise<readonly string[]> {
    looking = true;
    try {
      await checkMark(folder, memory.secondPlace()?.id ?? '');
      const files = plainFiles(await readdir(folder, { withFileTypes: true }));
      seen = paths.flatMap((path) => backupsNamed(folder, path, files));
      return files;
    } catch (error) {
      seen = [];
      if (error instanceof NotOurs) throw error;
      throw new Away(awayText(folder));
    } finally {
      looking = false;
    }
  }

  /** Copies what the place lacks and thins it; a place that is away is told once. */
  async function run(): Promise<void> {
    const folder = closed ? null : folderOf();
    if (folder === null) return;
    const before = found.state;
    try {
      const files = await look(folder);
      for (const path of paths) await copyAll(folder, path, files);
      await look(folder);
      found = { state: 'good', problem: null };
    } catch (error) {
      found = foundOf(error, folder);
    }
    if (found.problem !== null && found.state !== before && !closed)
      log(`second place of backups: ${found.problem}`);
  }

  /** One run at a time; what is asked for meanwhile is done by one more. */
  function catchUp(): Promise<void> {
    again = running !== undefined;
    running ??= run()
      .finally(() => {
        running = undefined;
      })
      .then(() => (again ? catchUp() : undefined));
    return running;
  }

  function stateNow(folder: string, lacking: number): Found {
    if (looking) return { state: 'away', problem: awayText(folder) };
    return running && lacking > 0 ? { state: 'copying', problem: null } : found;
  }

  return {
    catchUp,

    /** Its backups of one database, newest first, as it was last seen. */
    list: (path: string): readonly NamedBackup[] => seen.filter(({ name }) => isNameOf(path, name)),

    /** Looks at the place, and copies nothing. */
    look: async (): Promise<void> => {
      const folder = folderOf();
      if (folder === null) return;
      await look(folder).then(
        () => (found = { state: 'good', problem: null }),
        (error: unknown) => (found = foundOf(error, folder)),
      );
    },

    /** All its backups as they were last seen, and the place itself where it cannot be looked at. */
    seen(): SeenBackups {
      const folder = folderOf();
      const isAway = looking || found.state === 'away';
      return { backups: seen, unseen: folder !== null && isAway ? folder : null };
    },

    status(path: string): SecondPlace | null {
      const folder = folderOf();
      if (folder === null) return null;
      const names = new Set(seen.map(({ name }) => name));
      const own = listBackups(path).filter(({ kind }) => kind !== 'replaced');
      const lacking = own.filter(({ name }) => !names.has(name)).length;
      return { folder, ...stateNow(folder, lacking), lacking, compared };
    },

    /**
     * Takes another folder as the second place, or none; what lies in the former one stays there.
     *
     * @throws FhirError `unprocessable` where it cannot be one.
     */
    async use(folder: string | null): Promise<void> {
      const id = memory.secondPlace()?.id ?? randomUUID();
      if (folder !== null) await setMark(dataDir, folder, id);
      memory.saveSecondPlace({ folder, id });
      seen = [];
      found = { state: 'copying', problem: null };
    },

    /** Begins no further copy: the workspace that knows the place is closed next. */
    close(): void {
      closed = true;
    },
  };
}

/** The folder keeps the backups of another data folder. */
class NotOurs extends Error {
  override readonly name = 'NotOurs';
}

/** The folder cannot be reached, or stands where a disk is missing. */
class Away extends Error {
  override readonly name = 'Away';
}

async function checkMark(folder: string, id: string): Promise<void> {
  const found = parseAs(Mark, await readFile(join(folder, mark), 'utf8'));
  if (found?.id !== id) throw new NotOurs(`${folder} keeps the backups of another data folder.`);
}

function foundOf(error: unknown, folder: string): Found {
  if (error instanceof Away) return { state: 'away', problem: error.message };
  if (error instanceof NotOurs || error instanceof NotTheSame)
    return { state: 'failed', problem: error.message };
  const why = saysFull(error)
    ? `There is too little room in ${folder}`
    : `Not all could be copied to ${folder}`;
  return { state: 'failed', problem: `${why}; it is tried again.` };
}

function awayText(folder: string): string {
  return `${folder} cannot be reached. What it lacks is copied when it is back.`;
}

async function setMark(dataDir: string, folder: string, id: string): Promise<void> {
  const refused = (why: string) => new FhirError('unprocessable', { text: `${folder} ${why}` });
  if (!isAbsolute(folder)) throw refused('is no full path of a folder.');
  const way = relative(dataDir, folder);
  if (!way.startsWith('..') && !isAbsolute(way))
    throw refused('lies in the data folder; name one on another disk.');
  const there = await stat(folder).catch(() => undefined);
  if (!there?.isDirectory()) throw refused('is not there. Make the folder first; it is never made here.');
  try {
    await writeFile(join(folder, mark), `${JSON.stringify({ id })}\n`, {
      flag: 'wx',
      mode: 0o600,
      flush: true,
    });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw refused('cannot be written. Check its owner and permissions.');
    await checkMark(folder, id).catch(() => {
      throw refused('keeps the backups of another data folder; name one of its own.');
    });
  }
}
