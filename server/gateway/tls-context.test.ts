import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { keyFile, passphrase } from './testing/identities.ts';
import { tlsContext, type TlsParts } from './tls-context.ts';

const cert = readFileSync(keyFile('client.cert.pem'), 'utf8');
const [key, locked, pfx, old, otherKey] = [
  'client.key.pem',
  'client.locked.pem',
  'client.p12',
  'client.old.p12',
  'other.key.pem',
].map((name) => readFileSync(keyFile(name))) as [Buffer, Buffer, Buffer, Buffer, Buffer];

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const rsaKey = Buffer.from(rsa.export({ format: 'pem', type: 'pkcs8' }));

test.each<readonly [string, Omit<TlsParts, 'ca'>]>([
  ['a key without a lock', { client: { cert, key } }],
  ['a locked key', { client: { cert, key: locked }, passphrase }],
  ['PKCS#12', { client: { pfx }, passphrase }],
])('opens %s', (_description, options) => {
  expect(() => tlsContext(options)).not.toThrow();
});

test.each<readonly [string, Omit<TlsParts, 'ca'>, string]>([
  [
    'a wrong pass phrase of a key',
    { client: { cert, key: locked }, passphrase: 'canary' },
    'Wrong passphrase for the client certificate.',
  ],
  [
    'a wrong pass phrase of a PKCS#12 file',
    { client: { pfx }, passphrase: 'canary' },
    'Wrong passphrase for the client certificate.',
  ],
  [
    'no pass phrase of a key',
    { client: { cert, key: locked } },
    'The client certificate’s key is encrypted. Enter its passphrase.',
  ],
  [
    'no pass phrase of a PKCS#12 file',
    { client: { pfx } },
    'The PKCS#12 file is encrypted. Enter its passphrase.',
  ],
  [
    'a damaged key',
    { client: { cert, key: Buffer.from(key.toString().replace('KEY-----', 'KEY-----\nAAAA')) } },
    'Can’t read the client certificate’s key: the file is damaged or of another kind.',
  ],
  [
    'a damaged PKCS#12 file',
    { client: { pfx: pfx.subarray(0, 500) }, passphrase },
    'Can’t read the PKCS#12 file: it is damaged or of another kind.',
  ],
  [
    'a certificate in place of PKCS#12',
    { client: { pfx: Buffer.from(cert) }, passphrase },
    'Can’t read the PKCS#12 file: it is damaged or of another kind.',
  ],
  [
    'PKCS#12 as it was exported formerly',
    { client: { pfx: old }, passphrase },
    'The PKCS#12 file uses an outdated encryption. Export it again with AES.',
  ],
  [
    "another certificate's key",
    { client: { cert, key: otherKey } },
    'The key doesn’t match the client certificate.',
  ],
  [
    'a key of another kind',
    { client: { cert, key: rsaKey } },
    'The key doesn’t match the client certificate.',
  ],
])('reports %s as an error of the step TLS with a message', (_description, options, message) => {
  expect(() => tlsContext(options)).toThrow(
    expect.objectContaining({ name: 'RemoteError', step: 'tls', sent: false, message }),
  );
});
