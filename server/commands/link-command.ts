/** `chartkeeper link`: creates a sign-in link, with or without a running server. Requires only access to folder or store. */
import { statSync } from 'node:fs';
import { defineMessages } from '../../core/text/message.ts';
import { linkWith } from '../../core/app/sign-in.ts';
import { readServerAddress, createCodeFile } from '../access/link-files.ts';
import { loadSharedCommands } from './command-place.ts';
import { DataFolderError } from '../sqlite/data-folder-error.ts';

const messages = defineMessages('link', {
  noFolder: '{folder} is not a data folder. Start the server once, or name its folder with --data.',
});

export interface LinkPlace {
  readonly dataDir: string;
  /** Address of the shared store, if any. All its servers accept the code. */
  readonly address: string | undefined;
  /** Origin of a server that is not running yet. */
  readonly usual: string;
}

/** Prints a link that works once within an hour. */
export async function runLink({ dataDir, address, usual }: LinkPlace): Promise<void> {
  const code =
    address === undefined ? createFolderCode(dataDir) : await (await loadSharedCommands()).issueCode(address);
  const serverAddress = readServerAddress(dataDir);
  process.stdout.write(`Open ${linkWith(serverAddress ?? usual, code)}\n`);
  const absentNote = address === undefined ? noServerNote : noSharedServerNote;
  process.stderr.write(
    `${serverAddress === undefined ? absentNote : 'The link works once, within one hour.'}\n`,
  );
}

const noServerNote =
  'No server is running on this folder. The link works once, within one hour, after one is started.';
const noSharedServerNote =
  'No server is running on this folder. Replace the address with that of a server of the same store. The link works once, within one hour.';

function createFolderCode(dataDir: string): string {
  if (!statSync(dataDir, { throwIfNoEntry: false })?.isDirectory()) {
    throw new DataFolderError('not-a-folder', messages.noFolder({ folder: dataDir }));
  }
  return createCodeFile(dataDir, Date.now()).code;
}
