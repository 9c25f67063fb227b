/** A mechanism that holds something up, taken away by a change of one place, and the test that must notice. */
export interface Mutant {
  readonly mechanism: string;
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly text: string;
  /** What stands there instead; nothing where absent. */
  readonly instead?: string;
  readonly test: NamedTest;
}

export interface NamedTest {
  readonly file: string;
  /** As it stands in the file: a test's title or a group's, with its placeholders. */
  readonly title: string;
  /** Where it stands, if the file only runs it. */
  readonly from?: string;
}

/** A regular expression for `vitest -t` that finds a title whose placeholders were filled in. */
export function patternOf({ title }: NamedTest): string {
  return title.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&').replaceAll(/%[sdifjo]|\\\$\w+/g, '.*');
}

/**
 * The text of a file with the mutant in it.
 *
 * @throws Error where its place is not there exactly once.
 */
export function mutated(source: string, { file, text, instead = '' }: Mutant): string {
  const count = source.split(text).length - 1;
  if (count !== 1) throw new Error(`${file} holds ${count} times what must be there once: ${text}`);
  return source.replace(text, () => instead);
}
