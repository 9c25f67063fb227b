import { dialog, type BrowserWindow } from 'electron';
import type { StartWay } from './server-process.ts';
import { text } from './text.ts';

/**
 * Asks over the window how to start where the records are missing: from one of the backups, empty, or in another folder.
 * Resolves with undefined where the user chose none of these.
 */
export async function askHowToStart(
  window: BrowserWindow,
  message: string,
  backups: readonly string[],
): Promise<StartWay | undefined> {
  const restores = backups.map((name) => [text.restoreBackup(name), restoring(name)] as const);
  const ways: readonly (readonly [label: string, way: () => Promise<StartWay | undefined>])[] = [
    ...restores,
    [text.beginEmpty, () => Promise.resolve({ choice: { kind: 'empty' } })],
    [text.otherFolder, () => askFolder(window, message, backups)],
    [text.close, () => Promise.resolve(undefined)],
  ];
  const last = ways.length - 1;
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    title: text.missingTitle,
    message,
    detail: text.missingDetail,
    buttons: ways.map(([label]) => label),
    // Return and Escape change nothing.
    defaultId: last,
    cancelId: last,
  });
  return ways[response]?.[1]();
}

function restoring(name: string): () => Promise<StartWay> {
  return () => Promise.resolve({ choice: { kind: 'restore', name } });
}

/** Asks for the folder; whoever chooses none is asked again how to start. */
async function askFolder(...asked: Parameters<typeof askHowToStart>): Promise<StartWay | undefined> {
  const { canceled, filePaths } = await dialog.showOpenDialog(asked[0], {
    title: text.chooseFolder,
    properties: ['openDirectory'],
  });
  const [dataDir] = filePaths;
  return canceled || dataDir === undefined ? askHowToStart(...asked) : { dataDir };
}
