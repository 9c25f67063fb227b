/**
 * Makes the tables in core/fhir/validation/generated and core/types/generated: what FHIR R4 says of the elements of
 * every type. They are data and import nothing.
 */
import { existsSync, globSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { componentDeclarations, componentModule } from './schema-components.ts';
import { cutDefinitions } from './schema-definitions.ts';
import { elementDeclarations, elementModule, furtherDeclarations, furtherModule } from './schema-elements.ts';
import { elementTextDeclarations, elementTextModule } from './schema-element-texts.ts';
import { modifierDeclarations, modifierModule } from './schema-modifiers.ts';
import { r4TypeModule } from './schema-search.ts';
import { ucumDeclarations, ucumModule } from './schema-ucum.ts';
import { readSources, root, type Sources } from './schema-sources.ts';
import { terminologyDeclarations, terminologyModule } from './schema-terminology.ts';
import { definitionList } from './schema-types.ts';
import { ensureStamps } from './stamps.ts';

const validation = resolve(root, 'core/fhir/validation/generated');
const types = resolve(root, 'core/types/generated');
const modifiers = resolve(root, 'core/fhir/modifiers/generated');
const terminology = resolve(root, 'core/fhir/terminology/generated');
const inputs = ['scripts/schema*.ts', 'core/types/**/*.ts', 'package-lock.json'];

/** What is made, and of what. */
const made: Readonly<Record<string, (sources: Sources) => string>> = {
  [resolve(types, 'definitions.ts')]: definitionList,
  [resolve(types, 'r4-types.ts')]: r4TypeModule,
  [resolve(validation, 'element-table.d.ts')]: () => elementDeclarations,
  [resolve(validation, 'element-table.js')]: elementModule,
  [resolve(validation, 'further-types.d.ts')]: () => furtherDeclarations,
  [resolve(validation, 'further-types.js')]: furtherModule,
  [resolve(validation, 'ucum-table.d.ts')]: () => ucumDeclarations,
  [resolve(validation, 'ucum-table.js')]: ucumModule,
  [resolve(validation, 'element-texts.d.ts')]: () => elementTextDeclarations,
  [resolve(validation, 'element-texts.js')]: (sources) => elementTextModule(cutDefinitions(sources), sources),
  [resolve(validation, 'component-schemas.d.ts')]: () => componentDeclarations,
  [resolve(validation, 'component-schemas.js')]: componentModule,
  [resolve(modifiers, 'modifier-table.d.ts')]: () => modifierDeclarations,
  [resolve(modifiers, 'modifier-table.js')]: modifierModule,
  [resolve(terminology, 'r4.d.ts')]: () => terminologyDeclarations,
  [resolve(terminology, 'r4.js')]: terminologyModule,
};

/** Whether a module is missing or older than what it is made from. */
export function isSchemaStale(): boolean {
  const files = Object.keys(made);
  if (!files.every((file) => existsSync(file))) return true;
  const oldest = Math.min(...files.map((file) => statSync(file).mtimeMs));
  return globSync(inputs, { cwd: root, exclude: ['**/*.test.ts', '**/generated/**'] }).some(
    (file) => statSync(resolve(root, file)).mtimeMs > oldest,
  );
}

/** Makes the module where it is missing or stale, then the stamps. Builds, type checks and tests call this first. */
export function ensureSchema(): void {
  if (isSchemaStale()) writeSchema();
  ensureStamps();
}

function writeSchema(): void {
  const sources = readSources();
  for (const [file, textOf] of Object.entries(made)) {
    mkdirSync(dirname(file), { recursive: true });
    // Another process may read the module meanwhile: it sees the old one or the new one, whole.
    writeFileSync(`${file}.${process.pid}`, textOf(sources));
    renameSync(`${file}.${process.pid}`, file);
  }
}

if (import.meta.main) {
  if (isSchemaStale() || !process.argv.includes('--if-stale')) {
    writeSchema();
    console.log(`Wrote ${types} and ${validation}`);
  }
  ensureStamps();
}
