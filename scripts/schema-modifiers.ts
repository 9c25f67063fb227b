import type { ElementDefinition, Sources } from './schema-sources.ts';

export const modifierDeclarations = `/** Made by scripts/schema.ts. */
/**
 * By resource type, the elements that may change the meaning of what they belong to (FHIR R4 conformance-rules.html#isModifier):
 * dotted paths below the type.
 */
export declare const modifierElements: Readonly<Record<string, readonly string[]>>;
`;

/** Elements that count as modifiers by name, even if R4 does not flag them. */
const modifyingNames = new Set(['status', 'verificationStatus', 'emptyReason', 'active', 'exclude']);

/** Modifiers of every resource. They need no row of their own. */
const commonModifiers = /\.(?:implicitRules|modifierExtension)$/;

/** Modifiers without a row, each with the reason. */
export const withoutRow: Readonly<Record<string, string>> = {
  'Basic.code': 'It is the name of the resource.',
  'Questionnaire.item.enableWhen': 'No view shows questions.',
  'MedicinalProductIngredient.specifiedSubstance.strength.presentationLowLimit': 'No view shows strengths.',
  'MedicinalProductIngredient.specifiedSubstance.strength.concentrationLowLimit': 'No view shows strengths.',
};

/** Returns the text of modifier-table.js. */
export function createModifierModule(sources: Sources): string {
  const table = Object.fromEntries(
    sources.resourceNames.map((name) => [name, listModifierPaths(name, sources)]),
  );
  return [
    '// Made by scripts/schema.ts from FHIR R4 4.0.1; do not edit.',
    `export const modifierElements = ${JSON.stringify(table)};`,
    '',
  ].join('\n');
}

/** Returns the paths of a type's modifiers, with choices as the names of their members. */
export function listModifierPaths(type: string, sources: Sources): string[] {
  const elements = (sources.elements.get(type) ?? []).filter(({ path }) => path !== type);
  return elements.filter(isModifier).flatMap(listMemberPaths);
}

function isModifier({ path, isModifier: isFlagged = false, type = [] }: ElementDefinition): boolean {
  if (commonModifiers.test(path) || Object.hasOwn(withoutRow, path)) return false;
  if (isFlagged) return true;
  const [, ...names] = path.split('.');
  const name = names.at(-1) ?? '';
  const isNestedName = name === 'emptyReason' || name === 'exclude';
  const isSimpleType = type.every(
    ({ code }) => code === 'code' || code === 'boolean' || code === 'CodeableConcept',
  );
  return modifyingNames.has(name) && type.length > 0 && isSimpleType && (names.length === 1 || isNestedName);
}

function listMemberPaths({ path, type = [] }: ElementDefinition): string[] {
  const childPath = path.slice(path.indexOf('.') + 1);
  // The kind of a link defines how two records of a person belong together.
  if (path === 'Patient.link') return ['link.type'];
  if (!childPath.endsWith('[x]')) return [childPath];
  return type.map(({ code }) => childPath.replace('[x]', code.charAt(0).toUpperCase() + code.slice(1)));
}
