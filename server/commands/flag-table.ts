import { variableOf } from './flag-values.ts';
import { flags } from './flags.ts';

/** A flag for --help and the documentation. */
export interface FlagRow {
  /** `--port` */
  readonly name: string;
  readonly argument?: string;
  /** Takes several values: a repeated flag, or commas in the variable. */
  readonly repeatable: boolean;
  readonly variable: string;
  /** In words. */
  readonly default: string;
  readonly text: string;
}

export const flagTable: readonly FlagRow[] = Object.values(flags).map((flag) => ({
  name: `--${flag.name}`,
  ...(flag.argument !== undefined && { argument: flag.argument }),
  repeatable: flag.repeatable === true,
  variable: variableOf(flag),
  default: flag.unset ?? (flag.repeatable === true ? 'none' : String(flag.initial)),
  text: flag.text,
}));
