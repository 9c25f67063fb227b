import { listRequiredCodes } from './schema-codes.ts';
import { primitives } from './schema-primitives.ts';
import type { ElementDefinition, ElementType, Sources } from './schema-sources.ts';
import { recordNames } from './schema-types.ts';

/** A property of a definition. The schema and the table of shapes are made of it. */
export interface Property {
  readonly name: string;
  readonly type: string;
  readonly repeats: boolean;
  readonly required: boolean;
  /** The choice element of the property: `value` for `valueString`. */
  readonly choice?: string;
  readonly targets?: readonly string[];
  readonly codes?: readonly string[];
  /** A profile of the type that R4 requires here: `SimpleQuantity` of `Quantity`. */
  readonly profile?: string;
  /** The source element in the StructureDefinition. */
  readonly element: ElementDefinition;
}

export interface Definition {
  readonly name: string;
  /** Path of the source element: `CarePlan.activity.detail`. */
  readonly path: string;
  readonly properties: readonly Property[];
}

/** Placeholder for any resource. `resourceType` selects the definition. */
export const containedName = 'Contained';

const tolerated = new Set(['resourceType', 'modifierExtension']);
const systemTypes: Readonly<Record<string, string>> = { 'Extension.url': 'uri' };

/**
 * Returns the definitions that the named resources reach, by default the records.
 *
 * @throws Error if HL7's schema and the StructureDefinitions name different elements.
 */
