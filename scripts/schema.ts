/**
 * Creates the tables in core/fhir/validation/generated and core/types/generated: FHIR R4's definitions of the
 * elements of every type. They contain only data and import nothing.
 */
import { existsSync, globSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { componentDeclarations, createComponentModule } from './schema-components.ts';
import { extractDefinitions } from './schema-definitions.ts';
import {
  elementDeclarations,
  createElementModule,
  furtherDeclarations,
  createFurtherModule,
} from './schema-elements.ts';
import { elementTextDeclarations, createElementTextModule } from './schema-element-texts.ts';
import { modifierDeclarations, createModifierModule } from './schema-modifiers.ts';
import { createR4TypeModule } from './schema-search.ts';
import { ucumDeclarations, createUcumModule } from './schema-ucum.ts';
import { readSources, root, type Sources } from './schema-sources.ts';
import { terminologyDeclarations, createTerminologyModule } from './schema-terminology.ts';
import { createDefinitionList } from './schema-types.ts';
import { ensureFingerprints } from './stamps.ts';

const validation = resolve(root, 'core/fhir/validation/generated');
const types = resolve(root, 'core/types/generated');
const modifiers = resolve(root, 'core/fhir/modifiers/generated');
const terminology = resolve(root, 'core/fhir/terminology/generated');
const inputs = ['scripts/schema*.ts', 'core/types/**/*.ts', 'package-lock.json'];

/** Generated files and the functions that create their texts. */
const generators: Readonly<Record<string, (sources: Sources) => string>> = {
  [resolve(types, 'definitions.ts')]: createDefinitionList,
  [resolve(types, 'r4-types.ts')]: createR4TypeModule,
  [resolve(validation, 'element-table.d.ts')]: () => elementDeclarations,
  [resolve(validation, 'element-table.js')]: createElementModule,
  [resolve(validation, 'further-types.d.ts')]: () => furtherDeclarations,
  [resolve(validation, 'further-types.js')]: createFurtherModule,
  [resolve(validation, 'ucum-table.d.ts')]: () => ucumDeclarations,
  [resolve(validation, 'ucum-table.js')]: createUcumModule,
  [resolve(validation, 'element-texts.d.ts')]: () => elementTextDeclarations,
  [resolve(validation, 'element-texts.js')]: (sources) =>
    createElementTextModule(extractDefinitions(sources), sources),
  [resolve(validation, 'component-schemas.d.ts')]: () => componentDeclarations,
  [resolve(validation, 'component-schemas.js')]: createComponentModule,
  [resolve(modifiers, 'modifier-table.d.ts')]: () => modifierDeclarations,
  [resolve(modifiers, 'modifier-table.js')]: createModifierModule,
  [resolve(terminology, 'r4.d.ts')]: () => terminologyDeclarations,
  [resolve(terminology, 'r4.js')]: createTerminologyModule,
};

/** Returns true if a module is missing or older than its inputs. */
export function isSchemaStale(): boolean {
  const files = Object.keys(generators);
  if (!files.every((file) => existsSync(file))) return true;
  const oldest = Math.min(...files.map((file) => statSync(file).mtimeMs));
  return globSync(inputs, { cwd: root, exclude: ['**/*.test.ts', '**/generated/**'] }).some(
    (file) => statSync(resolve(root, file)).mtimeMs > oldest,
  );
}

/**
 * Creates the modules if one is missing or stale, then the fingerprints. Builds, type checks and tests call
 * this first.
 */
export function ensureSchema(): void {
  if (isSchemaStale()) writeSchema();
  ensureFingerprints();
}

function writeSchema(): void {
  const sources = readSources();
  for (const [file, createText] of Object.entries(generators)) {
    mkdirSync(dirname(file), { recursive: true });
    // A rename is atomic: another process reads either the old or the new module completely.
    writeFileSync(`${file}.${process.pid}`, createText(sources));
    renameSync(`${file}.${process.pid}`, file);
  }
}

if (import.meta.main) {
  if (isSchemaStale() || !process.argv.includes('--if-stale')) {
    writeSchema();
    console.log(`Wrote ${types} and ${validation}`);
  }
  ensureFingerprints();
}
