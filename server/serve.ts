import { resolve } from 'node:path';
import { linkWith } from '../core/app/sign-in.ts';
import { ownerName } from '../core/app/tokens.ts';
import { auditKeyMadeIn } from './audit-key.ts';
import { findChromium, openBrowserWindow, type BrowserWindow } from './commands/browser-window.ts';
import type { ServeFlags } from './commands/flags.ts';
import { fileSecrets, sessionSecrets } from './gateway/secrets.ts';
import { formatError, logLines } from './log-lines.ts';
import { loadShared } from './shared-edition.ts';
import { startServer, type RunningServer } from './start.ts';
import { tokenIn } from './commands/token-file.ts';
import { certificateIn } from './listener.ts';

/** Folder of the built page: next to the built server, or in dist/ when the sources run. */
export const pageFolder = resolve(
  import.meta.dirname,
  import.meta.filename.endsWith('.ts') ? '../dist/page' : '../page',
);

/**
 * Enlarges the pool from which Node allocates buffers. Responses rarely fit into the default of 8 KiB, so each would
 * allocate memory from the system.
 */
export function enlargeAnswerBlocks(): void {
  Buffer.poolSize = 256 * 1024;
}

/** Runs the headless server until SIGINT or SIGTERM. Prints its address, then the sign-in link. */
export async function serve(flags: ServeFlags): Promise<void> {
  enlargeAnswerBlocks();
  const {
    port,
    data,
    tokenFile,
    secrets: secretFile,
    demo,
    seed,
    clock,
    tlsCert,
    tlsKey,
    ...otherFlags
  } = flags;
  const {
    secondBackups: secondaryFolder,
    startEmpty,
    auditKeyFile,
    store: address,
    browser,
    openid,
    logFormat,
    ...settingFlags
  } = otherFlags;
  if (clock !== undefined && !demo) throw new Error('--clock needs --demo.');
  const chromium = browser ? findChromium() : undefined;
  const certificate = await certificateIn(tlsCert, tlsKey);
  const openId =
    openid === undefined
      ? undefined
      : await (
          await loadShared(import('./shared/openid/openid-routes.ts'))
        ).readProvider(openid, settingFlags.publicUrl);
  const auditKey = await auditKeyMadeIn(auditKeyFile);
  const token = tokenFile === undefined ? undefined : await tokenIn(tokenFile);
  const log = logLines(logFormat, (text) => process.stderr.write(text), Date.now);
  const secrets = secretFile === undefined ? sessionSecrets() : await fileSecrets(resolve(secretFile));
  const dataDir = resolve(data);
  // The window opens a local file first, which counts as another site.
  const settings = { ...settingFlags, landings: browser ? ['/'] : [] };
  const commonOptions = {
    dataDir,
    port,
    token,
    pageFolder,
    log,
    secrets,
    settings,
    certificate,
    auditKey,
    openId,
  };
  const attendance = { chromium, dataDir, log, publicUrl: settingFlags.publicUrl };
  if (address !== undefined) {
    if (demo || startEmpty || secondaryFolder !== undefined)
      throw new Error('--demo, --start-empty and --second-backups only work with a data folder.');
    const { startSharedServer } = await loadShared(import('./shared/start-shared.ts'));
    await attend(await startSharedServer({ ...commonOptions, address }), attendance);
    return;
  }
  const server = await startServer({
    ...commonOptions,
    seed,
    startEmpty,
    ...(secondaryFolder !== undefined && { secondBackups: resolve(secondaryFolder) }),
    ...(clock !== undefined && { clock: () => clock }),
  });
  const load = () => server.training.load('clean', { who: ownerName, requestId: '' });
  await attend(server, { ...attendance, ...(demo && { load }) });
}

interface Attendance {
  /** Path of the browser that opens the page. */
  readonly chromium: string | undefined;
  readonly dataDir: string;
  readonly log: (line: string) => void;
  /** Public address of the server. Default: the address listened on. */
  readonly publicUrl: string | undefined;
  /** Loads demo records before the address is printed. */
  readonly load?: () => Promise<unknown>;
}

/** Prints the address and opens the browser window, if any. Closes the server with that window or at a signal. */
async function attend(
  server: Pick<RunningServer, 'origin' | 'signInCode' | 'close'>,
  { chromium, dataDir, log, load, publicUrl }: Attendance,
): Promise<void> {
  const windows: BrowserWindow[] = [];
  // Registered before the first line: a reader of that line may send a signal.
  const hasSignal = closeOnSignals(server, log, () => windows.forEach((window) => window.close()));
  await load?.();
  const newLink = async (origin = server.origin) => linkWith(origin, await server.signInCode());
  process.stdout.write(`Chartkeeper listens on ${server.origin}\n`);
  process.stdout.write(`Open ${await newLink(publicUrl)}\n`);
  if (chromium === undefined || hasSignal()) return;
  const window = openBrowserWindow(chromium, dataDir, await newLink());
  windows.push(window);
  process.stdout.write('A browser window is opening. Chartkeeper stops when you close it.\n');
  const closedByUser = await window.closed;
  if (hasSignal()) return;
  if (closedByUser) await server.close();
  else log('The browser crashed. Chartkeeper is still running: open the link above, or stop it with Ctrl+C.');
}

/** Closes the server at the first signal. The returned function reports whether a signal came. */
function closeOnSignals(
  server: Pick<RunningServer, 'close'>,
  log: Attendance['log'],
  closeWindow: () => void,
): () => boolean {
  let hasSignal = false;
  const close = () => {
    if (hasSignal) return;
    hasSignal = true;
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
  return () => hasSignal;
}
