import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { LaunchError } from '../bench/launch.ts';
import { folderExitCodes, type FolderErrorCode } from '../server/sqlite/data-folder-error.ts';
import { FaultError } from './fault-case.ts';
import { startServer, type FaultServer } from './server.ts';

/**
 * Starts a server on a folder with a bad file. Returns the error code that the server reported in one
 * sentence and by exit code, or the server if it started.
 *
 * @throws FaultError if the start reported no sentence, or changed the file.
 */
export async function startOnBad(folder: string, file: string): Promise<FolderErrorCode | FaultServer> {
  const checksumBefore = await computeChecksum(file);
  try {
    return await startServer(folder);
  } catch (error) {
    if (!(error instanceof LaunchError)) throw error;
    if ((await computeChecksum(file)) !== checksumBefore)
      throw new FaultError(`${file} was changed by a start that was refused`);
    return toFolderFault(error);
  }
}

function toFolderFault({ code, stderr: message }: LaunchError): FolderErrorCode {
  const fault = Object.entries(folderExitCodes).find(([, exitCode]) => exitCode === code)?.[0];
  if (!isFolderErrorCode(fault))
    throw new FaultError(`A bad file ended the server with code ${code}: ${message}`);
  // One line of whole sentences that begin with the file or folder.
  if (!/^\/\S+ .+\.$/.test(message)) throw new FaultError(`A bad file was told so: ${message}`);
  return fault;
}

function isFolderErrorCode(name: unknown): name is FolderErrorCode {
  return typeof name === 'string' && Object.hasOwn(folderExitCodes, name);
}

/** Returns the SHA-256 of a file, or `folder` for a folder. */
async function computeChecksum(path: string): Promise<string> {
  if ((await stat(path)).isDirectory()) return 'folder';
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}

/**
 * Returns the error code with which a bad file is rejected.
 *
 * @throws FaultError if the server started.
 */
export async function expectRefusal(
  folder: string,
  file: string,
  description: string,
): Promise<FolderErrorCode> {
  const outcome = await startOnBad(folder, file);
  if (typeof outcome === 'string') return outcome;
  await outcome.kill();
  throw new FaultError(`A server started on ${description}`);
}
