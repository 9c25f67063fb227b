/**
 * `--self-check`: the program starts on an empty folder of its own, opens its window, tells what it found, and ends. For whoever
 * packs or installs it. Called by main.ts and shell.ts. What it keeps: it touches nothing of the user's, and ends with 0
 * where all was found to be right, else with 1.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { release, tmpdir } from 'node:os';
import { join } from 'node:path';
import { app } from 'electron';
import type { StoreReport } from '../core/app/server-messages.ts';
import type { PageProcess } from '../core/app/shell.ts';
import type { Clock } from './clock.ts';
import { fuseNames, wrongFuses } from './fuses.ts';
import { text } from './text.ts';

/** Longer than a server may take to start. */
const PATIENCE_MS = 120_000;

/** Sends what is written to an empty folder; undefined where no self-check is asked for. Call it before anything is. */
export function setupSelfCheck(): string | undefined {
  if (!process.argv.includes('--self-check')) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-self-check-'));
  app.setPath('userData', folder);
  app.setAppLogsPath(join(folder, 'logs'));
  return folder;
}

export interface SelfCheckParts {
  readonly clock: Clock;
  /** Path of the program, whose fuses are read. */
  readonly program: string;
  readonly checkStore: () => Promise<StoreReport>;
  readonly stopServer: () => Promise<void>;
  /** Empty folder of this run. */
  readonly folder: string;
}

/** What is wrong; undefined where nothing is, and `found` says what was seen. */
interface Finding {
  readonly name: string;
  readonly right: boolean;
  readonly found: string;
}

/** Waits for the page, or for what keeps it away, then looks at all parts once. */
export function createSelfCheck(parts: SelfCheckParts) {
  const { clock, checkStore, program, stopServer, folder } = parts;
  let begun = false;

  async function tell(look: () => Promise<readonly Finding[]>): Promise<void> {
    if (begun) return;
    begun = true;
    cancel();
    const findings = [versions(), ...(await look())];
    for (const { name, right, found } of findings)
      process.stdout.write(`${right ? 'ok    ' : 'failed'}  ${name.padEnd(8)}  ${found}\n`);
    await stopServer();
    try {
      rmSync(folder, { recursive: true, maxRetries: 5 });
    } catch {
      // Chromium may hold a file of it until it ends.
    }
    app.exit(findings.every(({ right }) => right) ? 0 : 1);
  }
  const failed = (found: string) =>
    void tell(() => Promise.resolve([{ name: 'window', right: false, found }]));
  const cancel = clock.after(PATIENCE_MS, () => failed(text.selfCheck.noPage(PATIENCE_MS / 1000)));

  return {
    /** The server or the page does not come. */
    failed,
    /** The page stands. */
    page(page: PageProcess): void {
      void tell(async () => [
        { name: 'window', right: true, found: text.selfCheck.window },
        sandbox(page),
        await fusesOf(program),
        await storeOf(checkStore),
      ]);
    },
  };
}

function versions(): Finding {
  const { electron, chrome, node } = process.versions;
  const system = `${process.platform} ${process.arch} ${release()}`;
  const found = `Chartkeeper ${app.getVersion()}, Electron ${electron}, Chromium ${chrome}, Node ${node}, ${system}`;
  return { name: 'versions', right: true, found };
}

function sandbox({ sandboxed, isolated }: PageProcess): Finding {
  const wrong = [
    ...(sandboxed ? [] : [text.selfCheck.notSandboxed]),
    ...(isolated ? [] : [text.selfCheck.notIsolated]),
    ...(process.argv.includes('--no-sandbox') ? [text.selfCheck.switchedOff] : []),
  ];
  return { name: 'sandbox', right: wrong.length === 0, found: wrong.join(' ') || text.selfCheck.sandboxed };
}

async function fusesOf(program: string): Promise<Finding> {
  const wrong = await wrongFuses(program).catch(() => undefined);
  const found =
    wrong === undefined
      ? text.selfCheck.noFuses
      : wrong.length > 0
        ? text.selfCheck.wrongFuses(wrong)
        : text.selfCheck.fuses(fuseNames.length);
  return { name: 'fuses', right: wrong?.length === 0, found };
}

async function storeOf(checkStore: SelfCheckParts['checkStore']): Promise<Finding> {
  const { sound, found } = await checkStore();
  return { name: 'store', right: sound, found };
}
