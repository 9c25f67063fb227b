/** pgpool for tests, in front of a primary and its standby. Tests report "not run" if it is not installed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { through, isListening, type Pooler } from './pooler.ts';
import { clusterOwner, freePort } from './postgres.ts';

const program = '/usr/sbin/pgpool';

/** True if pgpool is installed. */
export function hasReadBalancer(): boolean {
  return existsSync(program);
}

/**
 * Starts pgpool in front of a primary and its standby.
 *
 * @param address - Address of a database of the primary.
 * @param standby - Port of the standby.
 * @param reads - True if pgpool may send reads to the standby.
 */
export async function startReadBalancer(address: string, standby: number, reads: boolean): Promise<Pooler> {
  const [folder, port, controlPort] = [
    mkdtempSync(join(tmpdir(), 'chartkeeper-pgpool-')),
    await freePort(),
    await freePort(),
  ];
  const owner = clusterOwner();
  const settings = {
    backend_clustering_mode: 'streaming_replication',
    load_balance_mode: reads ? 'on' : 'off',
    listen_addresses: '127.0.0.1',
    port: String(port),
    socket_dir: folder,
    pcp_listen_addresses: '',
    pcp_port: String(controlPort),
    pcp_socket_dir: folder,
    work_dir: folder,
    pid_file_name: join(folder, 'pid'),
    logdir: folder,
    sr_check_user: 'admin',
    sr_check_period: '1',
    backend_hostname0: '127.0.0.1',
    backend_port0: new URL(address).port,
    backend_weight0: '1',
    backend_hostname1: '127.0.0.1',
    backend_port1: String(standby),
    backend_weight1: '1',
  };
  const files = ['pgpool.conf', 'pcp.conf', 'pool_hba.conf'].map((name) => join(folder, name));
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  for (const [index, path] of files.entries()) writeFileSync(path, index === 0 ? lines.join('') : '');
  const { uid, gid } = owner;
  if (uid !== undefined && gid !== undefined)
    for (const path of [folder, ...files]) chownSync(path, uid, gid);
  const [conf = '', pcp = '', hba = ''] = files;
  const parameters = ['-n', '-f', conf, '-F', pcp, '-a', hba];
  const child = spawn(program, parameters, { ...owner, cwd: folder, stdio: 'ignore' });
  const exit = once(child, 'exit');
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`pgpool ended with ${child.exitCode}.`);
  }
  return {
    address: through(address, port),
    async close() {
      child.kill('SIGINT');
      await exit;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
