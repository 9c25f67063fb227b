/** Keys and certificates of the tests for servers, authorities and clients. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ServerOptions } from 'node:https';

export const passphrase = 'canary-pass-phrase';

/** Path of a file of the tests' keys. */
export const keyFile = (name: string) => resolve(import.meta.dirname, 'certificates', name);

/** Returns key and certificate of a test server. */
export function readIdentity(name: string): { readonly key: Buffer; readonly cert: Buffer } {
  const [key, cert] = ['key', 'cert'].map((end) => readFileSync(keyFile(`${name}.${end}.pem`)));
  return { key: key ?? Buffer.of(), cert: cert ?? Buffer.of() };
}

/** Returns TLS options of a server that requires a certificate of the tests' client authority. */
export function demanding(name = 'loopback'): ServerOptions {
  return {
    ...readIdentity(name),
    requestCert: true,
    ca: [readFileSync(keyFile('client-authority.cert.pem'))],
  };
}

/** File forms of a client certificate and the secret of each. */
export const clientCertificates = {
  pem: { kind: 'pem', certificateFile: keyFile('client.cert.pem'), keyFile: keyFile('client.key.pem') },
  locked: { kind: 'pem', certificateFile: keyFile('client.cert.pem'), keyFile: keyFile('client.locked.pem') },
  pkcs12: { kind: 'pkcs12', file: keyFile('client.p12') },
} as const;
