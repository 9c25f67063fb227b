/** Reads the CA, certificate and key files of a connection. Each new remote reads them again. */
import { X509Certificate } from 'node:crypto';
import { open } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { ClientCertificate } from '../../core/app/connections.ts';
import { defineMessages, type Message } from '../../core/text/message.ts';
import { ConnectionError } from './remote-error.ts';

/** A file is unusable. The message gives the reason and quotes no content. */
export class KeyFileError extends ConnectionError {
  override readonly name = 'KeyFileError';
  readonly kind = 'unreachable';
  readonly step = 'tls';
  /** The member of the settings that names it. */
  readonly member: string;

  constructor(member: string, message: Message) {
    super(message);
    this.member = member;
  }
}

const messages = defineMessages('gateway.keyFile', {
  noPrivateKey: 'The key file has no PEM private key (BEGIN PRIVATE KEY).',
  noCertificate: 'The {file} has no PEM certificate (BEGIN CERTIFICATE).',
  relative: 'Enter the full path of the {file}.',
  unreadable: 'Can’t read the {file}: it doesn’t exist, or you don’t have permission.',
  irregular: 'The {file} must be a regular file of at most 1 MB.',
});

const mostBytes = 1024 * 1024;
const certificate = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;
const privateKey = /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/;

/** The parts of a client certificate for a TLS context, without the passphrase. */
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
 * Reads the files of a client certificate. A wrong passphrase shows only when they are used.
 *
 * @throws KeyFileError
 */
export async function readClientKeys(certificateSettings: ClientCertificate): Promise<ClientKeys> {
  if (certificateSettings.kind === 'pkcs12') {
    return { pfx: await bytesOf('clientCertificate.file', 'PKCS#12 file', certificateSettings.file) };
  }
  const [member, keyMember] = ['clientCertificate.certificateFile', 'clientCertificate.keyFile'];
  const cert = await certificatesIn(member, 'certificate file', certificateSettings.certificateFile);
  const key = await bytesOf(keyMember, 'key file', certificateSettings.keyFile);
  if (privateKey.test(key.toString('latin1'))) return { cert, key };
  throw new KeyFileError(keyMember, messages.noPrivateKey());
}

async function certificatesIn(member: string, name: string, path: string): Promise<string> {
  const certificates = (await bytesOf(member, name, path)).toString('utf8').match(certificate) ?? [];
  if (certificates.length > 0 && certificates.every(isCertificate)) return certificates.join('\n');
  throw new KeyFileError(member, messages.noCertificate({ file: name }));
}

async function bytesOf(member: string, name: string, path: string): Promise<Buffer> {
  if (!isAbsolute(path)) throw new KeyFileError(member, messages.relative({ file: name }));
  try {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat().then((stats) => (stats.isFile() ? stats : { size: Infinity }));
      if (size <= mostBytes) return await file.readFile();
    } finally {
      await file.close();
    }
  } catch {
    throw new KeyFileError(member, messages.unreadable({ file: name }));
  }
  throw new KeyFileError(member, messages.irregular({ file: name }));
}

function isCertificate(pem: string): boolean {
  try {
    new X509Certificate(pem);
    return true;
  } catch {
    return false;
  }
}
