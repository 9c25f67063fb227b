import { resolve } from 'node:path';
import { linkWith } from '../core/app/sign-in.ts';
import { ownerName } from '../core/app/tokens.ts';
import { auditKeyMadeIn } from './audit-key.ts';
import { findChromium, openBrowserWindow, type BrowserWindow } from './commands/browser-window.ts';
import type { ServeFlags } from './commands/flags.ts';
import { fileSecrets, sessionSecrets } from './gateway/secrets.ts';
import { formatError, logLines } from './log-lines.ts';
import { readOpenIdSettings } from './openid/openid-file.ts';
import { startServer } from './start.ts';
import { startSharedServer, type SharedServer } from './start-shared.ts';
import { tokenIn } from './commands/token-file.ts';
import { certificateIn } from './listener.ts';

/** Folder of the built page, beside the built server or, when the sources run, in dist/. */
export const pageFolder = resolve(
  import.meta.dirname,
  import.meta.filename.endsWith('.ts') ? '../dist/page' : '../page',
);

/**
 * Enlarges the blocks that answers are cut from, for a process that serves: of Node's own 8 KiB hardly one is, and each
 * asks the system then.
 */
export function enlargeAnswerBlocks(): void {
  Buffer.poolSize = 256 * 1024;
}

/** Runs the headless server until SIGINT or SIGTERM; prints its address, then the link to sign in with. */
export async function serve(flags: ServeFlags): Promise<void> {
  enlargeAnswerBlocks();
  const { port, data, tokenFile, secrets: secretFile, demo, seed, clock, tlsCert, tlsKey, ...others } = flags;
  const {
    secondBackups: second,
    startEmpty,
    auditKeyFile,
    store: address,
    browser,
    openid,
    logFormat,
    ...rest
  } = others;
  if (clock !== undefined && !demo) throw new Error('--clock needs --demo.');
  const chromium = browser ? findChromium() : undefined;
  const certificate = await certificateIn(tlsCert, tlsKey);
  const openId = await readOpenIdSettings(openid, rest.publicUrl);
  const auditKey = await auditKeyMadeIn(auditKeyFile);
  const token = tokenFile === undefined ? undefined : await tokenIn(tokenFile);
  const log = logLines(logFormat, (text) => process.stderr.write(text), Date.now);
  const secrets = secretFile === undefined ? sessionSecrets() : await fileSecrets(resolve(secretFile));
  const dataDir = resolve(data);
  // The window begins at a file, which is another site.
  const settings = { ...rest, landings: browser ? ['/'] : [] };
  const common = { dataDir, port, token, pageFolder, log, secrets, settings, certificate, auditKey, openId };
  const place = { chromium, dataDir, log, publicUrl: rest.publicUrl };
  if (address !== undefined) {
    if (demo || startEmpty || second !== undefined)
      throw new Error('--demo, --start-empty and --second-backups only work with a data folder.');
    await attend(await startSharedServer({ ...common, address }), place);
    return;
  }
  const server = await startServer({
    ...common,
    seed,
    startEmpty,
    ...(second !== undefined && { secondBackups: resolve(second) }),
    ...(clock !== undefined && { clock: () => clock }),
  });
  const load = () => server.training.load('clean', { who: ownerName, requestId: '' });
  await attend(server, { ...place, ...(demo && { load }) });
}

interface Place {
  /** The browser in whose window the page opens, if any. */
  readonly chromium: string | undefined;
  readonly dataDir: string;
  readonly log: (line: string) => void;
  /** Where people reach it; undefined for the address listened on. */
  readonly publicUrl: string | undefined;
  /** Loads what is to be there first. */
  readonly load?: () => Promise<unknown>;
}

/** Tells where a server is, opens its window where there is to be one, and closes the server with it or at a signal. */
async function attend(
  server: Pick<SharedServer, 'origin' | 'signInCode' | 'close'>,
  { chromium, dataDir, log, load, publicUrl }: Place,
): Promise<void> {
  const windows: BrowserWindow[] = [];
  // Before anything is printed: who reads it may send one.
  const signalled = closeOnSignals(server, log, () => windows.forEach((window) => window.close()));
  await load?.();
  const newLink = async (origin = server.origin) => linkWith(origin, await server.signInCode());
  process.stdout.write(`Chartkeeper listens on ${server.origin}\n`);
  process.stdout.write(`Open ${await newLink(publicUrl)}\n`);
  if (chromium === undefined || signalled()) return;
  const window = openBrowserWindow(chromium, dataDir, await newLink());
  windows.push(window);
  process.stdout.write('A browser window is opening. Chartkeeper stops when you close it.\n');
  const inOrder = await window.closed;
  if (signalled()) return;
  if (inOrder) await server.close();
  else log('The browser crashed. Chartkeeper is still running: open the link above, or stop it with Ctrl+C.');
}

/** Closes at the first signal; returns whether there was one. */
function closeOnSignals(
  server: Pick<SharedServer, 'close'>,
  log: Place['log'],
  closeWindow: () => void,
): () => boolean {
  let came = false;
  const close = () => {
    if (came) return;
    came = true;
    closeWindow();
    void server.close().then(
      () => {
        process.exitCode = 0;
      },
      (error: unknown) => {
        log(formatError(error));
        process.exitCode = 1;
      },
    );
  };
  process.once('SIGINT', close);
  process.once('SIGTERM', close);
  return () => came;
}
