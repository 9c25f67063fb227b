/**
 * Apache httpd in front of a server. It compresses JSON as many installations do, so its filter adds the coding to the
 * ETag. Tests report "not run" if it is not installed. It listens on loopback and reads no configuration of the system.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const program = '/usr/sbin/apache2';
const modules = '/usr/lib/apache2/modules';

/** True if Debian's Apache httpd is installed. */
export const hasApache = existsSync(program) && existsSync(join(modules, 'mod_deflate.so'));

export interface Apache {
  /** Address of Apache. */
  readonly origin: string;
  close(): Promise<void>;
}

/** Starts Apache on loopback as a reverse proxy of `target`; picks a free port by default. */
export async function startApache(target: string, port?: number): Promise<Apache> {
  const folder = await mkdtemp(join(tmpdir(), 'chartkeeper-apache-'));
  const listenPort = port ?? (await freePort());
  const file = join(folder, 'httpd.conf');
  await writeFile(file, configuration(folder, listenPort, target));
  const running = spawn(program, ['-d', folder, '-f', file, '-D', 'FOREGROUND'], { stdio: 'ignore' });
  const origin = `http://127.0.0.1:${listenPort}`;
  const close = () => stop(running, folder);
  try {
    await waitUntilReachable(origin, running, join(folder, 'error.log'));
  } catch (error) {
    await close();
    throw error;
  }
  return { origin, close };
}

/** Returns an unused port of loopback. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Formats httpd.conf. Apache that root starts runs as nobody. */
function configuration(folder: string, port: number, target: string): string {
  const loaded = ['mpm_event', 'authz_core', 'proxy', 'proxy_http', 'filter', 'deflate'];
  return [
    ...loaded.map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`),
    ...(process.getuid?.() === 0 ? ['User nobody', 'Group nogroup'] : []),
    `Listen 127.0.0.1:${port}`,
    'ServerName 127.0.0.1',
    `PidFile ${folder}/httpd.pid`,
    `DefaultRuntimeDir ${folder}`,
    `ErrorLog ${folder}/error.log`,
    'StartServers 1',
    'ProxyPreserveHost On',
    `ProxyPass / ${target}/ flushpackets=on`,
    'AddOutputFilterByType DEFLATE application/json application/fhir+json',
    '',
  ].join('\n');
}

/** Resolves on any response: the server may reject requests without a token. */
async function waitUntilReachable(origin: string, running: ChildProcess, log: string): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    if (running.exitCode !== null)
      throw new Error(`Apache ended: ${await readFile(log, 'utf8').catch(() => '')}`);
    const isReachable = await fetch(origin, { method: 'OPTIONS' }).then(
      () => true,
      () => false,
    );
    if (isReachable) return;
    await setTimeout(25);
  }
  throw new Error('Apache does not answer.');
}

async function stop(running: ChildProcess, folder: string): Promise<void> {
  if (running.exitCode === null && running.signalCode === null) {
    const exit = once(running, 'exit');
    running.kill('SIGTERM');
    await exit;
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
