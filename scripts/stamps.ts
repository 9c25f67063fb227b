/**
 * Makes core/derive/generated/stamps.js: a hash of the code behind each kind of derived row. Another hash has the rows
 * of every store made anew, so it is taken of what makes them alone: the declarations that are reached, without
 * comments, white space, types and sentences for readers.
 */
import { existsSync, globSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { declarationsIn, hashOf } from './stamped-sources.ts';

const root = resolve(import.meta.dirname, '..');
const made = resolve(root, 'core/derive/generated/stamps.js');
const inputs = ['core/**/*.{ts,js}', 'scripts/stamp*.ts'];

/** The modules that read one kind of value each; they count for the parameters of that search type alone. */
const readers = {
  reference: ['core/fhir/reference.ts'],
  date: ['core/fhir/search-date.ts'],
  string: ['core/fhir/search-values.ts'],
  token: ['core/fhir/search-values.ts'],
  uri: ['core/fhir/search-values.ts'],
} as const satisfies Record<string, readonly string[]>;

const declarations = `/** Made by scripts/stamps.ts. */
export declare const stamps: {
  /** By search type; \`any\` for one that is not told apart. */
  readonly index: Readonly<Record<string, string>> & { readonly any: string };
  readonly sort: string;
  readonly rules: string;
  /** Of what profiles find, whatever they say. */
  readonly profiles: string;
  /** Of what the finder looks in. */
  readonly texts: string;
};
`;

/** The stamps of the sources below a folder. */
export function stampsOf(folder: string) {
  const reached = declarationsIn(folder);
  const read = reached('core/json/scan.ts', 'scan');
  const indexed = [...read, ...reached('core/fhir/index-rows.ts', 'indexRows')];
  const all = Object.values(readers).flat();
  for (const file of all) {
    if (!indexed.some((one) => one.file === file)) throw new Error(`${file} reads no index rows any more`);
  }
  const apartFrom = (own: readonly string[]) =>
    hashOf(indexed.filter(({ file }) => own.includes(file) || !all.some((one) => one === file)));
  const index = Object.entries(readers).map(([type, own]) => [type, apartFrom(own)] as const);
  return {
    index: { ...Object.fromEntries<string>(index), any: hashOf(indexed) },
    sort: apartFrom([...readers.date, ...readers.string]),
    texts: hashOf([...read, ...reached('core/derive/findable.ts', 'findable')]),
    profiles: hashOf([
      ...read,
      ...reached('core/fhir/profiles/judge-by.ts', 'judgeBy'),
      ...reached('core/fhir/profiles/library.ts', 'libraryOf'),
    ]),
    rules: hashOf([
      ...read,
      ...reached('core/derive/derive.ts', 'deriveIssues'),
      ...definitionFiles(folder).flatMap((file) => reached(file, 'rules')),
    ]),
  };
}

/** The definitions of resource types; each declares its `rules` by themselves. */
function definitionFiles(folder: string): string[] {
  return globSync('core/types/*.ts', { cwd: folder, exclude: ['**/*.test.ts'] });
}

/** Makes the module where it is missing, or older than a source. */
export function ensureStamps(): void {
  const time = existsSync(made) ? statSync(made).mtimeMs : 0;
  const sources = globSync(inputs, { cwd: root, exclude: ['**/*.test.ts', 'core/derive/generated/**'] });
  if (sources.some((file) => statSync(resolve(root, file)).mtimeMs > time)) writeStamps();
}

function writeStamps(): void {
  mkdirSync(resolve(made, '..'), { recursive: true });
  const text = `// Made by scripts/stamps.ts; do not edit.\nexport const stamps = ${JSON.stringify(stampsOf(root), null, 2)};\n`;
  for (const [file, content] of [
    [made.replace(/\.js$/, '.d.ts'), declarations],
    [made, text],
  ] as const) {
    // Another process may read the module meanwhile: it sees the old one or the new one, whole.
    writeFileSync(`${file}.${process.pid}`, content);
    renameSync(`${file}.${process.pid}`, file);
  }
}
