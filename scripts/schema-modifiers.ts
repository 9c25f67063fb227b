import type { ElementDefinition, Sources } from './schema-sources.ts';

export const modifierDeclarations = `/** Made by scripts/schema.ts. */
/**
 * By resource type, the elements that may change the meaning of what they belong to (FHIR R4 conformance-rules.html#isModifier):
 * dotted paths below the type.
 */
export declare const modifierElements: Readonly<Record<string, readonly string[]>>;
`;

/** Elements that count as modifiers by their names, also where R4 does not flag them. */
const alsoModifying = new Set(['status', 'verificationStatus', 'emptyReason', 'active', 'exclude']);

/** Modifiers of every resource, which need no row of their own. */
const common = /\.(?:implicitRules|modifierExtension)$/;

/** Modifiers without a row, each with the reason. */
export const withoutRow: Readonly<Record<string, string>> = {
  'Basic.code': 'It is the name of the resource.',
  'Questionnaire.item.enableWhen': 'No view shows questions.',
  'MedicinalProductIngredient.specifiedSubstance.strength.presentationLowLimit': 'No view shows strengths.',
  'MedicinalProductIngredient.specifiedSubstance.strength.concentrationLowLimit': 'No view shows strengths.',
};

/** The text of modifier-table.js. */
export function modifierModule(sources: Sources): string {
  const table = Object.fromEntries(sources.resourceNames.map((name) => [name, modifierPaths(name, sources)]));
  return [
    '// Made by scripts/schema.ts from FHIR R4 4.0.1; do not edit.',
    `export const modifierElements = ${JSON.stringify(table)};`,
    '',
  ].join('\n');
}

/** Returns the paths of a type's modifiers, choices by the names of their members. */
export function modifierPaths(type: string, sources: Sources): string[] {
  const elements = (sources.elements.get(type) ?? []).filter(({ path }) => path !== type);
  return elements.filter(isModifier).flatMap(memberPaths);
}

function isModifier({ path, isModifier: flagged = false, type = [] }: ElementDefinition): boolean {
  if (common.test(path) || Object.hasOwn(withoutRow, path)) return false;
  if (flagged) return true;
  const [, ...names] = path.split('.');
  const name = names.at(-1) ?? '';
  const nested = name === 'emptyReason' || name === 'exclude';
  const plain = type.every(({ code }) => code === 'code' || code === 'boolean' || code === 'CodeableConcept');
  return alsoModifying.has(name) && type.length > 0 && plain && (names.length === 1 || nested);
}

function memberPaths({ path, type = [] }: ElementDefinition): string[] {
  const below = path.slice(path.indexOf('.') + 1);
  // The kind of a link says how two records of one person belong together.
  if (path === 'Patient.link') return ['link.type'];
  if (!below.endsWith('[x]')) return [below];
  return type.map(({ code }) => below.replace('[x]', code.charAt(0).toUpperCase() + code.slice(1)));
}
