/** Flags that several commands share, from the flag table. */
import { Option } from 'commander';
import { resolve } from 'node:path';
import { auditKeyIn } from '../audit-key.ts';
import { readFlag, type RawFlags } from './read-flags.ts';
import type { SealKey } from '../store/audit-chain.ts';
import { flagTable, type FlagRow } from './flags.ts';

export function optionOf({ name, argument, repeatable, text, variable, default: value }: FlagRow): Option {
  const term = argument === undefined ? name : `${name} <${argument}>`;
  const option = new Option(term, `${text} [${variable}; default: ${value}]`);
  // Without a parser, Commander keeps only the last value.
  return repeatable
    ? option.argParser((value: string, previousValues: readonly string[] | undefined) => [
        ...(previousValues ?? []),
        value,
      ])
    : option;
}

/** Returns a flag of `serve` as an option of another command. */
export function flagOption(flag: string): Option {
  const row = flagTable.find(({ name }) => name === flag);
  if (!row) throw new TypeError(`The table of flags has no ${flag}`);
  return optionOf(row);
}

export function dataDirOf({ data }: RawFlags): string {
  return resolve(readFlag('data', { data }, process.env));
}

export function auditKeyOf({ auditKeyFile }: RawFlags): Promise<SealKey | undefined> {
  return auditKeyIn(readFlag('auditKeyFile', { auditKeyFile }, process.env));
}
