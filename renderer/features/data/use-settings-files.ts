import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  isSettingsPath,
  SettingsFiles,
  SettingsOutcome,
  type SettingsFile,
} from '../../../core/app/settings-files.ts';
import { parseAs } from '../../../core/json/shape.ts';
import { useConnection } from '../../platform/connection.ts';
import { askForFolder, isCancelled, writeSettings } from './settings-folder.ts';
import { fileName, saveFile } from '../../platform/save-file.ts';
import type { NamedFile } from './chosen-files.ts';

/** Where an export went: a folder or a file by its name; undefined where the question was closed. */
export interface Exported {
  readonly files: number;
  readonly name: string;
}

/** Writes the settings into a folder, or into one file where there is no way to a folder. */
export function useSettingsExport() {
  const { client } = useConnection();
  return useMutation({
    mutationFn: async (): Promise<Exported | undefined> => {
      // The browser asks only as the answer to a click: before anything is waited for.
      const asked = askForFolder();
      try {
        const folder = await asked;
        const held = await client.ask(SettingsFiles, 'GET', '/settings/files');
        const exported = { files: held.files.length, name: folder?.name ?? fileName('settings', 'json') };
        if (folder) await writeSettings(folder, held.files);
        else saveFile(new Blob([`${JSON.stringify(held, null, 2)}\n`]), exported.name);
        return exported;
      } catch (error) {
        if (isCancelled(error)) return undefined;
        throw error;
      }
    },
  });
}

/** What an import would do or did, and what it is made of. */
interface Offer {
  readonly files: readonly SettingsFile[];
  readonly outcome: SettingsOutcome;
}

/** Files of settings: what taking them over would do, then the taking over. */
export function useSettingsImport() {
  const { client } = useConnection();
  const queries = useQueryClient();
  const [offer, setOffer] = useState<Offer>();
  const send = useMutation({
    mutationFn: async (order: { files: Promise<readonly SettingsFile[]>; dryRun: boolean }) => {
      const [files, { dryRun }] = [await order.files, order];
      const outcome = await client.ask(SettingsOutcome, 'POST', '/settings/files', { files, dryRun });
      return { files, outcome };
    },
    onSuccess: (made) => {
      setOffer(made);
      return made.outcome.dryRun ? undefined : queries.invalidateQueries();
    },
  });
  return {
    outcome: offer?.outcome,
    send,
    choose: (chosen: readonly NamedFile[]) => {
      setOffer(undefined);
      send.mutate({ files: settingsIn(chosen), dryRun: true });
    },
    takeOver: () => offer && send.mutate({ files: Promise.resolve(offer.files), dryRun: false }),
  };
}

/** The files of a chosen folder, without its own name before theirs, or those in the one file of a download. */
async function settingsIn(chosen: readonly NamedFile[]): Promise<readonly SettingsFile[]> {
  const [only] = chosen;
  if (only && chosen.length === 1 && !only.name.includes('/')) {
    return parseAs(SettingsFiles, await only.file.text())?.files ?? [];
  }
  const files = chosen
    .map(({ name, file }) => ({ path: name.slice(name.indexOf('/') + 1), file }))
    .filter(({ path }) => isSettingsPath(path));
  return Promise.all(files.map(async ({ path, file }) => ({ path, text: await file.text() })));
}
