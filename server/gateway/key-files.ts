/** The files of authorities, certificates and keys that a connection names. Read anew for each way to a server. */
import { X509Certificate } from 'node:crypto';
import { open } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { ClientCertificate } from '../../core/app/connections.ts';
import { ConnectionFault } from './remote-fault.ts';

/** A file cannot be used; the sentence says why, and quotes nothing of it. */
export class KeyFileError extends ConnectionFault {
  override readonly name = 'KeyFileError';
  readonly kind = 'unreachable';
  readonly step = 'tls';
  /** The member of the settings that names it. */
  readonly member: string;

  constructor(member: string, text: string) {
    super(text);
    this.member = member;
  }
}

const mostBytes = 1024 * 1024;
const certificate = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;
const privateKey = /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/;

/** What of a client certificate goes into a TLS context, without its pass phrase. */
export type ClientKeys = { readonly cert: string; readonly key: Buffer } | { readonly pfx: Buffer };

/**
 * The certificates of a PEM file of authorities.
 *
 * @throws KeyFileError
 */
export function readCaFile(path: string): Promise<string> {
  return certificatesIn('caFile', 'CA file', path);
}

/**
 * The files of a client certificate. Whether the pass phrase opens them is seen when they are used.
 *
 * @throws KeyFileError
 */
export async function readClientKeys(given: ClientCertificate): Promise<ClientKeys> {
  if (given.kind === 'pkcs12') {
    return { pfx: await bytesOf('clientCertificate.file', 'PKCS#12 file', given.file) };
  }
  const [member, keyMember] = ['clientCertificate.certificateFile', 'clientCertificate.keyFile'];
  const cert = await certificatesIn(member, 'certificate file', given.certificateFile);
  const key = await bytesOf(keyMember, 'key file', given.keyFile);
  if (privateKey.test(key.toString('latin1'))) return { cert, key };
  throw new KeyFileError(keyMember, 'The key file holds no private key in PEM form (BEGIN PRIVATE KEY).');
}

async function certificatesIn(member: string, name: string, path: string): Promise<string> {
  const found = (await bytesOf(member, name, path)).toString('utf8').match(certificate) ?? [];
  if (found.length > 0 && found.every(isCertificate)) return found.join('\n');
  throw new KeyFileError(member, `The ${name} holds no certificate in PEM form (BEGIN CERTIFICATE).`);
}

async function bytesOf(member: string, name: string, path: string): Promise<Buffer> {
  if (!isAbsolute(path)) throw new KeyFileError(member, `Name the ${name} with its whole path.`);
  try {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat().then((stats) => (stats.isFile() ? stats : { size: Infinity }));
      if (size <= mostBytes) return await file.readFile();
    } finally {
      await file.close();
    }
  } catch {
    throw new KeyFileError(
      member,
      `The ${name} cannot be read: it is not there, or this account may not read it.`,
    );
  }
  throw new KeyFileError(member, `The ${name} is no plain file of at most 1 MB.`);
}

function isCertificate(pem: string): boolean {
  try {
    new X509Certificate(pem);
    return true;
  } catch {
    return false;
  }
}
