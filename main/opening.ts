import { app, dialog, type BrowserWindow } from 'electron';
import { linkScheme, readRecordLink } from '../core/app/record-link.ts';
import type { OpenRequest } from '../core/app/shell.ts';
import { fileEndings, readArguments, readFiles, type Named } from './opened-files.ts';
import { text } from './text.ts';

/** Takes what the system hands to the application, before there is a window too. */
export interface Opening {
  /** From now on `take` is told; what came before is told at once. */
  readonly begin: (take: (named: Named) => void) => void;
}

/**
 * Collects files and links from the arguments of this start and of later ones, and from the system's events (macOS).
 * Call it before Electron is ready: the first events come before. One that stands apart, a portable copy or a
 * self-check, leaves the system's list of who opens links as it is.
 */
export function setupOpening(isApart: boolean): Opening {
  const early: Named[] = [readArguments(process.argv, process.cwd())];
  let take: (named: Named) => void = (named) => early.push(named);
  app.on('open-file', (event, path) => {
    event.preventDefault();
    take({ paths: [path], links: [] });
  });
  app.on('open-url', (event, url) => {
    event.preventDefault();
    const link = readRecordLink(url);
    take({ paths: [], links: link ? [link] : [] });
  });
  app.on('second-instance', (_event, argv, folder) => take(readArguments(argv, folder)));
  // A copy that runs from its sources would take the links from the one that is installed.
  if (app.isPackaged && !isApart) app.setAsDefaultProtocolClient(linkScheme);
  return {
    begin(next) {
      take = next;
      for (const named of early) next(named);
    },
  };
}

/** Reads named files and hands what is to be opened to `put`; says which files were left out. */
export async function open(
  { paths, links }: Named,
  window: BrowserWindow,
  put: (request: OpenRequest) => void,
): Promise<void> {
  for (const link of links) put({ kind: 'record', link });
  if (paths.length === 0) return;
  const { files, leftOut } = await readFiles(paths);
  if (files.length > 0) put({ kind: 'files', files });
  if (leftOut.length === 0 || window.isDestroyed()) return;
  await dialog.showMessageBox(window, {
    type: 'warning',
    title: text.name,
    message: text.filesLeftOut(leftOut.length),
    detail: leftOut.join('\n'),
    buttons: [text.close],
  });
}

/** Asks for files to import. */
export async function chooseFiles(window: BrowserWindow): Promise<readonly string[]> {
  const { canceled, filePaths } = await dialog.showOpenDialog(window, {
    title: text.chooseFiles,
    properties: ['openFile', 'multiSelections'],
    filters: [{ name: text.recordFiles, extensions: [...fileEndings] }],
  });
  return canceled ? [] : filePaths;
}
