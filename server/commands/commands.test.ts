import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { commandLine } from './commands.ts';

interface HelpEntry {
  readonly name: string;
  readonly description: string;
}

/** Lists a command with its arguments, options and subcommands. */
function listHelpEntries(command: Command, prefix = ''): readonly HelpEntry[] {
  const name = `${prefix}${command.name()}`;
  const parameters = [
    ...command.registeredArguments.map((argument) => ({
      name: argument.name(),
      description: argument.description,
    })),
    ...command.options.map(({ long, description }) => ({ name: String(long), description })),
  ];
  return [
    { name, description: command.description() },
    ...parameters.map((entry) => ({ ...entry, name: `${name} ${entry.name}` })),
    ...command.commands.flatMap((subcommand) => listHelpEntries(subcommand, `${name} `)),
  ];
}

test.each(listHelpEntries(commandLine()))('describes `$name` in the help', ({ description }) => {
  expect(description.trim()).not.toBe('');
});
