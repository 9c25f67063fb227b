/** `chartkeeper link`: makes a link to sign in with, by the rights to the data folder alone, beside a server or without. */
import { statSync } from 'node:fs';
import { linkWith } from '../core/app/sign-in.ts';
import { addressIn, leaveCode } from './access/link-files.ts';
import { DataFolderError } from './store/data-folder-error.ts';

/** Prints a link that works once, within an hour; `usual` is where a server answers that is yet to be started. */
export function runLink(dataDir: string, usual: string): void {
  if (!statSync(dataDir, { throwIfNoEntry: false })?.isDirectory()) {
    throw new DataFolderError(
      'not-a-folder',
      `${dataDir} is no data folder: start the server once, or name its folder with --data.`,
    );
  }
  const address = addressIn(dataDir);
  const { code } = leaveCode(dataDir, Date.now());
  process.stdout.write(`Open ${linkWith(address ?? usual, code)}\n`);
  process.stderr.write(
    address === undefined
      ? 'No server runs on this folder. The link works once, within an hour, when one is started there.\n'
      : 'The link works once, within an hour.\n',
  );
}
