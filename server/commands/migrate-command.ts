/** `chartkeeper migrate`: creates or updates the tables of a shared store. */
import type { Command } from 'commander';
import { loadShared } from '../shared-edition.ts';

export function addMigrate(program: Command): void {
  program
    .command('migrate')
    .description('create or update the tables of a shared store')
    .requiredOption(
      '--store <address>',
      'as the role that owns the tables: postgres://USER@HOST:PORT/DATABASE',
    )
    .requiredOption('--server-role <name>', 'the servers’ role; it gets only the rights it needs')
    .action(async ({ store, serverRole }: { readonly store: string; readonly serverRole: string }) => {
      const { migrate } = await loadShared(import('../shared/postgres/migrate.ts'));
      await migrate(store, serverRole);
      process.stdout.write(`The store is ready for servers with the role ${serverRole}.\n`);
    });
}
