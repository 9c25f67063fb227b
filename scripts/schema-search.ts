import type { R4Parameter, R4Step, R4Type } from '../core/types/definition/r4-type.ts';
import type { TypeDefinition } from '../core/types/definition/type-definition.ts';
import type { ElementDefinition, SearchParameterSource, Sources } from './schema-sources.ts';
import { definitionModules } from './schema-types.ts';

/** Base type of all resource types (FHIR R4 search.html#all). */
const baseType = 'Resource';

const supportedTypes = ['reference', 'token', 'date', 'string', 'uri'] as const;

/** Returns the text of r4-types.ts: R4's definitions of each defined type. */
export function createR4TypeModule(sources: Sources): string {
  const table = Object.fromEntries(
    definitionModules.map(({ definition }) => [definition.name, createR4Type(definition, sources)]),
  );
  return [
    '// Made by scripts/schema.ts from FHIR R4 4.0.1; do not edit.',
    "import type { R4Type } from '../definition/r4-type.ts';",
    `export const r4Types: Readonly<Record<string, R4Type>> = ${JSON.stringify(table)};`,
    '',
  ].join('\n');
}

function createR4Type({ name, parameterNumbers }: TypeDefinition, sources: Sources): R4Type {
  const topElements = (sources.elements.get(name) ?? []).filter(({ path }) => path.split('.').length === 2);
  const listNames = (elements: readonly ElementDefinition[]) =>
    elements.flatMap((element) => Object.keys(createStep(getElementName(element), element)));
  const requiredNames = listNames(topElements.filter(({ min }) => min > 0));
  return {
    mandatory: requiredNames,
    summary: listNames(topElements.filter(({ isSummary }) => isSummary === true)).filter(
      (summaryName) => !requiredNames.includes(summaryName),
    ),
    parameters: Object.fromEntries(
      ['_id', '_lastUpdated', ...Object.keys(parameterNumbers)].map((code) => [
        code,
        createParameter(name, code, sources),
      ]),
    ),
  };
}

/**
 * Returns a search parameter of R4.
 *
 * @throws Error if R4 does not define the parameter, or its definition is not supported here.
 */
export function createParameter(type: string, code: string, sources: Sources): R4Parameter {
  const source = sources.searchParameters.find(
    (candidate) =>
      candidate.code === code && (candidate.base.includes(type) || candidate.base.includes(baseType)),
  );
  if (!source?.expression) throw new Error(`R4 defines no search parameter ${code} of ${type}`);
  const kind = supportedTypes.find((supportedType) => supportedType === source.type);
  if (!kind) throw new Error(`${type}.${code}: searches of the kind ${source.type} are not offered`);
  const { path, targetType, elements } = parsePath(type, source, sources);
  const system = findSystem(elements.at(-1), sources);
  const targets = listTargets(source, elements.at(-1));
  return {
    type: kind,
    url: source.url,
    path,
    ...(kind === 'date' && elements.every(({ max }) => max === '1') && { single: true }),
    ...(targetType !== undefined && { only: targetType }),
    ...(system !== undefined && { system }),
    ...(kind === 'reference' && { targets }),
    text: getDescription(type, source),
  };
}

/** Returns the steps of an expression such as `CarePlan.subject.where(resolve() is Patient)`. */
function parsePath(type: string, { code, expression = '' }: SearchParameterSource, sources: Sources) {
  const ownExpression = expression
    .split('|')
    .map((part) => part.trim().replace(/^\((.*)\)$/, '$1'))
    .find((part) => part.startsWith(`${type}.`) || part.startsWith(`${baseType}.`));
  const [, chain = '', filter, choiceType] =
    /^\w+\.([\w.]+?)(?:\.where\(resolve\(\) is (\w+)\)|\.ofType\((\w+)\))?$/.exec(ownExpression ?? '') ?? [];
  if (chain === '') throw new Error(`${type}.${code}: the expression ${ownExpression ?? ''} is not read`);
  const path: R4Step[] = [];
  const elements: ElementDefinition[] = [];
  let parentPath = type;
  for (const [index, name] of chain.split('.').entries()) {
    const isLast = index === chain.split('.').length - 1;
    const element = findElement(parentPath, name, sources);
    elements.push(element);
    path.push(createStep(name, element, isLast ? choiceType : undefined));
    const [elementType] = element.type ?? [];
    const isNested = elementType?.code === 'BackboneElement' || elementType?.code === 'Element';
    parentPath = isNested ? `${parentPath}.${name}` : (elementType?.code ?? '');
  }
  return { path, targetType: filter, elements };
}

/** @throws Error if R4 has no such element. */
function findElement(parent: string, name: string, sources: Sources): ElementDefinition {
  const [root = ''] = parent.split('.');
  const element = sources.elements
    .get(root)
    ?.find(({ path }) => path === `${parent}.${name}` || path === `${parent}.${name}[x]`);
  if (!element) throw new Error(`R4 knows no element ${parent}.${name}`);
  return element;
}

/** Returns the name of an element, without `[x]` for a choice. */
function getElementName({ path }: ElementDefinition): string {
  return path.slice(path.lastIndexOf('.') + 1).replace('[x]', '');
}

/** Returns the members of a step with their types: several for a choice. */
function createStep(name: string, { path, type = [] }: ElementDefinition, choiceType?: string): R4Step {
  if (!path.endsWith('[x]')) return { [name]: toTypeName(type[0]?.code ?? '') };
  const selectedTypes = choiceType === undefined ? type : type.filter(({ code }) => code === choiceType);
  return Object.fromEntries(
    selectedTypes.map(({ code }) => [name + code.charAt(0).toUpperCase() + code.slice(1), toTypeName(code)]),
  );
}

/** Returns a type name. `id` has a FHIRPath type instead. */
function toTypeName(code: string): string {
  return code.startsWith('http:') ? 'string' : code;
}

/**
 * Returns the code system that a `code` implies (FHIR R4 search.html#token): the code system of its required binding.
 */
function findSystem(element: ElementDefinition | undefined, sources: Sources): string | undefined {
  if (element?.binding?.strength !== 'required' || element.type?.[0]?.code !== 'code') return undefined;
  const include =
    sources.valueSets.get(element.binding.valueSet?.split('|')[0] ?? '')?.compose?.include ?? [];
  const systems = new Set(include.map(({ system }) => system));
  return systems.size === 1 ? [...systems][0] : undefined;
}

/**
 * Returns the targets that both the parameter and the element allow. A parameter of several types names the
 * targets of all.
 */
function listTargets(
  { target = [] }: SearchParameterSource,
  element: ElementDefinition | undefined,
): string[] {
  const profiles = (element?.type ?? []).flatMap(({ targetProfile = [] }) => targetProfile);
  const allowedTypes = profiles.map((profile) => profile.slice(profile.lastIndexOf('/') + 1));
  return allowedTypes.length === 0 || allowedTypes.includes(baseType)
    ? [...target]
    : target.filter((targetName) => allowedTypes.includes(targetName));
}

/** Returns R4's description of the parameter, or its part for this type if several types share it. */
function getDescription(type: string, { description }: SearchParameterSource): string {
  const line = description.split(/\r?\n/).find((candidate) => candidate.includes(`[${type}]`));
  return (line?.replace(/^.*?\):\s*/, '') ?? description).trim();
}
