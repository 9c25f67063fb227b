import { globSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { TypeDefinition } from '../core/types/definition/type-definition.ts';
import { root } from './schema-sources.ts';

/** A definition, and where its module exports it. */
export interface DefinitionModule {
  readonly definition: TypeDefinition;
  readonly exported: string;
  readonly file: string;
}

/** The definitions of core/types, one in each of its files, by the names of the files. */
export const definitionModules: readonly DefinitionModule[] = await readModules();

async function readModules(): Promise<DefinitionModule[]> {
  const files = globSync('core/types/*.ts', { cwd: root, exclude: ['**/*.test.ts'] }).sort();
  return Promise.all(files.map(readModule));
}

/** @throws Error where a module of core/types exports anything but one definition. */
async function readModule(path: string): Promise<DefinitionModule> {
  const exports = Object.entries((await import(resolve(root, path))) as Record<string, TypeDefinition>);
  const [first] = exports;
  if (!first || exports.length > 1)
    throw new Error(`${path} exports ${exports.length} values, not one definition`);
  return { definition: first[1], exported: first[0], file: basename(path) };
}

/** The names of the resource types that are defined. */
export const recordNames: readonly string[] = definitionModules.map(({ definition }) => definition.name);

/** The text of definitions.ts: the list of all definitions, with their literal types. */
export function definitionList(): string {
  return [
    '// Made by scripts/schema.ts from the files of core/types; do not edit.',
    ...definitionModules.map(({ exported, file }) => `import { ${exported} } from '../${file}';`),
    `export const definitions = [${definitionModules.map(({ exported }) => exported).join(', ')}] as const;`,
    '',
  ].join('\n');
}
