import { createPrivateKey, webcrypto, type JsonWebKey, type KeyObject } from 'node:crypto';
import type { AssertionAlgorithm } from '../../core/app/connections.ts';
import { AccessFault } from './access-fault.ts';

const leastBits = 2048;

const imports = {
  RS384: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-384' },
  ES384: { name: 'ECDSA', namedCurve: 'P-384' },
} as const;

/**
 * A private key, PEM or JWK, that signs with the algorithm.
 *
 * @throws AccessFault where the key cannot sign; its sentence says why and quotes nothing of it.
 */
export async function importPrivateKey(
  secret: string,
  algorithm: AssertionAlgorithm,
): Promise<webcrypto.CryptoKey> {
  const key = readKey(secret);
  const { modulusLength = 0, namedCurve } = key.asymmetricKeyDetails ?? {};
  if (algorithm === 'RS384' && (key.asymmetricKeyType !== 'rsa' || modulusLength < leastBits)) {
    throw new AccessFault(`RS384 signs with an RSA key of at least ${leastBits} bits; this is another.`);
  }
  if (algorithm === 'ES384' && namedCurve !== 'secp384r1') {
    throw new AccessFault('ES384 signs with a key on the curve P-384; this is another.');
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
    throw new AccessFault('This is no private key in PEM form (without a passphrase) and no private JWK.');
  }
}
