import { globSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { TypeDefinition } from '../core/types/definition/type-definition.ts';
import { root } from './schema-sources.ts';

/** A definition and its export. */
export interface DefinitionModule {
  readonly definition: TypeDefinition;
  readonly exportName: string;
  readonly file: string;
}

/** The definitions of core/types, one per file, in the order of the file names. */
export const definitionModules: readonly DefinitionModule[] = await readModules();

async function readModules(): Promise<DefinitionModule[]> {
  const files = globSync('core/types/*.ts', { cwd: root, exclude: ['**/*.test.ts'] }).sort();
  return Promise.all(files.map(readModule));
}

/** @throws Error if a module of core/types does not export exactly one definition. */
async function readModule(path: string): Promise<DefinitionModule> {
  const exports = Object.entries((await import(resolve(root, path))) as Record<string, TypeDefinition>);
  const [firstExport] = exports;
  if (!firstExport || exports.length > 1)
    throw new Error(`${path} exports ${exports.length} values, not one definition`);
  return { definition: firstExport[1], exportName: firstExport[0], file: basename(path) };
}

/** The names of the defined resource types. */
export const recordNames: readonly string[] = definitionModules.map(({ definition }) => definition.name);

/** Returns the text of definitions.ts: the list of all definitions with their literal types. */
export function createDefinitionList(): string {
  return [
    '// Made by scripts/schema.ts from the files of core/types; do not edit.',
    ...definitionModules.map(({ exportName, file }) => `import { ${exportName} } from '../${file}';`),
    `export const definitions = [${definitionModules.map(({ exportName }) => exportName).join(', ')}] as const;`,
    '',
  ].join('\n');
}
