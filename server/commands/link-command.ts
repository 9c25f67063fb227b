/** `chartkeeper link`: makes a link to sign in with, by the rights to the data folder or the store alone, beside a server or without. */
import { statSync } from 'node:fs';
import { linkWith } from '../../core/app/sign-in.ts';
import { addressIn, leaveCode } from '../access/link-files.ts';
import { owner } from '../access/principal.ts';
import { issueShared } from '../access/shared-codes.ts';
import { withStore } from './command-place.ts';
import { DataFolderError } from '../store/sqlite/data-folder-error.ts';

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
  const known = addressIn(dataDir);
  process.stdout.write(`Open ${linkWith(known ?? usual, code)}\n`);
  const absent = address === undefined ? absentText : absentServerText;
  process.stderr.write(`${known === undefined ? absent : 'The link works once, within an hour.'}\n`);
}

const absentText =
  'No server runs on this folder. The link works once, within an hour, when one is started there.';
const absentServerText =
  'No server runs on this folder: put the address of one of the same store in its place. The link works once, within an hour.';

function codeOf(dataDir: string): string {
  if (!statSync(dataDir, { throwIfNoEntry: false })?.isDirectory()) {
    throw new DataFolderError(
      'not-a-folder',
      `${dataDir} is no data folder: start the server once, or name its folder with --data.`,
    );
  }
  return leaveCode(dataDir, Date.now()).code;
}
