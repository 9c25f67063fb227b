/** Defines the command line. Each command imports its modules when it runs, because most need little of the server. */
import { Command, Option } from 'commander';
import { resolve } from 'node:path';
import { typeList } from '../../core/fhir/resource.ts';
import { validationLevels } from '../../core/fhir/validation/levels.ts';
import { auditKeyOf, dataDirOf, flagOption, optionOf } from './command-options.ts';
import { readFlag, readFlags, type RawFlags } from './read-flags.ts';
import { addMigrate } from './migrate-command.ts';
import { addMove } from './move-command.ts';
import { addPackages, addToken } from './place-commands.ts';
import type { RunImportOptions } from './import-command.ts';
import type { RepairOptions } from './repair-command.ts';
import { appVersion } from '../app-version.ts';
import { DataFolderError } from '../sqlite/data-folder-error.ts';
import { toStoreError } from '../sqlite/driver-errors.ts';
import { checkDriver } from '../sqlite/sqlite.ts';
import { saysFull } from '../store/store-error.ts';
import { TokenFileError } from './token-file.ts';
import { flagTable } from './flags.ts';

/**
 * Runs one command. Errors that the user can resolve print one sentence and set exit code 1. An unusable data folder or
 * token file sets its own code (server/sqlite/data-folder-error.ts, server/commands/token-file.ts).
 */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  try {
    await commandLine().parseAsync(withCommand(argv));
  } catch (error) {
    process.stderr.write(`${formatFailure(error)}\n`);
    const hasExitCode = error instanceof DataFolderError || error instanceof TokenFileError;
    process.exitCode = hasExitCode ? error.exitCode : 1;
  }
}

/** Returns all commands with their options. */
export function commandLine(): Command {
  const program = new Command('chartkeeper')
    .description(`Find, read, edit and patch FHIR R4 ${typeList} records.`)
    .version(appVersion)
    // Checked before any file, so that a missing driver is not reported as damage.
    .hook('preAction', () => void checkDriver());
  addServe(program);
  addMigrate(program);
  addMove(program);
  addLink(program);
  addImport(program);
  addBatches(program);
  addBackup(program);
  addVerify(program);
  addRepair(program);
  addReindex(program);
  addErase(program);
  addAudit(program);
  addToken(program);
  addSettings(program);
  addPackages(program);
  return program;
}

type ImportFlags = Pick<RunImportOptions, 'keepIds' | 'level'>;

/** Expands `chartkeeper --browser` to `chartkeeper serve --browser`. */
function withCommand([node = '', entry = '', ...parameters]: readonly string[]): readonly string[] {
  return [node, entry, ...(parameters[0] === '--browser' ? ['serve'] : []), ...parameters];
}

function addServe(program: Command): void {
  const command = program.command('serve').description('run the server and its page without a window');
  for (const row of flagTable) command.addOption(optionOf(row));
  command.action(async (raw: RawFlags) => {
    const { serve } = await import('../serve.ts');
    await serve(readFlags(raw, process.env));
  });
}

function addLink(program: Command): void {
  program
    .command('link')
    .description('print a sign-in link that works once; the server of the data folder may be running')
    .addOption(flagOption('--data'))
    .addOption(flagOption('--store'))
    .addOption(flagOption('--port'))
    .action(async (raw: RawFlags) => {
      const defaultOrigin = `http://127.0.0.1:${readFlag('port', raw, process.env)}`;
      const { runLink } = await import('./link-command.ts');
      await runLink({
        dataDir: dataDirOf(raw),
        address: readFlag('store', raw, process.env),
        usual: defaultOrigin,
      });
    });
}

function addImport(program: Command): void {
  program
    .command('import')
    .description('import records from JSON files, NDJSON files, Bundles and folders')
    .argument('<path...>', 'files and folders')
    .addOption(flagOption('--data'))
    .addOption(flagOption('--audit-key-file'))
    .option('--keep-ids', 'keep each record’s own ID', false)
    .addOption(
      new Option('--level <level>', 'validation level; off imports invalid records too, flagged')
        .choices(validationLevels)
        .default('standard'),
    )
    .action(async (paths: string[], { keepIds, level, ...raw }: RawFlags & ImportFlags) => {
      const { runImport } = await import('./import-command.ts');
      const isClean = await runImport({
        paths,
        dataDir: dataDirOf(raw),
        keepIds,
        level,
        auditKey: await auditKeyOf(raw),
      });
      if (!isClean) process.exitCode = 1;
    });
}

interface UndoFlags {
  readonly reason?: string;
  readonly dryRun?: boolean;
}

function addBatches(program: Command): void {
  const batches = program
    .command('batches')
    .description('list and undo the imports of a data folder (server must be stopped)');
  batches
    .command('list')
    .description('list the imports, newest first')
    .addOption(flagOption('--data'))
    .addOption(flagOption('--audit-key-file'))
    .action(async (raw: RawFlags) => {
      const { listBatches } = await import('./batches-command.ts');
      await listBatches(dataDirOf(raw), await auditKeyOf(raw));
    });
  batches
    .command('undo')
    .description('remove the new records of an import; records that changed since stay')
    .argument('<id>', 'as shown by `batches list`')
    .option('--dry-run', 'print what would happen, and change nothing')
    .option('--reason <TEXT>', 'why, for the history')
    .addOption(flagOption('--data'))
    .addOption(flagOption('--audit-key-file'))
    .action(async (id: string, { reason, dryRun = false, ...raw }: RawFlags & UndoFlags) => {
      const { runUndoBatch } = await import('./batches-command.ts');
      await runUndoBatch(dataDirOf(raw), { id, reason, dryRun, auditKey: await auditKeyOf(raw) });
    });
}

