/**
 * The socket: on 127.0.0.1 as plain HTTP, elsewhere with a certificate alone. Called by assembly.ts, and by serve.ts for
 * the certificate. Invariant: nothing that other machines reach is ever sent or taken in clear.
 */
import { stat } from 'node:fs/promises';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { BlockList, isIPv6 } from 'node:net';
import { createSecureContext } from 'node:tls';
import { isAccessibleToOthers, readFlagFile } from './access/private-file.ts';
import { guardSocket, socketOptions } from './http/socket-errors.ts';

/** Certificate chain and private key, as PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface ListenOptions {
  /** An IP address of this machine. */
  readonly address: string;
  /** 0 picks a free port. */
  readonly port: number;
}

/** Milliseconds that requests under way are given when the server closes. */
const drain = 3000;

/** Milliseconds between two looks for connections that have nothing under way any more. */
const look = 20;

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Every address of the machine. */
const wildcards = ['0.0.0.0', '::'];

/**
 * A server that answers with `handler`, over TLS where there is a certificate.
 *
 * @throws Error where other machines reach the address and there is none, and where it cannot be used.
 */
export function createListener(
  handler: RequestListener,
  address: string,
  certificate: Certificate | undefined,
): Server {
  if (certificate === undefined && !isLoopback(address)) {
    throw new Error(
      `${address} is reachable from other computers and needs a certificate. Use --tls-cert and --tls-key.`,
    );
  }
  const server =
    certificate === undefined
      ? createServer(socketOptions, handler)
      : createTlsServer({ ...socketOptions, ...checked(certificate) }, handler);
  guardSocket(server);
  return server;
}

/**
 * The certificate of two PEM files; undefined where neither is named.
 *
 * @throws Error with a sentence where one is missing, cannot be read, or where others may read the key.
 */
export async function certificateIn(
  certFile: string | undefined,
  keyFile: string | undefined,
): Promise<Certificate | undefined> {
  if (certFile === undefined && keyFile === undefined) return undefined;
  if (certFile === undefined || keyFile === undefined) {
    throw new Error('Use --tls-cert and --tls-key together.');
  }
  const key = await readFlagFile('--tls-key', keyFile);
  const { mode } = await stat(keyFile);
  if (isAccessibleToOthers(mode)) {
    throw new Error(`--tls-key: ${keyFile} is accessible to other accounts. Run chmod 600 on it.`);
  }
  return { cert: await readFlagFile('--tls-cert', certFile), key };
}

function checked(certificate: Certificate): Certificate {
  try {
    createSecureContext(certificate);
    return certificate;
  } catch {
    throw new Error('Can’t use the certificate and key: both must be PEM files and belong together.');
  }
}

function isLoopback(address: string): boolean {
  return loopback.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** Listens, and resolves with the origin: of all addresses, that by which this machine reaches itself. */
export function listen(server: Server, { address, port }: ListenOptions, scheme: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, () => {
      const found = server.address();
      const taken = typeof found === 'object' && found ? found.port : port;
      resolve(`${scheme}://${hostOf(wildcards.includes(address) ? '127.0.0.1' : address)}:${taken}`);
    });
  });
}

/** Names by which a server at this address is known without being told; all addresses are none. */
export function ownNames(address: string): readonly string[] {
  const names = ['127.0.0.1', 'localhost', ...(wildcards.includes(address) ? [] : [hostOf(address)])];
  return [...new Set(names)];
}

/** An address as it stands in a URL and in a Host header. */
function hostOf(address: string): string {
  return isIPv6(address) ? `[${address}]` : address;
}

/** Takes no further requests, and resolves once those under way are through. */
export async function stop(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  // A client that goes on asking on its connection would be answered until the drain is over.
  server.prependListener('request', (_request, response: ServerResponse) => {
    response.shouldKeepAlive = false;
  });
  const idle = setInterval(() => server.closeIdleConnections(), look);
  const timer = setTimeout(() => {
    server.closeAllConnections();
  }, drain);
  await closed;
  clearInterval(idle);
  clearTimeout(timer);
}
