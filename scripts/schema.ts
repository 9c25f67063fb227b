/**
 * Makes core/fhir/validation/generated/record-schema.js, an ES module without imports that checks a record against
 * the mended schema. ajv's usual compiler calls `new Function`, which the page's Content-Security-Policy refuses;
 * its standalone mode writes the code out beforehand.
 */
import { Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { existsSync, globSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { cutDefinitions } from './schema-definitions.ts';
import { elementDeclarations, elementModule } from './schema-elements.ts';
import { elementTextDeclarations, elementTextModule } from './schema-element-texts.ts';
import { mendedSchema } from './schema-mend.ts';
import { shapeTable } from './schema-shapes.ts';
import { readSources, root } from './schema-sources.ts';
import { ensureStamps } from './stamps.ts';

const folder = resolve(root, 'core/fhir/validation/generated');
const inputs = ['scripts/schema*.ts', 'package-lock.json'];

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
export declare const checkCarePlan: Check;
export declare const checkComposition: Check;
/** By type and element: its type, its choice group, the types that its references may name. */
export declare const shapes: Readonly<Record<string, Readonly<Record<string, ShapeRow>>>>;
/** The resource types of FHIR R4. */
export declare const resourceNames: readonly string[];
`;

/** The module's text: functions that call each other by name, one for each definition. */
export function generateModule(): string {
  const sources = readSources();
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
  const code = standalone(ajv, {
    checkCarePlan: 'record#/definitions/CarePlan',
    checkComposition: 'record#/definitions/Composition',
  });
  return [
    '// Made by scripts/schema.ts from FHIR R4 4.0.1; do not edit.',
    withLinearErrors(code),
    'function joinErrors(all, more){if(all === null)return more;for(const one of more)all.push(one);return all;}',
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

/** Whether the module is missing or older than what it is made from. */
export function isSchemaStale(): boolean {
  const made = ['record-schema', 'element-table', 'element-texts'].flatMap((name) =>
    ['js', 'd.ts'].map((ending) => resolve(folder, `${name}.${ending}`)),
  );
  if (!made.every((file) => existsSync(file))) return true;
  const oldest = Math.min(...made.map((file) => statSync(file).mtimeMs));
  return globSync(inputs, { cwd: root, exclude: ['**/*.test.ts'] }).some(
    (file) => statSync(resolve(root, file)).mtimeMs > oldest,
  );
}

/** Makes the module where it is missing or stale, then the stamps. Builds, type checks and tests call this first. */
export function ensureSchema(): void {
  if (isSchemaStale()) writeSchema();
  ensureStamps();
}

function writeSchema(): void {
  mkdirSync(folder, { recursive: true });
  const sources = readSources();
  const files = {
    'record-schema.d.ts': declarations,
    'record-schema.js': generateModule(),
    'element-table.d.ts': elementDeclarations,
    'element-table.js': elementModule(cutDefinitions(sources)),
    'element-texts.d.ts': elementTextDeclarations,
    'element-texts.js': elementTextModule(cutDefinitions(sources), sources),
  };
  for (const [name, text] of Object.entries(files)) {
    const file = resolve(folder, name);
    // Another process may read the module meanwhile: it sees the old one or the new one, whole.
    writeFileSync(`${file}.${process.pid}`, text);
    renameSync(`${file}.${process.pid}`, file);
  }
}

if (import.meta.main) {
  writeSchema();
  ensureStamps();
  console.log(`Wrote ${folder}`);
}
