import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { commandLine } from './commands.ts';

interface Described {
  readonly name: string;
  readonly description: string;
}

/** A command with its arguments, its options and the commands below it. */
function partsOf(command: Command, above = ''): readonly Described[] {
  const name = `${above}${command.name()}`;
  const given = [
    ...command.registeredArguments.map((one) => ({ name: one.name(), description: one.description })),
    ...command.options.map(({ long, description }) => ({ name: String(long), description })),
  ];
  return [
    { name, description: command.description() },
    ...given.map((one) => ({ ...one, name: `${name} ${one.name}` })),
    ...command.commands.flatMap((below) => partsOf(below, `${name} `)),
  ];
}

test.each(partsOf(commandLine()))('the help has words for `$name`', ({ description }) => {
  expect(description.trim()).not.toBe('');
});
