/**
 * Creates the tables in core/fhir/validation/generated and core/types/generated: FHIR R4's definitions of the
 * elements of every type. They contain only data and import nothing.
 */
import { existsSync, globSync, mkdirSync, renameSync, statSync, writeFileSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { componentDeclarations, createComponentModule } from './schema-components.ts';
import { extractDefinitions, type Definition, type Property } from './schema-definitions.ts';
import {
  elementDeclarations,
  createElementModule,
  furtherDeclarations,
  createFurtherModule,
} from './schema-elements.ts';
import { createDisplayModule, displayDeclarations } from './schema-displays.ts';
import { modifierDeclarations, createModifierModule } from './schema-modifiers.ts';
import { createR4TypeModule } from './schema-search.ts';
import { readSources, root, createModule, type Sources } from './schema-sources.ts';
import { terminologyDeclarations, createTerminologyModule } from './schema-terminology.ts';
import { createDefinitionList } from './schema-types.ts';
import { ensureFingerprints } from './stamps.ts';
import { listRequiredConcepts } from './schema-codes.ts';

const ucumDeclarations = `/** Made by scripts/schema.ts. */
/** The case-sensitive atoms of UCUM: those that take a prefix, and the others. */
export declare const metricUnits: readonly string[];
export declare const otherUnits: readonly string[];
export declare const unitPrefixes: readonly string[];
`;

interface PackedTable {
  readonly config: readonly (string | readonly string[])[];
  readonly data: readonly (readonly unknown[])[];
}

/**
 * Returns the text of ucum-table.js: the atoms and prefixes of the UCUM library by the National Library of
 * Medicine.
 */
function createUcumModule(): string {
  const path = resolve(root, 'node_modules/@lhncbc/ucum-lhc/data/ucumDefs.min.json');
  const { prefixes, units } = JSON.parse(readFileSync(path, 'utf8')) as {
    prefixes: PackedTable;
    units: PackedTable;
  };
  // Additions of LOINC in the library are not atoms of UCUM.
  const atoms = unpackRows(units).filter((unit) => unit.source_ === 'UCUM');
  const isMetric = (unit: Record<string, unknown>) => unit.isMetric_ === true || unit.isBase_ === true;
  const listCodes = (list: readonly Record<string, unknown>[]) =>
    JSON.stringify(list.map((unit) => unit.csCode_));
  const constants = {
    metricUnits: listCodes(atoms.filter(isMetric)),
    otherUnits: listCodes(atoms.filter((unit) => !isMetric(unit))),
    unitPrefixes: JSON.stringify(unpackRows(prefixes).map(({ code_: code }) => code)),
  };
  return createModule(constants, 'the UCUM definitions of @lhncbc/ucum-lhc');
}

function unpackRows({ config, data }: PackedTable): Record<string, unknown>[] {
  return data.map((row) =>
    Object.fromEntries(config.map((name, columnIndex) => [String(name), row[columnIndex]])),
  );
}

const elementTextDeclarations = `/** Made by scripts/schema.ts. */
export interface ElementText {
  /** What the element is, in a few words. */
  readonly short: string;
  /** The same in a sentence or two, where that says more. */
  readonly definition?: string;
  /** By code of a required binding, what it means. */
  readonly meanings?: Readonly<Record<string, string>>;
}
/** By type and name, what FHIR R4 says of every element that a CarePlan or a Composition can hold. */
export declare const elementTexts: Readonly<Record<string, Readonly<Record<string, ElementText>>>>;
`;

const maxLength = 320;

/** Returns the text of element-texts.js: descriptions of elements for hover and completion in the editor. */
function createElementTextModule(definitions: readonly Definition[], sources: Sources): string {
  const table = Object.fromEntries(
    definitions.map(({ name, properties }) => [
      name,
      Object.fromEntries(properties.map((property) => [property.name, createText(property, sources)])),
    ]),
  );
  return createModule({ elementTexts: JSON.stringify(table) });
}

function createText({ element, codes }: Property, sources: Sources) {
  const { short = '', definition = '' } = element;
  const concepts = codes && listRequiredConcepts(element, sources);
  const meanings = concepts?.map(({ code, display, definition: meaning }) => [
    code,
    getFirstSentences(meaning ?? display ?? code),
  ]);
  return {
    short,
    ...(definition !== '' && definition !== short && { definition: getFirstSentences(definition) }),
    ...(meanings && { meanings: Object.fromEntries(meanings) as Record<string, string> }),
  };
}

/** Returns as many complete sentences as fit into a hover, without HL7's links and line breaks. */
function getFirstSentences(text: string): string {
  const plainText = text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (plainText.length <= maxLength) return plainText;
  const end = plainText.lastIndexOf('. ', maxLength);
  return end > 40 ? plainText.slice(0, end + 1) : `${plainText.slice(0, maxLength)}…`;
}

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
  [resolve(terminology, 'displays.d.ts')]: () => displayDeclarations,
  [resolve(terminology, 'displays.js')]: createDisplayModule,
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
