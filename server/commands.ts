import { Command, Option } from 'commander';
import { resolve } from 'node:path';
import { everything, offeredScopes } from '../core/app/scopes.ts';
import { typeList } from '../core/fhir/resource.ts';
import { validationLevels, type ValidationLevel } from '../core/fhir/validation/levels.ts';
import { createToken, listTokens, revokeToken, type CreateOptions } from './token-command.ts';
import { runAudit } from './audit-command.ts';
import { runBackup, runRestore } from './backup-command.ts';
import { flagTable, readFlag, readFlags, type FlagRow, type RawFlags } from './flags.ts';
import { runImport } from './import-command.ts';
import { runReindex } from './reindex-command.ts';
import { serve } from './serve.ts';
import { appVersion } from './start.ts';
import { DataFolderError } from './store/data-folder-error.ts';
import { checkDriver } from './store/sqlite.ts';
import { runVerify } from './verify-command.ts';

/**
 * Runs one command. A fault that the user can mend ends in one sentence and exit code 1, a data folder that cannot be
 * used in a code that says why (server/store/data-folder-error.ts).
 */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  const program = new Command('chartkeeper')
    .description(`Find, read, mend and patch FHIR R4 ${typeList} records.`)
    .version(appVersion)
    // Before a file is looked at: what cannot be read for want of a driver is not damaged.
    .hook('preAction', () => void checkDriver());
  addServe(program);
  addImport(program);
  addBackup(program);
  addVerify(program);
  addReindex(program);
  addAudit(program);
  addToken(program);
  try {
    await program.parseAsync(argv);
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`);
    process.exitCode = error instanceof DataFolderError ? error.exitCode : 1;
  }
}

function addServe(program: Command): void {
  const command = program.command('serve').description('run the server and the page without a window');
  for (const row of flagTable) command.addOption(optionOf(row));
  command.action(async (raw: RawFlags) => {
    await serve(readFlags(raw, process.env));
  });
}

function addImport(program: Command): void {
  program
    .command('import')
    .description('store records from JSON files, NDJSON files, Bundles and folders')
    .argument('<path...>', 'files and folders')
    .addOption(dataOption())
    .option('--keep-ids', 'store each record under the id that it brings', false)
    .addOption(
      new Option('--level <level>', 'what is refused; off brings dirty records in, flagged, to be mended')
        .choices(validationLevels)
        .default('standard'),
    )
    .action(async (paths: string[], { keepIds, level, ...raw }: ImportFlags) => {
      const clean = await runImport({ paths, dataDir: dataDirOf(raw), keepIds, level });
      if (!clean) process.exitCode = 1;
    });
}

function addBackup(program: Command): void {
  program
    .command('backup')
    .description('write a backup of the records of a data folder that is not being served')
    .addOption(dataOption())
    .action((raw: RawFlags) => {
      runBackup(dataDirOf(raw));
    });
  program
    .command('restore')
    .description('put a backup in the place of the records, which are kept beside it')
    .argument('[file]', 'the backup (default: the newest in the data folder)')
    .addOption(dataOption())
    .action((file: string | undefined, raw: RawFlags) => {
      runRestore(dataDirOf(raw), file);
    });
}

function addVerify(program: Command): void {
  program
    .command('verify')
    .description('look for damage in a data folder that is not being served; exit code 1 where there is any')
    .addOption(dataOption())
    .action(async (raw: RawFlags) => {
      if (!(await runVerify(dataDirOf(raw)))) process.exitCode = 1;
    });
}

function addReindex(program: Command): void {
  program
    .command('reindex')
    .description('index and judge all records anew in a data folder that is not being served')
    .addOption(dataOption())
    .action(async (raw: RawFlags) => {
      if (!(await runReindex(dataDirOf(raw)))) process.exitCode = 1;
    });
}

function addAudit(program: Command): void {
  program
    .command('audit')
    .description('print the audit trail of a data folder that is not being served, as FHIR AuditEvents')
    .addOption(dataOption())
    .action((raw: RawFlags) => runAudit(dataDirOf(raw)));
}

interface ImportFlags {
  readonly data?: string;
  readonly keepIds: boolean;
  readonly level: ValidationLevel;
}

function addToken(program: Command): void {
  const token = program
    .command('token')
    .description('make, list and revoke access tokens of a data folder that is not being served');
  token
    .command('create')
    .description('make a token; it is printed this once')
    .requiredOption('--name <NAME>', 'who will use it; stands in the history')
    .requiredOption(
      '--scope <SCOPE...>',
      `such as ${offeredScopes.at(-2)}, ${offeredScopes.at(-1)}, ${everything}`,
    )
    .option('--expires <SPAN>', 'how long it holds: 12h, 90d, 4w (default: until it is revoked)')
    .addOption(dataOption())
    .action(({ data, ...options }: CreateOptions & { data?: string }) =>
      createToken(dataDirOf({ data }), options),
    );
  token
    .command('list')
    .description('list the tokens')
    .addOption(dataOption())
    .action((raw: RawFlags) => listTokens(dataDirOf(raw)));
  token
    .command('revoke')
    .description('end a token at once')
    .argument('<id>', 'as `token list` shows it')
    .addOption(dataOption())
    .action((id: string, raw: RawFlags) => revokeToken(dataDirOf(raw), id));
}

function optionOf({ name, argument, repeatable, text, variable, default: value }: FlagRow): Option {
  const term = argument === undefined ? name : `${name} <${argument}>`;
  const option = new Option(term, `${text} [${variable}; default: ${value}]`);
  // Without a parser of its own Commander keeps the last of several.
  return repeatable
    ? option.argParser((one: string, former: readonly string[] | undefined) => [...(former ?? []), one])
    : option;
}

function dataOption(): Option {
  const row = flagTable.find(({ name }) => name === '--data');
  if (!row) throw new TypeError('The table of flags names no data folder');
  return optionOf(row);
}

function dataDirOf({ data }: RawFlags): string {
  return resolve(readFlag('data', { data }, process.env));
}

function sentenceOf(error: unknown): string {
  if (error instanceof DataFolderError) return error.message;
  if (!(error instanceof Error)) return 'Chartkeeper stopped for a reason that it does not know.';
  if ('code' in error && error.code === 'EADDRINUSE') {
    return 'The port is in use by another program. Choose another with --port, or 0 for a free one.';
  }
  return error.message;
}
