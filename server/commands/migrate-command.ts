/** `chartkeeper migrate`: makes the tables of a shared store, or brings them to this program's form. */
import type { Command } from 'commander';

export function addMigrate(program: Command): void {
  program
    .command('migrate')
    .description('make the tables of a store that servers share, or bring them to the form of this program')
    .requiredOption(
      '--store <address>',
      'as the role that owns the tables, postgres://USER@HOST:PORT/DATABASE',
    )
    .requiredOption(
      '--server-role <name>',
      'the role that servers have: it gets the rights they need, and no more',
    )
    .action(async ({ store, serverRole }: { readonly store: string; readonly serverRole: string }) => {
      const { migrate } = await import('../store/postgres/migrate.ts');
      await migrate(store, serverRole);
      process.stdout.write(`The store is ready for servers with the role ${serverRole}.\n`);
    });
}