function addBackup(program: Command): void {
  program
    .command('backup')
    .description('back up the records of a data folder (server must be stopped)')
    .addOption(flagOption('--data'))
    .addOption(flagOption('--second-backups'))
    .addOption(flagOption('--audit-key-file'))
    .action(async (raw: RawFlags) => {
      const { runBackup } = await import('./backup-command.ts');
      await runBackup(dataDirOf(raw), readFlag('secondBackups', raw, process.env), await auditKeyOf(raw));
    });
  program
    .command('restore')
    .description('restore a backup; the replaced records are kept')
    .argument('[backup]', 'its name in the list, or a file (default: the newest in the data folder)')
    .addOption(flagOption('--data'))
    .addOption(flagOption('--audit-key-file'))
    .action(async (backup: string | undefined, raw: RawFlags) => {
      const { runRestore } = await import('./backup-command.ts');
      await runRestore(dataDirOf(raw), backup, await auditKeyOf(raw));
    });
}

function addVerify(program: Command): void {
  program
    .command('verify')
    .description('check a data folder for damage (server must be stopped); exit code 1 if there is any')
    .addOption(flagOption('--data'))
    .addOption(flagOption('--audit-key-file'))
    .action(async (raw: RawFlags) => {
      const { runVerify } = await import('./verify-command.ts');
      if (!(await runVerify(dataDirOf(raw), await auditKeyOf(raw)))) process.exitCode = 1;
    });
}

function addRepair(program: Command): void {
  program
    .command('repair')
    .description(
      'list damaged records of a data folder (server must be stopped) and repair them from the newest intact backup; exit code 1 if any remain',
    )
    .addOption(flagOption('--data'))
    .option(
      '--from <FILE>',
      'take intact versions from this backup, or from this file of records (JSON or NDJSON)',
    )
    .option('--write', 'repair them; without it nothing is changed', false)
    .addOption(flagOption('--audit-key-file'))
    .action(async ({ from, write, ...raw }: RepairOptions & RawFlags) => {
      const options = { write, ...(from !== undefined && { from }) };
      const { runRepair } = await import('./repair-command.ts');
      if (!(await runRepair(dataDirOf(raw), options, await auditKeyOf(raw)))) process.exitCode = 1;
    });
}

function addReindex(program: Command): void {
  program
    .command('reindex')
    .description('re-index and re-check all records of a data folder (server must be stopped)')
    .addOption(flagOption('--data'))
    .action(async (raw: RawFlags) => {
      const { runReindex } = await import('./reindex-command.ts');
      if (!(await runReindex(dataDirOf(raw)))) process.exitCode = 1;
    });
}

interface EraseFlags {
  readonly reason: string;
  readonly source?: string;
}

function addErase(program: Command): void {
  program
    .command('erase')
    .description('permanently erase a record with all versions from a data folder (server must be stopped)')
    .argument('<record>', 'TYPE/ID')
    .requiredOption('--reason <WHY>', 'why; stays in the audit log')
    .option('--source <ADDRESS>', 'base of its fullUrl, if several sources have a resource of this name')
    .addOption(flagOption('--data'))
    .addOption(flagOption('--audit-key-file'))
    .action(async (record: string, { reason, source, ...raw }: RawFlags & EraseFlags) => {
      const { runErase } = await import('./erase-command.ts');
      await runErase(dataDirOf(raw), { name: record, reason, source }, await auditKeyOf(raw));
    });
}

function addAudit(program: Command): void {
  program
    .command('audit')
    .description('print the audit log of a data folder (server must be stopped) as FHIR AuditEvents')
    .addOption(flagOption('--data'))
    .action(async (raw: RawFlags) => {
      const { runAudit } = await import('./audit-command.ts');
      await runAudit(dataDirOf(raw));
    });
}

function addSettings(program: Command): void {
  const settings = program
    .command('settings')
    .description(
      'export or import the connections (without secrets), searches, columns and settings of a data folder (server must be stopped)',
    );
  settings
    .command('export')
    .description(
      'export them; files of an earlier export that are no longer needed are deleted; exit code 1 if a link is in the way',
    )
    .argument('<folder>', 'can be under version control')
    .addOption(flagOption('--data'))
    .action(async (folder: string, raw: RawFlags) => {
      const { exportSettings } = await import('./settings-command.ts');
      if (!(await exportSettings(dataDirOf(raw), resolve(folder)))) process.exitCode = 1;
    });
  settings
    .command('import')
    .description('import valid files and report each; exit code 1 if any is refused')
    .argument('<folder>', 'as written by `settings export`')
    .option('--dry-run', 'report what would be done without changing anything', false)
    .addOption(flagOption('--data'))
    .action(async (folder: string, { dryRun, ...raw }: RawFlags & { readonly dryRun: boolean }) => {
      const { importSettings } = await import('./settings-command.ts');
      if (!(await importSettings(dataDirOf(raw), resolve(folder), dryRun))) process.exitCode = 1;
    });
}

function formatFailure(error: unknown): string {
  if (error instanceof DataFolderError) return error.message;
  if (!(error instanceof Error)) return 'Chartkeeper stopped because of an unknown error.';
  if (saysFull(toStoreError(error))) {
    return 'The disk is full and nothing was stored. Free up space, then try again.';
  }
  if ('code' in error && error.code === 'EADDRINUSE') {
    return 'The port is in use by another program. Choose another with --port, or 0 for any free one.';
  }
  return error.message;
}
