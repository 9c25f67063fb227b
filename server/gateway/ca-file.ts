import { X509Certificate } from 'node:crypto';
import { open } from 'node:fs/promises';
import { isAbsolute } from 'node:path';

/** The file of authorities cannot be used; the sentence says why, and quotes nothing of the file. */
export class CaFileError extends Error {
  override readonly name = 'CaFileError';
}

const mostBytes = 1024 * 1024;
const certificate = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/**
 * The certificates of a PEM file.
 *
 * @throws CaFileError
 */
export async function readCaFile(path: string): Promise<string> {
  if (!isAbsolute(path)) throw new CaFileError('Name the CA file with its whole path.');
  const found = (await textOf(path)).match(certificate) ?? [];
  if (found.length === 0 || !found.every(isCertificate)) {
    throw new CaFileError('The CA file holds no certificate in PEM form (BEGIN CERTIFICATE).');
  }
  return found.join('\n');
}

async function textOf(path: string): Promise<string> {
  try {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat().then((stats) => (stats.isFile() ? stats : { size: Infinity }));
      if (size <= mostBytes) return await file.readFile('utf8');
    } finally {
      await file.close();
    }
  } catch {
    throw new CaFileError('The CA file cannot be read: it is not there, or this account may not read it.');
  }
  throw new CaFileError('The CA file is no plain file of at most 1 MB.');
}

function isCertificate(pem: string): boolean {
  try {
    new X509Certificate(pem);
    return true;
  } catch {
    return false;
  }
}
