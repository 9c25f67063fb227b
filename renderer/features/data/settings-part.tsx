import { Button } from '@mantine/core';
import { IconFile, IconFileExport } from '@tabler/icons-react';
import {
  SettingsOutcome,
  isSettingsPath,
  SettingsFiles,
  listPreviousFiles,
  settingsFolders,
  type SettingsResult,
  type SettingsFile,
} from '../../../core/app/settings-files.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { TableHead } from '../../ui/table-head.tsx';
import { text } from '../../ui/text.ts';
import { ToneDot, type Tone } from '../../ui/tone-dot.tsx';
import styles from './data.module.css';
import { FilePicker } from './file-picker.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { parseAs } from '../../../core/json/shape.ts';
import { useConnection } from '../../platform/connection.ts';
import { fileName, saveFile } from '../../platform/save-file.ts';
import type { NamedFile } from './chosen-files.ts';
import { desktop } from '../../platform/desktop.ts';

const messages = text.data.settings;

/** Settings as files: exports them to a folder, and imports them after a preview. */
export function SettingsPart() {
  return (
    <div className={styles.column}>
      <h2>{messages.heading}</h2>
      <p>{messages.what}</p>
      <SettingsExport />
      <SettingsImport />
    </div>
  );
}

function SettingsExport() {
  const announce = useAnnounce();
  const exportRun = useSettingsExport();
  return (
    <>
      <div className={styles.row}>
        <Button
          variant="filled"
          loading={exportRun.isPending}
          leftSection={<IconFileExport size={16} aria-hidden />}
          onClick={() =>
            exportRun.mutate(undefined, {
              onSuccess: (done) => done && announce(messages.exported(done.files, done.name)),
            })
          }
        >
          {messages.export}
        </Button>
      </div>
      {exportRun.data && (
        <p className={styles.summary} data-tone="good">
          {messages.exported(exportRun.data.files, exportRun.data.name)}
        </p>
      )}
      <RequestFailure title={messages.exportFailed} query={exportRun} />
    </>
  );
}

function SettingsImport() {
  const announce = useAnnounce();
  const { outcome, send, choose, takeOver } = useSettingsImport();
  const { isPending } = send;
  const count = outcome?.lines.filter(({ result }) => result === 'new' || result === 'changed').length ?? 0;
  return (
    <section className={styles.section} aria-label={messages.importHeading}>
      <h3>{messages.importHeading}</h3>
      <p>{messages.importWhat}</p>
      <div className={styles.row}>
        <FilePicker choose="folder" disabled={isPending} onChosen={choose}>
          {messages.chooseFolder}
        </FilePicker>
        <FilePicker choose={{ accept: '.json' }} icon={IconFile} disabled={isPending} onChosen={choose}>
          {messages.chooseFile}
        </FilePicker>
        {outcome?.dryRun === true && count > 0 && (
          <Button
            variant="filled"
            loading={isPending}
            onClick={() => {
              takeOver();
              announce(messages.taking(count));
            }}
          >
            {messages.takeOver}
          </Button>
        )}
      </div>
      {outcome && (
        <>
          <p className={styles.summary} role="status" data-tone={outcome.dryRun ? undefined : 'good'}>
            {outcome.dryRun ? messages.would(count) : messages.taken(count)}
          </p>
          <OutcomeLines outcome={outcome} />
        </>
      )}
      <RequestFailure title={messages.importFailed} query={send} />
    </section>
  );
}

const tones: Readonly<Record<SettingsResult, Tone>> = {
  new: 'good',
  changed: 'info',
  same: 'neutral',
  refused: 'danger',
};

