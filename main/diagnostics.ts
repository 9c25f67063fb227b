/*
 * The diagnostics for support: versions, settings, sizes, and log lines of known forms. Anything that might
 * contain a text of a record, a name, an address or a token is omitted, not masked.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { release } from 'node:os';
import { join } from 'node:path';
import { app, dialog, type BrowserWindow } from 'electron';
import { writeAtomically } from './atomic-file.ts';
import type { ShellState } from './shell-state.ts';
import { text } from './text.ts';

const MAX_LINES = 2_000;

/** Forms of exported lines. The groups are the exported parts. */
const FORMS: readonly RegExp[] = [
  /^(server ready on port \d+)$/,
  /^(server exited with code -?\d+)$/,
  /^(server not started): /,
  /^(server fault: \w+ at [\w./:-]{1,80})$/,
  /^(server: request [0-9a-f-]{36} failed: [A-Za-z]{1,60}(?: [A-Z0-9_]{1,60})?)$/,
  /^(server: {4,}at (?:async )?[\w$.<>[\] ]{1,80}) \(.*[/\\]([\w.-]+\.[jt]s:\d+:\d+)\)$/,
  /^(server: {4,}at) .*[/\\]([\w.-]+\.[jt]s:\d+:\d+)$/,
  /^(ipc refused: [a-z ]{1,30})$/,
  /^(page gone: [a-z-]{1,30})$/,
  /^(locked|unlocked)$/,
  /^(secrets: [a-z ,]{1,60})$/,
  /^(window state: not written)$/,
  /^(external link: the system could not open it)$/,
];

const TIME = /^(\d{4}-\d\d-\d\dT[\d:.]{8,12}Z) /;

/** Returns the exportable part of a log line, or undefined for an unknown form. */
export function isReportable(line: string): string | undefined {
  const time = TIME.exec(line)?.[1];
  if (time === undefined) return undefined;
  const message = line.slice(time.length + 1);
  for (const form of FORMS) {
    const groups = form.exec(message)?.slice(1);
    if (groups) return [time, ...groups.filter(Boolean)].join(' ');
  }
  return undefined;
}

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

/** Only the names of the databases. Any other file name may contain a personal name. */
const DATABASE = /^(?:records|workspace)\.db(?:-wal|-shm)?$/;

function readSizes(folder: string): Readonly<Record<string, number>> {
  try {
    const names = readdirSync(folder).filter((name) => DATABASE.test(name));
    return Object.fromEntries(names.map((name) => [name, statSync(join(folder, name)).size]));
  } catch {
    return {};
  }
}

/** Collects the diagnostics of this machine. */
export function gather(parts: {
  readonly log: string;
  readonly dataDir: string;
  readonly state: ShellState;
  readonly secrets: string;
}) {
  const { maximized, zoom, lockMinutes, connections } = parts.state;
  const { electron, chrome, node, v8 } = process.versions;
  const lines = [...readLines(`${parts.log}.1`), ...readLines(parts.log)];
  const reportedLines = lines.map(isReportable).filter((line) => line !== undefined);
  return {
    made: new Date().toISOString(),
    versions: {
      chartkeeper: app.getVersion(),
      electron,
      chrome,
      node,
      v8,
      system: `${process.platform} ${process.arch} ${release()}`,
    },
    settings: { maximized, zoom, lockMinutes, secrets: parts.secrets, connections: connections.length },
    data: readSizes(parts.dataDir),
    log: reportedLines.slice(-MAX_LINES),
    logLinesLeftOut: lines.length - reportedLines.length,
  };
}

/** Asks for a path and writes the diagnostics there, readable only by their owner. */
export async function exportDiagnostics(window: BrowserWindow, facts: () => object): Promise<void> {
  const { canceled, filePath } = await dialog.showSaveDialog(window, {
    title: text.menu.diagnostics,
    defaultPath: `chartkeeper-diagnostics-${new Date().toISOString().slice(0, 10)}.json`,
    filters: [{ name: 'JSON', extensions: ['json'] }],
  });
  if (canceled || filePath === '') return;
  try {
    writeAtomically(filePath, `${JSON.stringify(facts(), null, 2)}\n`);
  } catch {
    await dialog.showMessageBox(window, {
      type: 'error',
      title: text.name,
      message: text.notWritten,
      buttons: [text.close],
    });
  }
}
