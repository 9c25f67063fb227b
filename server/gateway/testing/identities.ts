/** The keys and certificates of the tests: what servers show, whom they know, and what a client shows. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ServerOptions } from 'node:https';

export const passphrase = 'canary-pass-phrase';

/** Path of a file of the tests' keys. */
export const keyFile = (name: string) => resolve(import.meta.dirname, 'certificates', name);

/** What a server shows under a name. */
export function shown(name: string): { readonly key: Buffer; readonly cert: Buffer } {
  const [key, cert] = ['key', 'cert'].map((end) => readFileSync(keyFile(`${name}.${end}.pem`)));
  return { key: key ?? Buffer.of(), cert: cert ?? Buffer.of() };
}

/** A server that lets in whom the tests' authority of clients knows. */
export function demanding(name = 'loopback'): ServerOptions {
  return { ...shown(name), requestCert: true, ca: [readFileSync(keyFile('client-authority.cert.pem'))] };
}

/** The forms in which a client's certificate is named, and what opens them. */
export const clientCertificates = {
  pem: { kind: 'pem', certificateFile: keyFile('client.cert.pem'), keyFile: keyFile('client.key.pem') },
  locked: { kind: 'pem', certificateFile: keyFile('client.cert.pem'), keyFile: keyFile('client.locked.pem') },
  pkcs12: { kind: 'pkcs12', file: keyFile('client.p12') },
} as const;
