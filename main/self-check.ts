/**
 * `--self-check`: starts the program on an empty folder, opens its window, prints the results, and ends. It
 * is for packagers and installers. Used by main.ts and shell.ts. Invariants: it does not touch data of the
 * user. It exits with 0 if all checks passed, otherwise with 1.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { release, tmpdir } from 'node:os';
import { join } from 'node:path';
import { app } from 'electron';
import type { StoreReport } from '../core/app/server-messages.ts';
import type { PageProcess } from '../core/app/shell.ts';
import type { Clock } from './clock.ts';
import { fuseNames, listWrongFuses } from './fuses.ts';
import { text } from './text.ts';

/** Longer than a server may take to start. */
const TIMEOUT_MS = 120_000;

/**
 * Redirects all files to an empty folder and returns it. Returns undefined without `--self-check`. Must be
 * called before anything is written.
 */
export function setupSelfCheck(): string | undefined {
  if (!process.argv.includes('--self-check')) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-self-check-'));
  app.setPath('userData', folder);
  app.setAppLogsPath(join(folder, 'logs'));
  return folder;
}

export interface SelfCheckParts {
  readonly clock: Clock;
  /** Path of the program with the fuses. */
  readonly program: string;
  readonly checkStore: () => Promise<StoreReport>;
  readonly stopServer: () => Promise<void>;
  /** Empty folder of this run. */
  readonly folder: string;
}

/** Result of one check, with a message. */
interface Finding {
  readonly name: string;
  readonly right: boolean;
  readonly message: string;
}

/** Waits for the page, or for the reason why it does not come, then runs all checks once. */
export function createSelfCheck(parts: SelfCheckParts) {
  const { clock, checkStore, program, stopServer, folder } = parts;
  let hasStarted = false;

  async function report(runChecks: () => Promise<readonly Finding[]>): Promise<void> {
    if (hasStarted) return;
    hasStarted = true;
    cancel();
    const findings = [describeVersions(), ...(await runChecks())];
    for (const { name, right, message } of findings)
      process.stdout.write(`${right ? 'ok    ' : 'failed'}  ${name.padEnd(8)}  ${message}\n`);
    await stopServer();
    try {
      rmSync(folder, { recursive: true, maxRetries: 5 });
    } catch {
      // Chromium may use a file of it until it ends.
    }
    app.exit(findings.every(({ right }) => right) ? 0 : 1);
  }
  const fail = (message: string) =>
    void report(() => Promise.resolve([{ name: 'window', right: false, message }]));
  const cancel = clock.after(TIMEOUT_MS, () => fail(text.selfCheck.noPage(TIMEOUT_MS / 1000)));

  return {
    /** The server or the page does not start. */
    fail,
    page(page: PageProcess): void {
      void report(async () => [
        { name: 'window', right: true, message: text.selfCheck.window },
        checkSandbox(page),
        await checkFuses(program),
        await checkStoredRecord(checkStore),
      ]);
    },
  };
}

function describeVersions(): Finding {
  const { electron, chrome, node } = process.versions;
  const system = `${process.platform} ${process.arch} ${release()}`;
  const message = `Chartkeeper ${app.getVersion()}, Electron ${electron}, Chromium ${chrome}, Node ${node}, ${system}`;
  return { name: 'versions', right: true, message };
}

function checkSandbox({ sandboxed, isolated }: PageProcess): Finding {
  const problems = [
    ...(sandboxed ? [] : [text.selfCheck.notSandboxed]),
    ...(isolated ? [] : [text.selfCheck.notIsolated]),
    ...(process.argv.includes('--no-sandbox') ? [text.selfCheck.switchedOff] : []),
  ];
  return {
    name: 'sandbox',
    right: problems.length === 0,
    message: problems.join(' ') || text.selfCheck.sandboxed,
  };
}

async function checkFuses(program: string): Promise<Finding> {
  const wrongNames = await listWrongFuses(program).catch(() => undefined);
  const message =
    wrongNames === undefined
      ? text.selfCheck.noFuses
      : wrongNames.length > 0
        ? text.selfCheck.wrongFuses(wrongNames)
        : text.selfCheck.fuses(fuseNames.length);
  return { name: 'fuses', right: wrongNames?.length === 0, message };
}

async function checkStoredRecord(checkStore: SelfCheckParts['checkStore']): Promise<Finding> {
  const { sound: isIntact, found: message } = await checkStore();
  return { name: 'store', right: isIntact, message };
}
