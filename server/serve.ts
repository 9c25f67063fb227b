import { readFile, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ownerName } from '../core/app/tokens.ts';
import { newToken } from './access/secret.ts';
import { enlargeAnswerBlocks } from './answer-blocks.ts';
import { auditKeyMadeIn } from './audit-key.ts';
import type { ServeFlags } from './flags.ts';
import { fileSecrets, sessionSecrets } from './gateway/secrets.ts';
import { certificateIn } from './certificate-files.ts';
import { startServer, type RunningServer } from './start.ts';
import { syncFolder } from './store/sync.ts';

/** Folder of the built page, beside the built server or, when the sources run, in dist/. */
export const pageFolder = resolve(
  import.meta.dirname,
  import.meta.filename.endsWith('.ts') ? '../dist/page' : '../page',
);

/** Runs the headless server until SIGINT or SIGTERM; prints its address, then the address with the token. */
export async function serve(flags: ServeFlags): Promise<void> {
  enlargeAnswerBlocks();
  const {
    port,
    data,
    tokenFile,
    secrets: secretFile,
    demo,
    seed,
    tlsCert,
    tlsKey,
    auditKeyFile,
    ...settings
  } = flags;
  const certificate = await certificateIn(tlsCert, tlsKey);
  const auditKey = await auditKeyMadeIn(auditKeyFile);
  const token = tokenFile === undefined ? newToken() : await tokenIn(tokenFile);
  const log = (line: string) => void process.stderr.write(`${line}\n`);
  const secrets = secretFile === undefined ? sessionSecrets() : await fileSecrets(resolve(secretFile));
  const dataDir = resolve(data);
  const server = await startServer({
    ...{ dataDir, port, token, pageFolder, log, seed, secrets, settings, certificate, auditKey },
  });
  closeOnSignals(server);
  if (demo) await server.training.load('clean', ownerName);
  process.stdout.write(`Chartkeeper listens on ${server.origin}\n`);
  process.stdout.write(`Open ${server.origin}/#token=${token}\n`);
}

/** The token that a file holds; the file is made with a new one, readable by its owner alone, where there is none. */
async function tokenIn(file: string): Promise<string> {
  const token = newToken();
  const write = async (flag: 'wx' | 'w') => {
    await writeFile(file, `${token}\n`, { mode: 0o600, flag, flush: true });
    syncFolder(dirname(resolve(file)));
    return token;
  };
  try {
    return await write('wx');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const held = (await readFile(file, 'utf8')).trim();
  // What a power cut leaves between the file's name and its bytes: nobody was told that token.
  if (held === '') return write('w');
  if (/^[A-Za-z0-9._~+/-]{16,}=*$/.test(held)) return held;
  throw new Error(`${file} holds no token: one line of at least 16 letters, digits, hyphens or underscores.`);
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
