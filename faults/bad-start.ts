import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { LaunchFault } from '../bench/launch.ts';
import { folderFaults, isFolderFault, type FolderFault } from '../server/store/sqlite/data-folder-error.ts';
import { FaultError } from './fault-case.ts';
import { startServer, type FaultServer } from './server.ts';

/**
 * Starts a server on a folder whose file is not good. Answers the fault that it told in a sentence and by its exit
 * code, or the server where it started. A FaultError tells a refusal that has no sentence, or changed the file.
 */
export async function startOnBad(folder: string, file: string): Promise<FolderFault | FaultServer> {
  const before = await sumOf(file);
  try {
    return await startServer(folder);
  } catch (error) {
    if (!(error instanceof LaunchFault)) throw error;
    if ((await sumOf(file)) !== before)
      throw new FaultError(`${file} was changed by a start that was refused`);
    return faultOf(error);
  }
}

function faultOf({ code, said }: LaunchFault): FolderFault {
  const found = Object.entries(folderFaults).find(([, exitCode]) => exitCode === code)?.[0];
  if (!isFolderFault(found)) throw new FaultError(`A bad file ended the server with code ${code}: ${said}`);
  // One line, of whole sentences, that begin with the file or folder.
  if (!/^\/\S+ .+\.$/.test(said)) throw new FaultError(`A bad file was told so: ${said}`);
  return found;
}

/** SHA-256 of a file; a folder has none. */
async function sumOf(path: string): Promise<string> {
  if ((await stat(path)).isDirectory()) return 'folder';
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}

/** The fault that a bad file is refused with; a FaultError where the server started. */
export async function expectRefusal(folder: string, file: string, what: string): Promise<FolderFault> {
  const started = await startOnBad(folder, file);
  if (typeof started === 'string') return started;
  await started.kill();
  throw new FaultError(`A server started on ${what}`);
}
