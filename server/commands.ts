import { Command, InvalidArgumentError } from 'commander';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { runImport } from './import/run-import.ts';
import { serve } from './serve.ts';
import { appVersion } from './start.ts';
import { DataFolderError } from './store/sqlite.ts';

/** Where records live when no folder is named: the system's own place for a program's data. */
export function defaultDataDir(
  platform: string = process.platform,
  env: NodeJS.ProcessEnv = process.env,
): string {
  if (platform === 'win32') return join(env.APPDATA ?? homedir(), 'Chartkeeper');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Chartkeeper');
  return join(env.XDG_DATA_HOME ?? join(homedir(), '.local', 'share'), 'chartkeeper');
}

const dataOption = ['--data <dir>', 'folder of records.db and workspace.db', defaultDataDir()] as const;

/** Runs one command; a fault that the user can mend ends in one sentence and exit code 1. */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  const program = new Command('chartkeeper')
    .description('Find, read, mend and patch FHIR R4 CarePlan and Composition records.')
    .version(appVersion);

  program
    .command('serve')
    .description('run the server and the page without a window')
    .option('--port <number>', 'port on 127.0.0.1; 0 picks a free one', portOf, 4180)
    .option(...dataOption)
    .option('--token-file <file>', 'file that holds the token with every scope; made where it does not exist')
    .option('--demo', 'load the demo clinic first', false)
    .option('--seed <number>', 'seed of the demo clinic', wholeNumber, 1)
    .action(async (options: ServeFlags) => {
      await serve({ ...options, dataDir: resolve(options.data) });
    });

  program
    .command('import')
    .description('store records from JSON files, NDJSON files, Bundles and folders')
    .argument('<path...>', 'files and folders')
    .option(...dataOption)
    .option('--keep-ids', 'store each record under the id that it brings', false)
    .action(async (paths: string[], options: { data: string; keepIds: boolean }) => {
      const clean = await runImport({ paths, dataDir: resolve(options.data), keepIds: options.keepIds });
      if (!clean) process.exitCode = 1;
    });

  try {
    await program.parseAsync(argv);
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`);
    process.exitCode = 1;
  }
}

interface ServeFlags {
  readonly port: number;
  readonly data: string;
  readonly tokenFile?: string;
  readonly demo: boolean;
  readonly seed: number;
}

function portOf(text: string): number {
  const port = wholeNumber(text);
  if (port > 65535) throw new InvalidArgumentError('A port is at most 65535.');
  return port;
}

function wholeNumber(text: string): number {
  if (!/^[0-9]{1,9}$/.test(text)) throw new InvalidArgumentError('A whole number is expected.');
  return Number(text);
}

function sentenceOf(error: unknown): string {
  if (error instanceof DataFolderError) return error.message;
  if (!(error instanceof Error)) return 'Chartkeeper stopped for a reason that it does not know.';
  if ('code' in error && error.code === 'EADDRINUSE') {
    return 'The port is in use by another program. Choose another with --port, or 0 for a free one.';
  }
  return error.message;
}
