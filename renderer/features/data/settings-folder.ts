import {
  listPreviousFiles,
  isSettingsPath,
  settingsFolders,
  type SettingsFile,
} from '../../../core/app/settings-files.ts';
import { desktop } from '../../platform/desktop.ts';

type Folder = FileSystemDirectoryHandle;

declare global {
  interface Window {
    /** Only in Chromium. */
    showDirectoryPicker?: (options: { readonly mode: 'readwrite'; readonly id: string }) => Promise<Folder>;
  }
}

/** Asks for a folder to write to. Returns undefined if the browser has no folder dialog, or in the desktop app. */
export function askForFolder(): Promise<Folder> | undefined {
  if (desktop !== undefined) return undefined;
  return window.showDirectoryPicker?.({ mode: 'readwrite', id: 'settings' });
}

/** Returns true if a dialog was closed without a selection. */
export function isCancelled(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** Writes settings into a folder and removes files of a previous export. Other files stay. */
export async function writeSettings(folder: Folder, files: readonly SettingsFile[]): Promise<void> {
  const existingFiles = await readFolder(folder);
  for (const path of listPreviousFiles(existingFiles, files)) {
    const [folderHandle, name] = await openParent(folder, path);
    await folderHandle.removeEntry(name);
  }
  const texts = new Map(existingFiles.map(({ path, text }) => [path, text]));
  for (const { path, text } of files) {
    if (texts.get(path) === text) continue;
    const [folderHandle, name] = await openParent(folder, path);
    const file = await (await folderHandle.getFileHandle(name, { create: true })).createWritable();
    await file.write(text);
    await file.close();
  }
}

async function openParent(folder: Folder, path: string): Promise<[place: Folder, name: string]> {
  const names = path.split('/');
  const name = names.pop() ?? '';
  let parentFolder = folder;
  for (const folderName of names)
    parentFolder = await parentFolder.getDirectoryHandle(folderName, { create: true });
  return [parentFolder, name];
}

async function readFolder(folder: Folder, prefix = ''): Promise<SettingsFile[]> {
  const files: SettingsFile[] = [];
  for await (const entry of folder.values()) {
    const path = `${prefix}${entry.name}`;
    if (entry instanceof FileSystemDirectoryHandle) {
      if (prefix !== '' || settingsFolders.includes(path))
        files.push(...(await readFolder(entry, `${path}/`)));
    } else if (entry instanceof FileSystemFileHandle && isSettingsPath(path)) {
      files.push({ path, text: await (await entry.getFile()).text() });
    }
  }
  return files;
}
