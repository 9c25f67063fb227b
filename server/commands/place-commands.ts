/** The commands that work in a data folder that is not being served, and in a store that servers share. */
import type { Command } from 'commander';
import { everything, offeredScopes } from '../../core/app/scopes.ts';
import { auditKeyOf, flagOption } from './command-options.ts';
import { placeOf } from './command-place.ts';
import type { RawFlags } from './read-flags.ts';
import type { CreateOptions } from './token-command.ts';

const places = 'of a data folder that is not being served, or of a store that servers share';

export function addToken(program: Command): void {
  const token = program.command('token').description(`make, list and revoke access tokens ${places}`);
  const create = token
    .command('create')
    .description('make a token; it is printed this once')
    .requiredOption('--name <NAME>', 'who will use it; stands in the history')
    .requiredOption(
      '--scope <SCOPE...>',
      `such as ${offeredScopes.at(-2)}, ${offeredScopes.at(-1)}, ${everything}`,
    )
    .option('--expires <SPAN>', 'how long it holds: 12h, 90d, 4w (default: until it is revoked)')
    .addOption(flagOption('--audit-key-file'))
    .action(async ({ name, scope, expires, ...raw }: CreateOptions & RawFlags) => {
      const { createToken } = await import('./token-command.ts');
      const options = { name, scope, ...(expires !== undefined && { expires }) };
      await createToken(placeOf(raw), options, await auditKeyOf(raw));
    });
  const list = token
    .command('list')
    .description('list the tokens')
    .action(async (raw: RawFlags) => {
      const { listTokens } = await import('./token-command.ts');
      await listTokens(placeOf(raw));
    });
  const revoke = token
    .command('revoke')
    .description('end a token at once; servers of a shared store refuse it within seconds')
    .argument('<id>', 'as `token list` shows it')
    .addOption(flagOption('--audit-key-file'))
    .action(async (id: string, raw: RawFlags) => {
      const { revokeToken } = await import('./token-command.ts');
      await revokeToken(placeOf(raw), id, await auditKeyOf(raw));
    });
  [create, list, revoke].forEach(addPlace);
}

export function addPackages(program: Command): void {
  const packages = program.command('packages').description(`add, list and remove FHIR packages ${places}`);
  const add = packages
    .command('add')
    .description('add packages, for their profiles; exit code 1 where one is refused')
    .argument('<file...>', 'as they are published (.tgz), or unpacked to a folder')
    .action(async (files: string[], raw: RawFlags) => {
      const { addPackages: take } = await import('./packages-command.ts');
      if (!(await take(placeOf(raw), files))) process.exitCode = 1;
    });
  const list = packages
    .command('list')
    .description('list them, with what each needs that is not there')
    .action(async (raw: RawFlags) => {
      const { listPackages } = await import('./packages-command.ts');
      await listPackages(placeOf(raw));
    });
  const remove = packages
    .command('remove')
    .description('remove one')
    .argument('<file>', 'as `packages list` shows it')
    .action(async (file: string, raw: RawFlags) => {
      const { removePackage } = await import('./packages-command.ts');
      await removePackage(placeOf(raw), file);
    });
  [add, list, remove].forEach(addPlace);
}

function addPlace(command: Command): void {
  command.addOption(flagOption('--data')).addOption(flagOption('--store'));
}
