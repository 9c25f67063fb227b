/**
 * Creates the socket: plain HTTP on 127.0.0.1, TLS on other addresses. Called by assembly.ts, and by serve.ts for the
 * certificate. Invariant: an address that other computers can reach never speaks plain HTTP.
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

/** Longest wait for pending requests when the server closes. */
const drainMs = 3000;

/** Interval between two searches for idle connections during a close. */
const idlePollMs = 20;

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Addresses that stand for all addresses of the machine. */
const wildcards = ['0.0.0.0', '::'];

/**
 * Creates an HTTP server, with TLS if there is a certificate.
 *
 * @throws Error if other computers can reach the address without a certificate, or if the certificate is unusable.
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
      : createTlsServer({ ...socketOptions, ...checkCertificate(certificate) }, handler);
  guardSocket(server);
  return server;
}

/**
 * Reads a certificate from two PEM files. Returns undefined without file names.
 *
 * @throws Error if a file is missing or unreadable, or if other accounts can read the key.
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

function checkCertificate(certificate: Certificate): Certificate {
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

/** Listens, then resolves with the origin. If it listens on all addresses, the origin has 127.0.0.1. */
export function listen(server: Server, { address, port }: ListenOptions, scheme: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, () => {
      const boundAddress = server.address();
      const boundPort = typeof boundAddress === 'object' && boundAddress ? boundAddress.port : port;
      resolve(`${scheme}://${hostOf(wildcards.includes(address) ? '127.0.0.1' : address)}:${boundPort}`);
    });
  });
}

/** Returns the host names of a server at this address that need no setting. */
export function ownNames(address: string): readonly string[] {
  const names = ['127.0.0.1', 'localhost', ...(wildcards.includes(address) ? [] : [hostOf(address)])];
  return [...new Set(names)];
}

/** Formats an address for a URL or a Host header. */
function hostOf(address: string): string {
  return isIPv6(address) ? `[${address}]` : address;
}

/** Stops accepting requests, then resolves after the pending requests. */
export async function stop(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  // Otherwise a client could send more requests on its connection until the drain ends.
  server.prependListener('request', (_request, response: ServerResponse) => {
    response.shouldKeepAlive = false;
  });
  const idle = setInterval(() => server.closeIdleConnections(), idlePollMs);
  const timer = setTimeout(() => {
    server.closeAllConnections();
  }, drainMs);
  await closed;
  clearInterval(idle);
  clearTimeout(timer);
}
