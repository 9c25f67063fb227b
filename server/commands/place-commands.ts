/** Defines commands for a data folder that no server uses or for a shared store. */
import type { Command } from 'commander';
import { fullScope, supportedScopes } from '../../core/app/scopes.ts';
import { auditKeyOf, flagOption } from './command-options.ts';
import { resolveTarget } from './command-place.ts';
import type { RawFlags } from './read-flags.ts';
import type { CreateOptions } from './token-command.ts';

const places = 'of a data folder (server must be stopped), or of a shared store';

export function addToken(program: Command): void {
  const token = program.command('token').description(`create, list and revoke access tokens ${places}`);
  const create = token
    .command('create')
    .description('create a token; it is printed only once')
    .requiredOption('--name <NAME>', 'who will use it; shown in the history')
    .requiredOption(
      '--scope <SCOPE...>',
      `such as ${supportedScopes.at(-2)}, ${supportedScopes.at(-1)}, ${fullScope}`,
    )
    .option('--expires <SPAN>', 'how long it is valid: 12h, 90d, 4w (default: until revoked)')
    .addOption(flagOption('--audit-key-file'))
    .action(async ({ name, scope, expires, ...raw }: CreateOptions & RawFlags) => {
      const { createToken } = await import('./token-command.ts');
      const options = { name, scope, ...(expires !== undefined && { expires }) };
      await createToken(resolveTarget(raw), options, await auditKeyOf(raw));
    });
  const list = token
    .command('list')
    .description('list the tokens')
    .action(async (raw: RawFlags) => {
      const { listTokens } = await import('./token-command.ts');
      await listTokens(resolveTarget(raw));
    });
  const revoke = token
    .command('revoke')
    .description('revoke a token immediately; servers of a shared store refuse it within seconds')
    .argument('<id>', 'as shown by `token list`')
    .addOption(flagOption('--audit-key-file'))
    .action(async (id: string, raw: RawFlags) => {
      const { revokeToken } = await import('./token-command.ts');
      await revokeToken(resolveTarget(raw), id, await auditKeyOf(raw));
    });
  [create, list, revoke].forEach(addTargetFlags);
}

export function addPackages(program: Command): void {
  const packages = program.command('packages').description(`add, list and remove FHIR packages ${places}`);
  const add = packages
    .command('add')
    .description('add packages for their profiles; exit code 1 if one is refused')
    .argument('<file...>', 'as published (.tgz), or unpacked in a folder')
    .action(async (files: string[], raw: RawFlags) => {
      const { addPackages: runAddPackages } = await import('./packages-command.ts');
      if (!(await runAddPackages(resolveTarget(raw), files))) process.exitCode = 1;
    });
  const list = packages
    .command('list')
    .description('list them with missing dependencies')
    .action(async (raw: RawFlags) => {
      const { listPackages } = await import('./packages-command.ts');
      await listPackages(resolveTarget(raw));
    });
  const remove = packages
    .command('remove')
    .description('remove one')
    .argument('<file>', 'as shown by `packages list`')
    .action(async (file: string, raw: RawFlags) => {
      const { removePackage } = await import('./packages-command.ts');
      await removePackage(resolveTarget(raw), file);
    });
  [add, list, remove].forEach(addTargetFlags);
}

function addTargetFlags(command: Command): void {
  command.addOption(flagOption('--data')).addOption(flagOption('--store'));
}
