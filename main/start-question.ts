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
  const ways: readonly (readonly [label: string, way?: StartWay | 'ask'])[] = [
    ...backups.map((name) => [text.restoreBackup(name), { choice: { kind: 'restore', name } }] as const),
    [text.beginEmpty, { choice: { kind: 'empty' } }],
    [text.otherFolder, 'ask'],
    [text.close],
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
  const way = ways[response]?.[1];
  return way === 'ask' ? askFolder(window, message, backups) : way;
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
