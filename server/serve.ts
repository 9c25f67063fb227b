import { resolve } from 'node:path';
import { linkWith } from '../core/app/sign-in.ts';
import { ownerName } from '../core/app/tokens.ts';
import { enlargeAnswerBlocks } from './answer-blocks.ts';
import { auditKeyMadeIn } from './audit-key.ts';
import type { ServeFlags } from './flags.ts';
import { fileSecrets, sessionSecrets } from './gateway/secrets.ts';
import { certificateIn } from './certificate-files.ts';
import { startServer, type RunningServer } from './start.ts';
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
  const { secondBackups: second, startEmpty, auditKeyFile, ...settings } = others;
  if (clock !== undefined && !demo) throw new Error('--clock stands with --demo alone.');
  const certificate = await certificateIn(tlsCert, tlsKey);
  const auditKey = await auditKeyMadeIn(auditKeyFile);
  const token = tokenFile === undefined ? undefined : await tokenIn(tokenFile);
  const log = (line: string) => void process.stderr.write(`${line}\n`);
  const secrets = secretFile === undefined ? sessionSecrets() : await fileSecrets(resolve(secretFile));
  const dataDir = resolve(data);
  const server = await startServer({
    ...{ dataDir, port, token, pageFolder, log, seed, secrets, settings, certificate, startEmpty, auditKey },
    ...(second !== undefined && { secondBackups: resolve(second) }),
    ...(clock !== undefined && { clock: () => clock }),
  });
  closeOnSignals(server);
  if (demo) await server.training.load('clean', { who: ownerName, requestId: '' });
  process.stdout.write(`Chartkeeper listens on ${server.origin}\n`);
  process.stdout.write(`Open ${linkWith(server.origin, server.signInCode())}\n`);
}

function closeOnSignals(server: RunningServer): void {
  const close = () => {
    void server.close().then(() => {
      process.exitCode = 0;
    });
  };
  process.once('SIGINT', close);
  process.once('SIGTERM', close);
}
