import { stat } from 'node:fs/promises';
import { isOpenToOthers, textOfFlag } from '../access/private-file.ts';
import type { Certificate } from '../listener.ts';

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
  const key = await textOfFlag('--tls-key', keyFile);
  const { mode } = await stat(keyFile);
  if (isOpenToOthers(mode)) {
    throw new Error(`--tls-key: ${keyFile} is open to other accounts. Close it with chmod 600.`);
  }
  return { cert: await textOfFlag('--tls-cert', certFile), key };
}
