/** PgBouncer for tests, in front of a database of the run's cluster. Tests report "not run" if it is not installed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clusterOwner, freePort } from './postgres.ts';

const program = '/usr/sbin/pgbouncer';

/** True if PgBouncer is installed. */
export function hasPooler(): boolean {
  return existsSync(program);
}

export interface Pooler {
  /** Address of the database by way of the pooler. */
  readonly address: string;
  close(): Promise<void>;
}

/** Starts a pooler in front of a database. */
export async function startPooler(
  address: string,
  settings: Readonly<Record<string, string>>,
): Promise<Pooler> {
  const { port: target, username } = new URL(address);
  const [folder, port, owner] = [
    mkdtempSync(join(tmpdir(), 'chartkeeper-pooler-')),
    await freePort(),
    clusterOwner(),
  ];
  const [users, file] = [join(folder, 'users'), join(folder, 'pooler.ini')];
  const config = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: users,
    ...settings,
  };
  const lines = Object.entries(config).map(([name, value]) => `${name} = ${value}\n`);
  writeFileSync(users, `"${username}" ""\n`);
  writeFileSync(file, `[databases]\n* = host=127.0.0.1 port=${target}\n[pgbouncer]\n${lines.join('')}`);
  const { uid, gid } = owner;
  if (uid !== undefined && gid !== undefined)
    for (const path of [folder, users, file]) chownSync(path, uid, gid);
  const child = spawn(program, [file], { ...owner, cwd: folder, stdio: 'ignore' });
  const exit = once(child, 'exit');
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}.`);
  }
  return {
    address: through(address, port),
    async close() {
      child.kill('SIGKILL');
      await exit;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns an address with another port. */
export function through(address: string, port: number): string {
  const url = new URL(address);
  url.port = String(port);
  return url.href;
}

/** Returns true if a process listens on a port. */
export async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
