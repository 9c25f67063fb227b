/** How far a move into a data folder is: a file in it, which is there before anything else and goes last. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseAs } from '../../core/json/shape.ts';
import { makeFolder, moveFile } from '../store/sqlite/folder-lock.ts';
import { fault, faultOf } from '../store/sqlite/inspect.ts';
import { syncFile, syncFolder } from '../store/sqlite/sync.ts';
import { MoveState, type KnownMove } from './state.ts';

/** What is left of it once the move has ended: where the records came from. */
const endedFile = 'moved.json';

/** @throws Error with a sentence where the file cannot be read. */
export function moveIn(folder: string): KnownMove | undefined {
  for (const file of [moveFile, endedFile]) {
    const path = join(folder, file);
    if (!existsSync(path)) continue;
    const state = parseAs(MoveState, readFileSync(path, 'utf8'));
    if (!state) throw new Error(`${path} cannot be read. Choose a new folder with --to.`);
    return { state, ended: file === endedFile };
  }
  return undefined;
}

/** @throws DataFolderError where that cannot be done. */
export function saveMove(folder: string, state: MoveState): void {
  const path = join(folder, moveFile);
  try {
    makeFolder(folder);
    replace(path, `${JSON.stringify(state, null, 2)}\n`);
  } catch (error) {
    throw fault(faultOf(error), path, error);
  }
}

export function endMove(folder: string): void {
  renameSync(join(folder, moveFile), join(folder, endedFile));
  syncFolder(folder);
}

/** In one step: whoever reads it finds the former text or this one. */
function replace(path: string, text: string): void {
  const draft = `${path}.new`;
  writeFileSync(draft, text, { mode: 0o600 });
  syncFile(draft);
  renameSync(draft, path);
  syncFolder(dirname(path));
}
