import { readFile, stat } from 'node:fs/promises';
import type { Certificate } from './listener.ts';

/**
 * The certificate of two PEM files; undefined where neither is named.
 *
 * @throws Error with a sentence where one is missing, cannot be read, or where others may read the key.
 */
export async function certificateIn(
  certFile: string | undefined,
  keyFile: string | undefined,
): Promise<Certificate | undefined> {
  if (certFile === undefined && keyFile === undefined) return undefined;
  if (certFile === undefined || keyFile === undefined) {
    throw new Error('--tls-cert and --tls-key belong together: name both files.');
  }
  const key = await textOf('--tls-key', keyFile);
  const { mode } = await stat(keyFile);
  // Windows has no such bits: the folder of the user is closed to others there.
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    throw new Error(`--tls-key: ${keyFile} is open to other accounts. Close it with chmod 600.`);
  }
  return { cert: await textOf('--tls-cert', certFile), key };
}

async function textOf(flag: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    throw new Error(`${flag}: ${file} cannot be read: it is not there, or this account may not read it.`);
  }
}
