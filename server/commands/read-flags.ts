import { FlagError, variableOf } from './flag-values.ts';
import { flags, type Flag, type FlagBasis, type ServeFlags } from './flags.ts';

/** What the command line found, by property: text, texts, or true for a switch. */
export type RawFlags = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/**
 * The flags of `serve`, from what stands on the command line, in the environment, and in the table.
 *
 * @throws FlagError with a sentence that names the flag or variable.
 */
export function readFlags(raw: RawFlags, env: NodeJS.ProcessEnv): ServeFlags {
  const keys = Object.keys(flags) as (keyof ServeFlags)[];
  return Object.fromEntries(keys.map((key) => [key, readFlag(key, raw, env)])) as unknown as ServeFlags;
}

/**
 * One of the flags of `serve`.
 *
 * @throws FlagError as {@link readFlags} does.
 */
export function readFlag<Key extends keyof ServeFlags>(
  key: Key,
  raw: RawFlags,
  env: NodeJS.ProcessEnv,
): ServeFlags[Key] {
  const flag: Flag<ServeFlags[Key]> = flags[key];
  const { source, texts } = textsOf(flag, raw, env);
  try {
    return texts.length === 0 ? flag.initial : flag.read(texts);
  } catch (error) {
    throw error instanceof FlagError ? new FlagError(`${source}: ${error.message}`) : error;
  }
}

function textsOf(flag: FlagBasis, raw: RawFlags, env: NodeJS.ProcessEnv) {
  const given = raw[flag.name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())];
  if (given !== undefined) return { source: `--${flag.name}`, texts: [given].flat().map(String) };
  const variable = variableOf(flag);
  const found = env[variable] ?? '';
  const parts = flag.repeatable ? found.split(',').map((part) => part.trim()) : [found];
  return { source: variable, texts: parts.filter((part) => part !== '') };
}