export function extractDefinitions(sources: Sources, names: readonly string[] = recordNames): Definition[] {
  const definitions = new Map<string, Definition>();
  const pending: { name: string; path: string }[] = ['Element', ...names].map((name) => ({
    name,
    path: name,
  }));
  for (let entry = pending.pop(); entry; entry = pending.pop()) {
    const { name, path } = entry;
    if (definitions.has(name) || name in primitives || name === containedName) continue;
    const context = { name, path, sources };
    const properties = listChildren(path, sources).flatMap((element) => listProperties(element, context));
    if (name in outdated) properties.push(...listOutdatedProperties(name, properties, sources));
    definitions.set(name, {
      name,
      path,
      properties: properties.filter((candidate) => isPublished(name, candidate, sources)),
    });
    for (const property of properties.filter((candidate) => candidate.type !== '')) {
      const nested = property.element.contentReference?.slice(1) ?? `${path}.${property.name}`;
      pending.push({ name: property.type, path: property.type.includes('_') ? nested : property.type });
    }
    checkComplete(name, properties, sources);
  }
  return [...definitions.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
}

function listChildren(path: string, sources: Sources): ElementDefinition[] {
  const [root = ''] = path.split('.');
  const prefix = `${path}.`;
  const elements = sources.elements.get(root) ?? [];
  return elements.filter(
    (element) => element.path.startsWith(prefix) && !element.path.slice(prefix.length).includes('.'),
  );
}

/** A definition that is being extracted. */
interface DefinitionContext {
  readonly name: string;
  readonly path: string;
  readonly sources: Sources;
}

function listProperties(element: ElementDefinition, context: DefinitionContext): Property[] {
  const { path, sources } = context;
  const elementName = element.path.slice(path.length + 1);
  const repeats = element.max !== '1';
  // Some copies of definitions are of a later release. The published schema is right then.
  const required =
    element.min > 0 || (sources.schema.definitions[context.name]?.required ?? []).includes(elementName);
  if (element.contentReference) {
    return [{ name: elementName, type: findBackboneName(elementName, context), repeats, required, element }];
  }
  const { type: types = [] } = element;
  const codes = listRequiredCodes(element, sources);
  const choice = elementName.endsWith('[x]') ? elementName.slice(0, -3) : undefined;
  if (choice === undefined && types.length === 0) throw new Error(`${element.path} has no type`);
  return (choice === undefined ? types.slice(0, 1) : types).map((type) => ({
    name:
      choice === undefined ? elementName : choice + type.code.charAt(0).toUpperCase() + type.code.slice(1),
    type: getTypeName(type.code, element.path, elementName, context),
    repeats,
    required,
    element,
    ...(choice === undefined ? codes && { codes } : { choice }),
    ...readProfile(type),
    ...readTargets(type.targetProfile),
  }));
}

/** R4 defines some types by constraining another. The schema only knows the other type. */
function readProfile({ code, profile = [] }: ElementType): { profile?: string } {
  const name = profile[0]?.slice(profile[0].lastIndexOf('/') + 1);
  return code === 'Quantity' && name !== undefined ? { profile: name } : {};
}

function readTargets(profiles: readonly string[] = []): { targets?: string[] } {
  const targets = profiles.map((profile) => profile.slice(profile.lastIndexOf('/') + 1));
  return targets.length === 0 || targets.includes('Resource') ? {} : { targets };
}

function getTypeName(code: string, path: string, elementName: string, context: DefinitionContext): string {
  if (code === 'BackboneElement' || code === 'Element')
    return path === 'Element' ? code : findBackboneName(elementName, context);
  if (code === 'Resource') return containedName;
  if (code.startsWith('http:')) {
    return (
      systemTypes[path] ??
      (context.sources.resourceNames.some((name) => path === `${name}.id`) ? 'id' : 'string')
    );
  }
  return code;
}

/**
 * Returns the name of a nested type in HL7's schema: its resource and last segment, such as
 * `CarePlan_Detail`.
 */
function findBackboneName(element: string, { name, sources }: DefinitionContext): string {
  const published = sources.schema.definitions[name]?.properties?.[element] as
    | { readonly $ref?: string; readonly items?: { readonly $ref?: string } }
    | undefined;
  const ref = published?.$ref ?? published?.items?.$ref;
  // Elements of a vendor have no name and are omitted.
  return ref?.slice(ref.lastIndexOf('/') + 1) ?? '';
}

/**
 * Returns false for elements that a vendor's copy of a StructureDefinition adds to HL7's. HL7's schema also
 * omits Meta of the open choice, which the standard has (FHIR R4 datatypes.html#open).
 */
function isPublished(definition: string, { name }: Property, sources: Sources): boolean {
  return (
    name === 'valueMeta' || Object.hasOwn(sources.schema.definitions[definition]?.properties ?? {}, name)
  );
}

/** Definitions with a copy of a later release, and the properties that only HL7's schema has. */
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

function listOutdatedProperties(
  name: string,
  knownProperties: readonly Property[],
  sources: Sources,
): Property[] {
  const published = sources.schema.definitions[name]?.properties ?? {};
  return Object.entries(outdated[name] ?? {}).map(([propertyName, type]) => {
    const { type: form, enum: codes } = published[propertyName] as {
      type?: string;
      enum?: readonly string[];
    };
    const choice = /^(?:definition|participantEffective)(?=[A-Z])/.exec(propertyName)?.[0];
    return {
      name: propertyName,
      type,
      repeats: form === 'array',
      required: false,
      element: { path: `${knownProperties[0]?.element.path ?? ''}.${propertyName}`, min: 0, max: '1' },
      ...(choice !== undefined && { choice }),
      ...(codes && { codes }),
    };
  });
}

function checkComplete(definition: string, properties: readonly Property[], sources: Sources): void {
  const published = Object.keys(sources.schema.definitions[definition]?.properties ?? {});
  const knownNames = new Set(properties.map(({ name }) => name));
  // HL7's schema gives modifierExtension to nested types although their StructureDefinition (a plain Element)
  // has none.
  const expected = published.filter((name) => !name.startsWith('_') && !tolerated.has(name));
  const missing = expected.filter((name) => !knownNames.has(name));
  if (missing.length > 0) throw new Error(`${definition}: no StructureDefinition for ${missing.join(', ')}`);
}

/** Returns true for a primitive property that may have a `_name` sibling (FHIR R4 json.html#primitive). */
export function hasSibling({ name, type }: Property): boolean {
  return type in primitives && type !== 'xhtml' && name !== 'id';
}
