import { FlagError, environmentVariableOf } from './flag-values.ts';
import { flags, type Flag, type FlagDescription, type ServeFlags } from './flags.ts';

/** Options of the command line by camelCase name: a text, several texts, or true for a switch. */
export type RawFlags = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/**
 * Reads the flags of `serve` from command line, environment and defaults.
 *
 * @throws FlagError that names the flag or variable.
 */
export function readFlags(raw: RawFlags, env: NodeJS.ProcessEnv): ServeFlags {
  const keys = Object.keys(flags) as (keyof ServeFlags)[];
  return Object.fromEntries(keys.map((key) => [key, readFlag(key, raw, env)])) as unknown as ServeFlags;
}

/**
 * Reads one flag of `serve`.
 *
 * @throws FlagError that names the flag or variable.
 */
export function readFlag<Key extends keyof ServeFlags>(
  key: Key,
  raw: RawFlags,
  env: NodeJS.ProcessEnv,
): ServeFlags[Key] {
  const flag: Flag<ServeFlags[Key]> = flags[key];
  const { source, texts } = findTexts(flag, raw, env);
  try {
    return texts.length === 0 ? flag.defaultValue : flag.parse(texts);
  } catch (error) {
    throw error instanceof FlagError ? new FlagError(`${source}: ${error.message}`) : error;
  }
}

/** The command line has precedence. An empty variable counts as unset. */
function findTexts(flag: FlagDescription, raw: RawFlags, env: NodeJS.ProcessEnv) {
  const flagValue = raw[flag.name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())];
  if (flagValue !== undefined) return { source: `--${flag.name}`, texts: [flagValue].flat().map(String) };
  const variable = environmentVariableOf(flag);
  const variableText = env[variable] ?? '';
  const parts = flag.repeatable ? variableText.split(',').map((part) => part.trim()) : [variableText];
  return { source: variable, texts: parts.filter((part) => part !== '') };
}
