/** `chartkeeper link`: makes a link to sign in with, by the rights to the data folder or the store alone, beside a server or without. */
import { statSync } from 'node:fs';
import { defineMessages } from '../../core/text/message.ts';
import { linkWith } from '../../core/app/sign-in.ts';
import { readServerAddress, createCodeFile } from '../access/link-files.ts';
import { owner } from '../access/principal.ts';
import { issueShared } from '../access/shared-codes.ts';
import { withStore } from './command-place.ts';
import { DataFolderError } from '../store/sqlite/data-folder-error.ts';

const messages = defineMessages('link', {
  noFolder: '{folder} is not a data folder. Start the server once, or name its folder with --data.',
});

export interface LinkPlace {
  readonly dataDir: string;
  /** Of the store that the folder's server shares with others, any of which may be asked for the code. */
  readonly address: string | undefined;
  /** Where a server answers that is yet to be started. */
  readonly usual: string;
}

/** Prints a link that works once, within an hour. */
export async function runLink({ dataDir, address, usual }: LinkPlace): Promise<void> {
  const code =
    address === undefined
      ? codeOf(dataDir)
      : await withStore(address, async ({ codes }) => (await issueShared(codes, owner, Date.now())).code);
  const known = readServerAddress(dataDir);
  process.stdout.write(`Open ${linkWith(known ?? usual, code)}\n`);
  const absent = address === undefined ? absentText : absentServerText;
  process.stderr.write(`${known === undefined ? absent : 'The link works once, within one hour.'}\n`);
}

const absentText =
  'No server is running on this folder. The link works once, within one hour, after one is started.';
const absentServerText =
  'No server is running on this folder. Replace the address with that of a server of the same store. The link works once, within one hour.';

function codeOf(dataDir: string): string {
  if (!statSync(dataDir, { throwIfNoEntry: false })?.isDirectory()) {
    throw new DataFolderError('not-a-folder', messages.noFolder({ folder: dataDir }));
  }
  return createCodeFile(dataDir, Date.now()).code;
}
