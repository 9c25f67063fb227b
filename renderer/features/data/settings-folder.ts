import {
  formerFiles,
  isSettingsPath,
  settingsFolders,
  type SettingsFile,
} from '../../../core/app/settings-files.ts';
import { desktop } from '../../platform/desktop.ts';

type Folder = FileSystemDirectoryHandle;

declare global {
  interface Window {
    /** Chromium's alone. */
    showDirectoryPicker?: (options: { readonly mode: 'readwrite'; readonly id: string }) => Promise<Folder>;
  }
}

/** Asks for a folder to write to; undefined where the browser has no such question, or the desktop app allows none. */
export function askForFolder(): Promise<Folder> | undefined {
  if (desktop !== undefined) return undefined;
  return window.showDirectoryPicker?.({ mode: 'readwrite', id: 'settings' });
}

/** Whether a question was closed without an answer. */
export function isCancelled(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** Writes settings into a folder, and removes what a former export left there; anything else stays. */
export async function writeSettings(folder: Folder, files: readonly SettingsFile[]): Promise<void> {
  const found = await readFolder(folder);
  for (const path of formerFiles(found, files)) {
    const [place, name] = await placeIn(folder, path);
    await place.removeEntry(name);
  }
  const texts = new Map(found.map(({ path, text }) => [path, text]));
  for (const { path, text } of files) {
    if (texts.get(path) === text) continue;
    const [place, name] = await placeIn(folder, path);
    const file = await (await place.getFileHandle(name, { create: true })).createWritable();
    await file.write(text);
    await file.close();
  }
}

async function placeIn(folder: Folder, path: string): Promise<[place: Folder, name: string]> {
  const names = path.split('/');
  const name = names.pop() ?? '';
  let place = folder;
  for (const one of names) place = await place.getDirectoryHandle(one, { create: true });
  return [place, name];
}

/** The files of settings in a folder. */
async function readFolder(folder: Folder, above = ''): Promise<SettingsFile[]> {
  const files: SettingsFile[] = [];
  for await (const entry of folder.values()) {
    const path = `${above}${entry.name}`;
    if (entry instanceof FileSystemDirectoryHandle) {
      if (above !== '' || settingsFolders.includes(path))
        files.push(...(await readFolder(entry, `${path}/`)));
    } else if (entry instanceof FileSystemFileHandle && isSettingsPath(path)) {
      files.push({ path, text: await (await entry.getFile()).text() });
    }
  }
  return files;
}
