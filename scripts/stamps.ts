/**
 * Creates core/derive/generated/stamps.js: fingerprints of the code behind each kind of derived row. Another
 * fingerprint rebuilds the rows of every store. So it covers only the declarations in use, without comments,
 * white space, types and messages for readers.
 */
import { existsSync, globSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createDeclarationFinder, hashDeclarations } from './stamped-sources.ts';

const root = resolve(import.meta.dirname, '..');
const outputFile = resolve(root, 'core/derive/generated/stamps.js');
const inputs = ['core/**/*.{ts,js}', 'scripts/stamp*.ts'];

/** Modules that each read one kind of value. They affect only parameters of that search type. */
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

/** Returns the fingerprints of the sources below a folder. */
export function computeFingerprints(folder: string) {
  const findDeclarations = createDeclarationFinder(folder);
  const scanDeclarations = findDeclarations('core/json/scan.ts', 'scan');
  const indexDeclarations = [...scanDeclarations, ...findDeclarations('core/derive/derive.ts', 'indexRows')];
  const readerFiles = Object.values(readers).flat();
  for (const file of readerFiles) {
    if (!indexDeclarations.some((declaration) => declaration.file === file))
      throw new Error(`${file} reads no index rows any more`);
  }
  const hashWithReaders = (ownFiles: readonly string[]) =>
    hashDeclarations(
      indexDeclarations.filter(
        ({ file }) => ownFiles.includes(file) || !readerFiles.some((readerFile) => readerFile === file),
      ),
    );
  const index = Object.entries(readers).map(([type, ownFiles]) => [type, hashWithReaders(ownFiles)] as const);
  return {
    index: { ...Object.fromEntries<string>(index), any: hashDeclarations(indexDeclarations) },
    sort: hashWithReaders([...readers.date, ...readers.string]),
    texts: hashDeclarations([
      ...scanDeclarations,
      ...findDeclarations('core/derive/findable.ts', 'findable'),
    ]),
    profiles: hashDeclarations([
      ...scanDeclarations,
      ...findDeclarations('core/fhir/profiles/validate-against.ts', 'validateAgainst'),
      ...findDeclarations('core/fhir/profiles/library.ts', 'libraryOf'),
    ]),
    rules: hashDeclarations([
      ...scanDeclarations,
      ...findDeclarations('core/derive/derive.ts', 'deriveIssues'),
      ...listDefinitionFiles(folder).flatMap((file) => findDeclarations(file, 'rules')),
    ]),
  };
}

/** Returns the files of the resource type definitions. Each declares its `rules` separately. */
function listDefinitionFiles(folder: string): string[] {
  return globSync('core/types/*.ts', { cwd: folder, exclude: ['**/*.test.ts'] });
}

/** Creates the module if it is missing or older than a source. */
export function ensureFingerprints(): void {
  const time = existsSync(outputFile) ? statSync(outputFile).mtimeMs : 0;
  const sources = globSync(inputs, { cwd: root, exclude: ['**/*.test.ts', 'core/derive/generated/**'] });
  if (sources.some((file) => statSync(resolve(root, file)).mtimeMs > time)) writeFingerprints();
}

function writeFingerprints(): void {
  mkdirSync(resolve(outputFile, '..'), { recursive: true });
  const text = `// Made by scripts/stamps.ts; do not edit.\nexport const stamps = ${JSON.stringify(computeFingerprints(root), null, 2)};\n`;
  for (const [file, content] of [
    [outputFile.replace(/\.js$/, '.d.ts'), declarations],
    [outputFile, text],
  ] as const) {
    // A rename is atomic: another process reads either the old or the new module completely.
    writeFileSync(`${file}.${process.pid}`, content);
    renameSync(`${file}.${process.pid}`, file);
  }
}