function OutcomeLines({ outcome: { lines } }: { readonly outcome: SettingsOutcome }) {
  return (
    <div className={styles.defects} tabIndex={0} role="region" aria-label={messages.outcome}>
      <table className={styles.table}>
        <TableHead columns={[messages.columns.file, messages.columns.result, messages.columns.about]} />
        <tbody>
          {lines.map(({ path, result, text: description }) => (
            <tr key={path}>
              <td className={styles.long} title={path}>
                {path}
              </td>
              <td>
                <ToneDot tone={tones[result]} label={messages.results[result]} />
              </td>
              <td className={styles.about}>{description}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Result of an export: the name of a folder or file. Undefined if the dialog was closed. */
interface ExportedFiles {
  readonly files: number;
  readonly name: string;
}

/** Exports the settings to a folder, or to one file if the browser has no folder dialog. */
function useSettingsExport() {
  const { client } = useConnection();
  return useMutation({
    mutationFn: async (): Promise<ExportedFiles | undefined> => {
      // The browser opens the dialog only directly after a click, before any await.
      const folderRequest = askForFolder();
      try {
        const folder = await folderRequest;
        const settingsFiles = await client.requestAs(SettingsFiles, 'GET', '/settings/files');
        const result = {
          files: settingsFiles.files.length,
          name: folder?.name ?? fileName('settings', 'json'),
        };
        if (folder) await writeSettings(folder, settingsFiles.files);
        else saveFile(new Blob([`${JSON.stringify(settingsFiles, null, 2)}\n`]), result.name);
        return result;
      } catch (error) {
        if (isCancelled(error)) return undefined;
        throw error;
      }
    },
  });
}

/** Preview or result of an import, with its files. */
interface Offer {
  readonly files: readonly SettingsFile[];
  readonly outcome: SettingsOutcome;
}

/** Previews and applies settings files. */
function useSettingsImport() {
  const { client } = useConnection();
  const queries = useQueryClient();
  const [offer, setOffer] = useState<Offer>();
  const send = useMutation({
    mutationFn: async (order: { files: Promise<readonly SettingsFile[]>; dryRun: boolean }) => {
      const [files, { dryRun }] = [await order.files, order];
      const outcome = await client.requestAs(SettingsOutcome, 'POST', '/settings/files', { files, dryRun });
      return { files, outcome };
    },
    onSuccess: (preview) => {
      setOffer(preview);
      return preview.outcome.dryRun ? undefined : queries.invalidateQueries();
    },
  });
  return {
    outcome: offer?.outcome,
    send,
    choose: (namedFiles: readonly NamedFile[]) => {
      setOffer(undefined);
      send.mutate({ files: settingsIn(namedFiles), dryRun: true });
    },
    takeOver: () => offer && send.mutate({ files: Promise.resolve(offer.files), dryRun: false }),
  };
}

/** Reads the files of a folder, without its name in their paths, or the files inside a downloaded file. */
async function settingsIn(namedFiles: readonly NamedFile[]): Promise<readonly SettingsFile[]> {
  const [singleFile] = namedFiles;
  if (singleFile && namedFiles.length === 1 && !singleFile.name.includes('/')) {
    return parseAs(SettingsFiles, await singleFile.file.text())?.files ?? [];
  }
  const files = namedFiles
    .map(({ name, file }) => ({ path: name.slice(name.indexOf('/') + 1), file }))
    .filter(({ path }) => isSettingsPath(path));
  return Promise.all(files.map(async ({ path, file }) => ({ path, text: await file.text() })));
}

type Folder = FileSystemDirectoryHandle;

declare global {
  interface Window {
    /** Only in Chromium. */
    showDirectoryPicker?: (options: { readonly mode: 'readwrite'; readonly id: string }) => Promise<Folder>;
  }
}

/** Asks for a folder to write to. Returns undefined if the browser has no folder dialog, or in the desktop app. */
function askForFolder(): Promise<Folder> | undefined {
  if (desktop !== undefined) return undefined;
  return window.showDirectoryPicker?.({ mode: 'readwrite', id: 'settings' });
}

/** Returns true if a dialog was closed without a selection. */
function isCancelled(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** Writes settings into a folder and removes files of a previous export. Other files stay. */
async function writeSettings(folder: Folder, files: readonly SettingsFile[]): Promise<void> {
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
