import { resolve } from 'node:path';
import { linkWith } from '../core/app/sign-in.ts';
import { ownerName } from '../core/app/tokens.ts';
import { enlargeAnswerBlocks } from './answer-blocks.ts';
import { auditKeyMadeIn } from './audit-key.ts';
import type { ServeFlags } from './flags.ts';
import { fileSecrets, sessionSecrets } from './gateway/secrets.ts';
import { certificateIn } from './certificate-files.ts';
import { startServer } from './start.ts';
import { startSharedServer, type SharedServer } from './start-shared.ts';
import { tokenIn } from './token-file.ts';

/** Folder of the built page, beside the built server or, when the sources run, in dist/. */
export const pageFolder = resolve(
  import.meta.dirname,
  import.meta.filename.endsWith('.ts') ? '../dist/page' : '../page',
);

/** Runs the headless server until SIGINT or SIGTERM; prints its address, then the link to sign in with. */
export async function serve(flags: ServeFlags): Promise<void> {
  enlargeAnswerBlocks();
  const { port, data, tokenFile, secrets: secretFile, demo, seed, clock, tlsCert, tlsKey, ...others } = flags;
  const { secondBackups: second, startEmpty, auditKeyFile, store: address, ...settings } = others;
  if (clock !== undefined && !demo) throw new Error('--clock stands with --demo alone.');
  const certificate = await certificateIn(tlsCert, tlsKey);
  const auditKey = await auditKeyMadeIn(auditKeyFile);
  const token = tokenFile === undefined ? undefined : await tokenIn(tokenFile);
  const log = (line: string) => void process.stderr.write(`${line}\n`);
  const secrets = secretFile === undefined ? sessionSecrets() : await fileSecrets(resolve(secretFile));
  const dataDir = resolve(data);
  const common = { dataDir, port, token, pageFolder, log, secrets, settings, certificate, auditKey };
  if (address !== undefined) {
    if (demo || startEmpty || second !== undefined)
      throw new Error('--demo, --start-empty and --second-backups are for the records of a data folder.');
    const shared = await startSharedServer({ ...common, address });
    closeOnSignals(shared);
    tell(shared);
    return;
  }
  const server = await startServer({
    ...{ ...common, seed, startEmpty },
    ...(second !== undefined && { secondBackups: resolve(second) }),
    ...(clock !== undefined && { clock: () => clock }),
  });
  closeOnSignals(server);
  if (demo) await server.training.load('clean', { who: ownerName, requestId: '' });
  tell(server);
}

function tell(server: Pick<SharedServer, 'origin' | 'signInCode'>): void {
  process.stdout.write(`Chartkeeper listens on ${server.origin}\n`);
  process.stdout.write(`Open ${linkWith(server.origin, server.signInCode())}\n`);
}

function closeOnSignals(server: Pick<SharedServer, 'close'>): void {
  const close = () => {
    void server.close().then(() => {
      process.exitCode = 0;
    });
  };
  process.once('SIGINT', close);
  process.once('SIGTERM', close);
}
