/** Whom a way to a server trusts, and what it shows of itself, in one TLS context: making one reads hundreds of certificates. */
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import type { ClientKeys } from './key-files.ts';
import { RemoteFault } from './remote-fault.ts';

export interface TlsParts {
  /** PEM text of authorities that are trusted beside the public and the system's ones. */
  readonly ca?: string | undefined;
  readonly client?: ClientKeys | undefined;
  readonly passphrase?: string | undefined;
}

/**
 * Trusts the bundled authorities, those of the system and of NODE_EXTRA_CA_CERTS, and the given ones.
 *
 * @throws RemoteFault of step `tls` where the client certificate cannot be opened.
 */
export function tlsContext({ ca, client, passphrase }: TlsParts): SecureContext {
  const authorities = ['bundled', 'system', 'extra'] as const;
  const trusted = [...new Set(authorities.flatMap((kind) => getCACertificates(kind)))];
  if (client && 'key' in client && passphrase === undefined && isEncrypted(client.key)) {
    throw notOpened('The key of the client certificate is locked. Enter its pass phrase.');
  }
  try {
    return createSecureContext({
      ca: ca === undefined ? trusted : [...trusted, ca],
      ...client,
      ...(passphrase !== undefined && { passphrase }),
    });
  } catch (error) {
    if (client === undefined) throw error;
    const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
    throw notOpened(
      code === 'ERR_OSSL_X509_KEY_VALUES_MISMATCH'
        ? 'The key does not belong to the client certificate.'
        : 'The pass phrase does not open the client certificate, or its file is none.',
    );
  }
}

function isEncrypted(key: Buffer): boolean {
  return key.toString('latin1').includes('ENCRYPTED');
}

function notOpened(text: string): RemoteFault {
  return new RemoteFault('unreachable', text, false, 'tls');
}
