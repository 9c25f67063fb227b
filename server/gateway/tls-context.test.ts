import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { keyFile, passphrase } from './testing/identities.ts';
import { tlsContext, type TlsParts } from './tls-context.ts';

const cert = readFileSync(keyFile('client.cert.pem'), 'utf8');
const [key, locked, pfx, old, other] = [
  ...['client.key.pem', 'client.locked.pem', 'client.p12', 'client.old.p12', 'other.key.pem'],
].map((name) => readFileSync(keyFile(name))) as [Buffer, Buffer, Buffer, Buffer, Buffer];

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const rsaKey = Buffer.from(rsa.export({ format: 'pem', type: 'pkcs8' }));

test.each<readonly [string, Omit<TlsParts, 'ca'>]>([
  ['a key without a lock', { client: { cert, key } }],
  ['a locked key', { client: { cert, key: locked }, passphrase }],
  ['PKCS#12', { client: { pfx }, passphrase }],
])('%s is opened', (_what, parts) => {
  expect(() => tlsContext(parts)).not.toThrow();
});

test.each<readonly [string, Omit<TlsParts, 'ca'>, string]>([
  [
    'a wrong pass phrase of a key',
    { client: { cert, key: locked }, passphrase: 'canary' },
    'The pass phrase does not open the client certificate.',
  ],
  [
    'a wrong pass phrase of a PKCS#12 file',
    { client: { pfx }, passphrase: 'canary' },
    'The pass phrase does not open the client certificate.',
  ],
  [
    'no pass phrase of a key',
    { client: { cert, key: locked } },
    'The key of the client certificate is locked. Enter its pass phrase.',
  ],
  [
    'no pass phrase of a PKCS#12 file',
    { client: { pfx } },
    'The PKCS#12 file is locked. Enter its pass phrase.',
  ],
  [
    'a damaged key',
    { client: { cert, key: Buffer.from(key.toString().replace('KEY-----', 'KEY-----\nAAAA')) } },
    'The key of the client certificate cannot be read: its file is damaged, or of another kind.',
  ],
  [
    'a damaged PKCS#12 file',
    { client: { pfx: pfx.subarray(0, 500) }, passphrase },
    'The PKCS#12 file cannot be read: it is damaged, or of another kind.',
  ],
  [
    'a certificate in place of PKCS#12',
    { client: { pfx: Buffer.from(cert) }, passphrase },
    'The PKCS#12 file cannot be read: it is damaged, or of another kind.',
  ],
  [
    'PKCS#12 as it was exported formerly',
    { client: { pfx: old }, passphrase },
    'The PKCS#12 file is encrypted in an old way that is not read here. Export it anew with AES.',
  ],
  [
    "another certificate's key",
    { client: { cert, key: other } },
    'The key does not belong to the client certificate.',
  ],
  [
    'a key of another kind',
    { client: { cert, key: rsaKey } },
    'The key does not belong to the client certificate.',
  ],
])('%s is a fault of the step TLS, in a sentence', (_what, parts, message) => {
  expect(() => tlsContext(parts)).toThrow(
    expect.objectContaining({ name: 'RemoteFault', step: 'tls', sent: false, message }),
  );
});
