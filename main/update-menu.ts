import { app, dialog, type BrowserWindow } from 'electron';
import { text } from './text.ts';
import { lookForUpdate, type UpdateVerdict } from './update-check.ts';

/** Looks for a newer version and says what came of it. */
export async function tellUpdate(window: BrowserWindow, file: string): Promise<void> {
  const version = app.getVersion();
  const verdict = await lookForUpdate({ file, version, fetch });
  await dialog.showMessageBox(window, {
    type: verdict.kind === 'failed' ? 'error' : 'info',
    title: text.name,
    ...wordsOf(verdict, version, file),
    buttons: [text.close],
  });
}

function wordsOf(
  verdict: UpdateVerdict,
  version: string,
  file: string,
): { readonly message: string; readonly detail: string } {
  const { update } = text;
  switch (verdict.kind) {
    case 'off':
      return { message: update.off, detail: update.offDetail(file) };
    case 'newest':
      return { message: update.newest(version), detail: '' };
    case 'newer':
      return { message: update.newer(verdict.version), detail: update.newerDetail(version, verdict.page) };
    case 'failed':
      return { message: update.failed, detail: verdict.reason };
  }
}
