import { requiredCodes } from './schema-codes.ts';
import { primitives } from './schema-primitives.ts';
import type { ElementDefinition, ElementType, Sources } from './schema-sources.ts';
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
  /** A profile of the type that R4 asks for at this place: `SimpleQuantity` of `Quantity`. */
  readonly profile?: string;
  /** The element of the StructureDefinition that it is made from. */
  readonly element: ElementDefinition;
}

export interface Definition {
  readonly name: string;
  /** Of the element that it is made from: `CarePlan.activity.detail`. */
  readonly path: string;
  readonly properties: readonly Property[];
}

/** What stands for any resource; its own definition is chosen by its `resourceType`. */
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
    const place = { name, path, sources };
    const properties = childrenOf(path, sources).flatMap((element) => propertiesOf(element, place));
    if (name in outdated) properties.push(...outdatedProperties(name, properties, sources));
    found.set(name, { name, path, properties: properties.filter((one) => isPublished(name, one, sources)) });
    for (const property of properties.filter((one) => one.type !== '')) {
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

/** A definition that is being cut. */
interface Place {
  readonly name: string;
  readonly path: string;
  readonly sources: Sources;
}

function propertiesOf(element: ElementDefinition, place: Place): Property[] {
  const { path, sources } = place;
  const last = element.path.slice(path.length + 1);
  const repeats = element.max !== '1';
  // Where the copy of a definition is that of a later release, the published schema knows better.
  const required = element.min > 0 || (sources.schema.definitions[place.name]?.required ?? []).includes(last);
  if (element.contentReference) {
    return [{ name: last, type: backbone(last, place), repeats, required, element }];
  }
  const { type: types = [] } = element;
  const codes = requiredCodes(element, sources);
  const choice = last.endsWith('[x]') ? last.slice(0, -3) : undefined;
  if (choice === undefined && types.length === 0) throw new Error(`${element.path} has no type`);
  return (choice === undefined ? types.slice(0, 1) : types).map((type) => ({
    name: choice === undefined ? last : choice + type.code.charAt(0).toUpperCase() + type.code.slice(1),
    type: typeName(type.code, element.path, last, place),
    ...{ repeats, required, element },
    ...(choice === undefined ? codes && { codes } : { choice }),
    ...profileOf(type),
    ...targetsOf(type.targetProfile),
  }));
}

/** Of what R4 defines as a type by constraining another, the schema of types knows the other alone. */
function profileOf({ code, profile = [] }: ElementType): { profile?: string } {
  const name = profile[0]?.slice(profile[0].lastIndexOf('/') + 1);
  return code === 'Quantity' && name !== undefined ? { profile: name } : {};
}

function targetsOf(profiles: readonly string[] = []): { targets?: string[] } {
  const targets = profiles.map((profile) => profile.slice(profile.lastIndexOf('/') + 1));
  return targets.length === 0 || targets.includes('Resource') ? {} : { targets };
}

function typeName(code: string, path: string, last: string, place: Place): string {
  if (code === 'BackboneElement' || code === 'Element')
    return path === 'Element' ? code : backbone(last, place);
  if (code === 'Resource') return containedName;
  if (code.startsWith('http:')) {
    return (
      systemTypes[path] ??
      (place.sources.resourceNames.some((name) => path === `${name}.id`) ? 'id' : 'string')
    );
  }
  return code;
}

/** HL7's schema names the type of a nested element, by its resource and its last segment: `CarePlan_Detail`. */
function backbone(element: string, { name, sources }: Place): string {
  const published = sources.schema.definitions[name]?.properties?.[element] as
    | { readonly $ref?: string; readonly items?: { readonly $ref?: string } }
    | undefined;
  const ref = published?.$ref ?? published?.items?.$ref;
  // What a vendor adds has no name, and is left out.
  return ref?.slice(ref.lastIndexOf('/') + 1) ?? '';
}

/**
 * Leaves out what a vendor's copy of a StructureDefinition adds to HL7's own. Of the open choice, HL7's schema leaves out
 * Meta, which the standard has (FHIR R4 datatypes.html#open).
 */
function isPublished(definition: string, { name }: Property, sources: Sources): boolean {
  return (
    name === 'valueMeta' || Object.hasOwn(sources.schema.definitions[definition]?.properties ?? {}, name)
  );
}

/** Definitions of which the copy at hand is that of a later release, each with what HL7's schema has of it beside. */
const outdated: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  EvidenceVariable_Characteristic: {
    definitionDataRequirement: 'DataRequirement',
    definitionTriggerDefinition: 'TriggerDefinition',
    usageContext: 'UsageContext',
    participantEffectiveDateTime: 'dateTime',
    participantEffectivePeriod: 'Period',
    participantEffectiveDuration: 'Duration',
    participantEffectiveTiming: 'Timing',
    timeFromStart: 'Duration',
    groupMeasure: 'code',
  },
};

function outdatedProperties(name: string, known: readonly Property[], sources: Sources): Property[] {
  const published = sources.schema.definitions[name]?.properties ?? {};
  return Object.entries(outdated[name] ?? {}).map(([own, type]) => {
    const { type: form, enum: codes } = published[own] as { type?: string; enum?: readonly string[] };
    const choice = /^(?:definition|participantEffective)(?=[A-Z])/.exec(own)?.[0];
    return {
      ...{ name: own, type, repeats: form === 'array', required: false },
      element: { path: `${known[0]?.element.path ?? ''}.${own}`, min: 0, max: '1' },
      ...(choice !== undefined && { choice }),
      ...(codes && { codes }),
    };
  });
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
