/**
 * Makes core/fhir/validation/generated/record-schema.js, an ES module without imports that checks a record against
 * the mended schema. ajv's usual compiler calls `new Function`, which the page's Content-Security-Policy refuses;
 * its standalone mode writes the code out beforehand.
 */
import { Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { existsSync, globSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { componentDeclarations, componentModule } from './schema-components.ts';
import { cutDefinitions } from './schema-definitions.ts';
import { elementDeclarations, elementModule } from './schema-elements.ts';
import { elementTextDeclarations, elementTextModule } from './schema-element-texts.ts';
import { mendedSchema } from './schema-mend.ts';
import { shapeTable } from './schema-shapes.ts';
import { r4TypeModule } from './schema-search.ts';
import { readSources, root, type Sources } from './schema-sources.ts';
import { terminologyDeclarations, terminologyModule } from './schema-terminology.ts';
import { definitionList, recordNames } from './schema-types.ts';
import { ensureStamps } from './stamps.ts';

const validation = resolve(root, 'core/fhir/validation/generated');
const types = resolve(root, 'core/types/generated');
const terminology = resolve(root, 'core/fhir/terminology/generated');
const inputs = ['scripts/schema*.ts', 'core/types/**/*.ts', 'package-lock.json'];

const declarations = `/** Made by scripts/schema.ts. */
export interface SchemaError {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}
export interface Check {
  (value: unknown): boolean;
  readonly errors?: readonly SchemaError[] | null;
}
export type ShapeRow = readonly [type: string, choice?: string, targets?: readonly string[]];
/** By resource type. */
export declare const checks: Readonly<Record<string, Check>>;
/** By type and element: its type, its choice group, the types that its references may name. */
export declare const shapes: Readonly<Record<string, Readonly<Record<string, ShapeRow>>>>;
/** The resource types of FHIR R4. */
export declare const resourceNames: readonly string[];
`;

/** The module's text: functions that call each other by name, one for each definition. */
export function generateModule(sources: Sources): string {
  const definitions = cutDefinitions(sources);
  const ajv = new Ajv({
    schemas: [mendedSchema(definitions)],
    allErrors: true,
    strict: false,
    strictNumbers: false,
    unicodeRegExp: false,
    messages: false,
    inlineRefs: true,
    loopEnum: Number.MAX_SAFE_INTEGER,
    code: { source: true, esm: true, lines: false, optimize: 2 },
  });
  const code = standalone(
    ajv,
    Object.fromEntries(recordNames.map((name) => [`check${name}`, `record#/definitions/${name}`])),
  );
  return [
    '// Made by scripts/schema.ts from FHIR R4 4.0.1; do not edit.',
    withLinearErrors(code),
    'function joinErrors(all, more){if(all === null)return more;for(const one of more)all.push(one);return all;}',
    `export const checks = {${recordNames.map((name) => `${name}:check${name}`).join()}};`,
    `export const shapes = ${JSON.stringify(shapeTable(definitions))};`,
    `export const resourceNames = ${JSON.stringify(sources.resourceNames)};`,
    '',
  ].join('\n');
}

/**
 * ajv copies the list of errors once for each failing element: a body of half a million wrong items would take hours.
 *
 * @throws Error where ajv no longer writes what is replaced here.
 */
function withLinearErrors(code: string): string {
  const copying = /vErrors = vErrors === null \? ([\w.]+)\.errors : vErrors\.concat\(\1\.errors\)/g;
  const mended = code.replace(copying, 'vErrors = joinErrors(vErrors, $1.errors)');
  if (mended === code || mended.includes('.concat(')) throw new Error('ajv joins its errors in another way');
  return mended;
}

/** What is made, and of what. */
const made: Readonly<Record<string, (sources: Sources) => string>> = {
  [resolve(types, 'definitions.ts')]: definitionList,
  [resolve(types, 'r4-types.ts')]: r4TypeModule,
  [resolve(validation, 'record-schema.d.ts')]: () => declarations,
  [resolve(validation, 'record-schema.js')]: generateModule,
  [resolve(validation, 'element-table.d.ts')]: () => elementDeclarations,
  [resolve(validation, 'element-table.js')]: (sources) => elementModule(cutDefinitions(sources)),
  [resolve(validation, 'element-texts.d.ts')]: () => elementTextDeclarations,
  [resolve(validation, 'element-texts.js')]: (sources) => elementTextModule(cutDefinitions(sources), sources),
  [resolve(validation, 'component-schemas.d.ts')]: () => componentDeclarations,
  [resolve(validation, 'component-schemas.js')]: componentModule,
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
