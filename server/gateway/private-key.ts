import { createPrivateKey, webcrypto, type JsonWebKey, type KeyObject } from 'node:crypto';
import type { AssertionAlgorithm } from '../../core/app/connections.ts';
import { defineMessages } from '../../core/text/message.ts';
import { AccessError } from './access-error.ts';

const minKeyBits = 2048;

const messages = defineMessages('gateway.privateKey', {
  notRsa: 'RS384 needs an RSA key of at least {bits} bits.',
  notP384: 'ES384 needs a P-384 key.',
  unreadable: 'Not a PEM private key (without passphrase) or a private JWK.',
});

const imports = {
  RS384: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-384' },
  ES384: { name: 'ECDSA', namedCurve: 'P-384' },
} as const;

/**
 * Imports a PEM or JWK private key for an algorithm.
 *
 * @throws AccessError if the key cannot sign. Its message quotes nothing of the key.
 */
export async function importPrivateKey(
  secret: string,
  algorithm: AssertionAlgorithm,
): Promise<webcrypto.CryptoKey> {
  const key = readKey(secret);
  const { modulusLength = 0, namedCurve } = key.asymmetricKeyDetails ?? {};
  if (algorithm === 'RS384' && (key.asymmetricKeyType !== 'rsa' || modulusLength < minKeyBits)) {
    throw new AccessError(messages.notRsa({ bits: String(minKeyBits) }));
  }
  if (algorithm === 'ES384' && namedCurve !== 'secp384r1') {
    throw new AccessError(messages.notP384());
  }
  return webcrypto.subtle.importKey('jwk', key.export({ format: 'jwk' }), imports[algorithm], false, [
    'sign',
  ]);
}

function readKey(secret: string): KeyObject {
  try {
    const text = secret.trim();
    if (!text.startsWith('{')) return createPrivateKey(text);
    return createPrivateKey({ key: JSON.parse(text) as JsonWebKey, format: 'jwk' });
  } catch {
    throw new AccessError(messages.unreadable());
  }
}
