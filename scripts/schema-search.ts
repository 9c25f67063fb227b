import type { R4Parameter, R4Step, R4Type } from '../core/types/definition/r4-type.ts';
import type { TypeDefinition } from '../core/types/definition/type-definition.ts';
import type { ElementDefinition, SearchParameterSource, Sources } from './schema-sources.ts';
import { definitionModules } from './schema-types.ts';

/** What all resource types have (FHIR R4 search.html#all). */
const common = 'Resource';

const kinds = ['reference', 'token', 'date', 'string', 'uri'] as const;

/** The text of r4-types.ts: what R4's definitions say of each defined type. */
export function r4TypeModule(sources: Sources): string {
  const table = Object.fromEntries(
    definitionModules.map(({ definition }) => [definition.name, r4TypeOf(definition, sources)]),
  );
  return [
    '// Made by scripts/schema.ts from FHIR R4 4.0.1; do not edit.',
    "import type { R4Type } from '../definition/r4-type.ts';",
    `export const r4Types: Readonly<Record<string, R4Type>> = ${JSON.stringify(table)};`,
    '',
  ].join('\n');
}

function r4TypeOf({ name, parameters }: TypeDefinition, sources: Sources): R4Type {
  const top = (sources.elements.get(name) ?? []).filter(({ path }) => path.split('.').length === 2);
  const names = (elements: readonly ElementDefinition[]) =>
    elements.flatMap((element) => Object.keys(stepOf(lastOf(element), element)));
  const mandatory = names(top.filter(({ min }) => min > 0));
  return {
    mandatory,
    summary: names(top.filter(({ isSummary }) => isSummary === true)).filter(
      (one) => !mandatory.includes(one),
    ),
    parameters: Object.fromEntries(
      ['_id', '_lastUpdated', ...Object.keys(parameters)].map((code) => [
        code,
        parameterOf(name, code, sources),
      ]),
    ),
  };
}

/** @throws Error where R4 defines no such parameter, or defines it by what is not read here. */
export function parameterOf(type: string, code: string, sources: Sources): R4Parameter {
  const source = sources.searchParameters.find(
    (one) => one.code === code && (one.base.includes(type) || one.base.includes(common)),
  );
  if (!source?.expression) throw new Error(`R4 defines no search parameter ${code} of ${type}`);
  const kind = kinds.find((one) => one === source.type);
  if (!kind) throw new Error(`${type}.${code}: searches of the kind ${source.type} are not offered`);
  const { path, only, within } = pathOf(type, source, sources);
  const system = systemOf(within.at(-1), sources);
  const targets = targetsOf(source, within.at(-1));
  return {
    type: kind,
    url: source.url,
    path,
    ...(kind === 'date' && within.every(({ max }) => max === '1') && { single: true }),
    ...(only !== undefined && { only }),
    ...(system !== undefined && { system }),
    ...(kind === 'reference' && { targets }),
    text: descriptionOf(type, source),
  };
}

/** The steps of an expression such as `CarePlan.subject.where(resolve() is Patient)`. */
function pathOf(type: string, { code, expression = '' }: SearchParameterSource, sources: Sources) {
  const own = expression
    .split('|')
    .map((part) => part.trim().replace(/^\((.*)\)$/, '$1'))
    .find((part) => part.startsWith(`${type}.`) || part.startsWith(`${common}.`));
  const [, chain = '', filter, wanted] =
    /^\w+\.([\w.]+?)(?:\.where\(resolve\(\) is (\w+)\)|\.ofType\((\w+)\))?$/.exec(own ?? '') ?? [];
  if (chain === '') throw new Error(`${type}.${code}: the expression ${own ?? ''} is not read`);
  const path: R4Step[] = [];
  const within: ElementDefinition[] = [];
  let at = type;
  for (const [index, name] of chain.split('.').entries()) {
    const last = index === chain.split('.').length - 1;
    const element = elementOf(at, name, sources);
    within.push(element);
    path.push(stepOf(name, element, last ? wanted : undefined));
    const [only] = element.type ?? [];
    const nested = only?.code === 'BackboneElement' || only?.code === 'Element';
    at = nested ? `${at}.${name}` : (only?.code ?? '');
  }
  return { path, only: filter, within };
}

/** @throws Error where R4 knows no such element. */
function elementOf(parent: string, name: string, sources: Sources): ElementDefinition {
  const [root = ''] = parent.split('.');
  const found = sources.elements
    .get(root)
    ?.find(({ path }) => path === `${parent}.${name}` || path === `${parent}.${name}[x]`);
  if (!found) throw new Error(`R4 knows no element ${parent}.${name}`);
  return found;
}

/** The element's own name; of a choice, what the names of its choices begin with. */
function lastOf({ path }: ElementDefinition): string {
  return path.slice(path.lastIndexOf('.') + 1).replace('[x]', '');
}

/** The members that a step goes to, each with its type: several for a choice. */
function stepOf(name: string, { path, type = [] }: ElementDefinition, wanted?: string): R4Step {
  if (!path.endsWith('[x]')) return { [name]: codeOf(type[0]?.code ?? '') };
  const chosen = wanted === undefined ? type : type.filter(({ code }) => code === wanted);
  return Object.fromEntries(
    chosen.map(({ code }) => [name + code.charAt(0).toUpperCase() + code.slice(1), codeOf(code)]),
  );
}

/** `id` is typed by FHIRPath's name of it. */
function codeOf(code: string): string {
  return code.startsWith('http:') ? 'string' : code;
}

/** The code system that a `code` implies (FHIR R4 search.html#token): that of its required binding. */
function systemOf(element: ElementDefinition | undefined, sources: Sources): string | undefined {
  if (element?.binding?.strength !== 'required' || element.type?.[0]?.code !== 'code') return undefined;
  const include =
    sources.valueSets.get(element.binding.valueSet?.split('|')[0] ?? '')?.compose?.include ?? [];
  const systems = new Set(include.map(({ system }) => system));
  return systems.size === 1 ? [...systems][0] : undefined;
}

/** What both the parameter and the element allow: a parameter of several types names the targets of them all. */
function targetsOf({ target = [] }: SearchParameterSource, element: ElementDefinition | undefined): string[] {
  const profiles = (element?.type ?? []).flatMap(({ targetProfile = [] }) => targetProfile);
  const allowed = profiles.map((profile) => profile.slice(profile.lastIndexOf('/') + 1));
  return allowed.length === 0 || allowed.includes(common)
    ? [...target]
    : target.filter((one) => allowed.includes(one));
}

/** What R4 says of the parameter; of one that several types share, what it says of this one. */
function descriptionOf(type: string, { description }: SearchParameterSource): string {
  const line = description.split(/\r?\n/).find((one) => one.includes(`[${type}]`));
  return (line?.replace(/^.*?\):\s*/, '') ?? description).trim();
}
