/**
 * Apache httpd before a server, packing JSON as many installations do: its filter then writes the coding into the ETag.
 * Tests say "not run" where it is not installed. It listens on loopback, reads no file of the system's own set-up, and
 * ends with the test that started it.
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
  /** The address that it answers at. */
  readonly origin: string;
  close(): Promise<void>;
}

/** Starts Apache on a free port of loopback, which sends each request on to the address that `target` names at its start. */
export async function startApache(target: string, port?: number): Promise<Apache> {
  const folder = await mkdtemp(join(tmpdir(), 'chartkeeper-apache-'));
  const own = port ?? (await freePort());
  const file = join(folder, 'httpd.conf');
  await writeFile(file, configuration(folder, own, target));
  const running = spawn(program, ['-d', folder, '-f', file, '-D', 'FOREGROUND'], { stdio: 'ignore' });
  const origin = `http://127.0.0.1:${own}`;
  const close = () => stop(running, folder);
  try {
    await answers(origin, running, join(folder, 'error.log'));
  } catch (error) {
    await close();
    throw error;
  }
  return { origin, close };
}

/** A port of loopback that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** As root it would give up its rights to a user, who may not read a folder of the tests: it stays who it is. */
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

/** Any answer will do: the server behind may refuse whoever asks without a token. */
async function answers(origin: string, running: ChildProcess, log: string): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    if (running.exitCode !== null)
      throw new Error(`Apache ended: ${await readFile(log, 'utf8').catch(() => '')}`);
    const answered = await fetch(origin, { method: 'OPTIONS' }).then(
      () => true,
      () => false,
    );
    if (answered) return;
    await setTimeout(25);
  }
  throw new Error('Apache does not answer.');
}

async function stop(running: ChildProcess, folder: string): Promise<void> {
  if (running.exitCode === null && running.signalCode === null) {
    const ended = once(running, 'exit');
    running.kill('SIGTERM');
    await ended;
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
