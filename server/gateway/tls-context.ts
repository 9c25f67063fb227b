/** Whom a way to a server trusts, and what it shows of itself, in one TLS context: making one reads hundreds of certificates. */
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
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
  if (client && 'key' in client) checkKey(client, passphrase);
  try {
    return createSecureContext({
      ca: ca === undefined ? trusted : [...trusted, ca],
      ...client,
      ...(passphrase !== undefined && { passphrase }),
    });
  } catch (error) {
    if (client === undefined) throw error;
    throw notOpened('pfx' in client ? pkcs12Fault(error, passphrase) : texts.notTaken);
  }
}

const texts = {
  wrong: 'The pass phrase does not open the client certificate.',
  keyLocked: 'The key of the client certificate is locked. Enter its pass phrase.',
  keyUnreadable: 'The key of the client certificate cannot be read: its file is damaged, or of another kind.',
  keyForeign: 'The key does not belong to the client certificate.',
  fileLocked: 'The PKCS#12 file is locked. Enter its pass phrase.',
  fileUnreadable: 'The PKCS#12 file cannot be read: it is damaged, or of another kind.',
  fileOld: 'The PKCS#12 file is encrypted in an old way that is not read here. Export it anew with AES.',
  notTaken: 'The client certificate cannot be used: its key is too short, or it is signed in too weak a way.',
};

/** Tells apart what a context of TLS would tell in one fault, or take: a key of another kind than the certificate's. */
function checkKey({ cert, key }: Extract<ClientKeys, { key: Buffer }>, passphrase: string | undefined): void {
  if (passphrase === undefined && key.toString('latin1').includes('ENCRYPTED'))
    throw notOpened(texts.keyLocked);
  if (!new X509Certificate(cert).checkPrivateKey(openKey(key, passphrase))) throw notOpened(texts.keyForeign);
}

function openKey(key: Buffer, passphrase: string | undefined): KeyObject {
  try {
    return createPrivateKey({ key, ...(passphrase !== undefined && { passphrase }) });
  } catch (error) {
    const isWrong = error instanceof Error && Reflect.get(error, 'code') === 'ERR_OSSL_BAD_DECRYPT';
    throw notOpened(isWrong ? texts.wrong : texts.keyUnreadable);
  }
}

/** Node names most faults of PKCS#12 by their message alone. */
function pkcs12Fault(error: unknown, passphrase: string | undefined): string {
  const { message } = error instanceof Error ? error : { message: '' };
  if (message === 'mac verify failure') return passphrase === undefined ? texts.fileLocked : texts.wrong;
  return message.startsWith('Unsupported') ? texts.fileOld : texts.fileUnreadable;
}

function notOpened(text: string): RemoteFault {
  return new RemoteFault('unreachable', text, false, 'tls');
}
