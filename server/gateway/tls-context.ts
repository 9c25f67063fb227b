/**
 * Builds a TLS context with trusted authorities and the client certificate. Building one reads hundreds of
 * certificates.
 */
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { defineMessages, type Message } from '../../core/text/message.ts';
import type { ClientKeys } from './key-files.ts';
import { RemoteError } from './remote-error.ts';

export interface TlsParts {
  /** PEM text of authorities that are trusted in addition to the public and system ones. */
  readonly ca?: string | undefined;
  readonly client?: ClientKeys | undefined;
  readonly passphrase?: string | undefined;
}

/**
 * Trusts the bundled authorities, the authorities of the system and of NODE_EXTRA_CA_CERTS, and the given authorities.
 *
 * @throws RemoteError of step `tls` if the client certificate cannot be opened.
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
    throw notOpened('pfx' in client ? pkcs12Fault(error, passphrase) : messages.weakCertificate());
  }
}

const messages = defineMessages('gateway.tls', {
  wrongPassphrase: 'Wrong passphrase for the client certificate.',
  keyEncrypted: 'The client certificate’s key is encrypted. Enter its passphrase.',
  keyUnreadable: 'Can’t read the client certificate’s key: the file is damaged or of another kind.',
  keyMismatch: 'The key doesn’t match the client certificate.',
  fileEncrypted: 'The PKCS#12 file is encrypted. Enter its passphrase.',
  fileUnreadable: 'Can’t read the PKCS#12 file: it is damaged or of another kind.',
  fileOutdated: 'The PKCS#12 file uses an outdated encryption. Export it again with AES.',
  weakCertificate:
    'The client certificate is too weak: its key is too short, or its signature algorithm is outdated.',
});

/**
 * Distinguishes problems that TLS reports as one error or accepts, such as a key of another kind than the
 * certificate's.
 */
function checkKey({ cert, key }: Extract<ClientKeys, { key: Buffer }>, passphrase: string | undefined): void {
  if (passphrase === undefined && key.toString('latin1').includes('ENCRYPTED'))
    throw notOpened(messages.keyEncrypted());
  if (!new X509Certificate(cert).checkPrivateKey(openKey(key, passphrase)))
    throw notOpened(messages.keyMismatch());
}

function openKey(key: Buffer, passphrase: string | undefined): KeyObject {
  try {
    return createPrivateKey({ key, ...(passphrase !== undefined && { passphrase }) });
  } catch (error) {
    const isWrong = error instanceof Error && Reflect.get(error, 'code') === 'ERR_OSSL_BAD_DECRYPT';
    throw notOpened(isWrong ? messages.wrongPassphrase() : messages.keyUnreadable());
  }
}

/** Node describes most PKCS#12 errors only in the message. */
function pkcs12Fault(error: unknown, passphrase: string | undefined): Message {
  const { message } = error instanceof Error ? error : { message: '' };
  if (message === 'mac verify failure') {
    return passphrase === undefined ? messages.fileEncrypted() : messages.wrongPassphrase();
  }
  return message.startsWith('Unsupported') ? messages.fileOutdated() : messages.fileUnreadable();
}

function notOpened(sentence: Message): RemoteError {
  return new RemoteError('unreachable', sentence, false, 'tls');
}
