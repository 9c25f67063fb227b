import { requiredCodes } from './schema-codes.ts';
import { primitives } from './schema-primitives.ts';
import type { ElementDefinition, Sources } from './schema-sources.ts';
import { recordNames } from './schema-types.ts';

/** One property of a definition: what the schema and the table of shapes are both made from. */
export interface Property {
  readonly name: string;
  readonly type: string;
  readonly repeats: boolean;
  readonly required: boolean;
  /** The element that the property is one choice of: `value` of `valueString`. */
  readonly choice?: string;
  readonly targets?: readonly string[];
  readonly codes?: readonly string[];
  /** The element of the StructureDefinition that it is made from. */
  readonly element: ElementDefinition;
}

export interface Definition {
  readonly name: string;
  readonly properties: readonly Property[];
}

/** `contained` takes any resource: dragging all of R4's 680 definitions in would make the module a hundredfold. */
export const containedName = 'Contained';

const tolerated = new Set(['resourceType', 'modifierExtension']);
const systemTypes: Readonly<Record<string, string>> = { 'Extension.url': 'uri' };

/**
 * The definitions that the named resources reach, mended; the records where none are named.
 *
 * @throws Error where HL7's schema and the StructureDefinitions do not name the same elements.
 */
export function cutDefinitions(sources: Sources, names: readonly string[] = recordNames): Definition[] {
  const found = new Map<string, Definition>();
  const open: { name: string; path: string }[] = ['Element', ...names].map((name) => ({ name, path: name }));
  for (let next = open.pop(); next; next = open.pop()) {
    const { name, path } = next;
    if (found.has(name) || name in primitives || name === containedName) continue;
    const properties = childrenOf(path, sources).flatMap((element) => propertiesOf(element, path, sources));
    found.set(name, { name, properties: properties.filter((one) => isPublished(name, one, sources)) });
    for (const property of properties) {
      const nested = property.element.contentReference?.slice(1) ?? `${path}.${property.name}`;
      open.push({ name: property.type, path: property.type.includes('_') ? nested : property.type });
    }
    checkComplete(name, properties, sources);
  }
  return [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

function childrenOf(path: string, sources: Sources): ElementDefinition[] {
  const [root = ''] = path.split('.');
  const prefix = `${path}.`;
  const elements = sources.elements.get(root) ?? [];
  return elements.filter(
    (one) => one.path.startsWith(prefix) && !one.path.slice(prefix.length).includes('.'),
  );
}

function propertiesOf(element: ElementDefinition, path: string, sources: Sources): Property[] {
  const last = element.path.slice(path.length + 1);
  const repeats = element.max !== '1';
  const required = element.min > 0;
  if (element.contentReference) {
    return [{ name: last, type: backbone(element.contentReference.slice(1)), repeats, required, element }];
  }
  const types = element.type ?? [];
  const codes = requiredCodes(element, sources);
  if (!last.endsWith('[x]')) {
    const [type] = types;
    if (!type) throw new Error(`${element.path} has no type`);
    return [
      {
        name: last,
        type: typeName(type.code, element.path),
        repeats,
        required,
        element,
        ...(codes && { codes }),
        ...targetsOf(type.targetProfile),
      },
    ];
  }
  const choice = last.slice(0, -3);
  return types.map((type) => ({
    name: choice + type.code.charAt(0).toUpperCase() + type.code.slice(1),
    type: typeName(type.code, element.path),
    repeats,
    required,
    element,
    choice,
    ...targetsOf(type.targetProfile),
  }));
}

function targetsOf(profiles: readonly string[] = []): { targets?: string[] } {
  const targets = profiles.map((profile) => profile.slice(profile.lastIndexOf('/') + 1));
  return targets.length === 0 || targets.includes('Resource') ? {} : { targets };
}

function typeName(code: string, path: string): string {
  if (code === 'BackboneElement' || code === 'Element') return path === 'Element' ? code : backbone(path);
  if (code === 'Resource') return containedName;
  if (code.startsWith('http:'))
    return systemTypes[path] ?? (recordNames.some((name) => path === `${name}.id`) ? 'id' : 'string');
  return code;
}

/** HL7's schema names the type of a nested element by its resource and its last segment: `CarePlan_Detail`. */
function backbone(path: string): string {
  const [root = '', ...rest] = path.split('.');
  const last = rest.at(-1) ?? '';
  return `${root}_${last.charAt(0).toUpperCase()}${last.slice(1)}`;
}

/** Leaves out what a vendor's copy of a StructureDefinition adds to HL7's own. */
function isPublished(definition: string, { name }: Property, sources: Sources): boolean {
  return Object.hasOwn(sources.schema.definitions[definition]?.properties ?? {}, name);
}

function checkComplete(definition: string, properties: readonly Property[], sources: Sources): void {
  const published = Object.keys(sources.schema.definitions[definition]?.properties ?? {});
  const known = new Set(properties.map(({ name }) => name));
  // HL7's schema gives modifierExtension to nested types whose StructureDefinition (a plain Element) has none.
  const expected = published.filter((name) => !name.startsWith('_') && !tolerated.has(name));
  const missing = expected.filter((name) => !known.has(name));
  if (missing.length > 0) throw new Error(`${definition}: no StructureDefinition for ${missing.join(', ')}`);
}

/** Whether a property is a primitive that may have a `_name` sibling (FHIR R4 json.html#primitive). */
export function hasSibling({ name, type }: Property): boolean {
  return type in primitives && type !== 'xhtml' && name !== 'id';
}
