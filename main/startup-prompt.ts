import { dialog, type BrowserWindow } from 'electron';
import type { StartWay } from './server-process.ts';
import { text } from './text.ts';

/**
 * Asks how to start if the records are missing: from a backup, empty, or in another folder. Returns undefined
 * if the user chose none of these.
 */
export async function promptStartChoice(
  window: BrowserWindow,
  message: string,
  backups: readonly string[],
): Promise<StartWay | undefined> {
  const options: readonly (readonly [label: string, way?: StartWay | 'ask'])[] = [
    ...backups.map((name) => [text.restoreBackup(name), { choice: { kind: 'restore', name } }] as const),
    [text.beginEmpty, { choice: { kind: 'empty' } }],
    [text.otherFolder, 'ask'],
    [text.close],
  ];
  const closeIndex = options.length - 1;
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    title: text.missingTitle,
    message,
    detail: text.missingDetail,
    buttons: options.map(([label]) => label),
    // Return and Escape change nothing.
    defaultId: closeIndex,
    cancelId: closeIndex,
  });
  const selected = options[response]?.[1];
  return selected === 'ask' ? promptFolder(window, message, backups) : selected;
}

/** Asks for the folder. Repeats the first prompt if the user cancels. */
async function promptFolder(
  ...promptArguments: Parameters<typeof promptStartChoice>
): Promise<StartWay | undefined> {
  const { canceled, filePaths } = await dialog.showOpenDialog(promptArguments[0], {
    title: text.chooseFolder,
    properties: ['openDirectory'],
  });
  const [dataDir] = filePaths;
  return canceled || dataDir === undefined ? promptStartChoice(...promptArguments) : { dataDir };
}
