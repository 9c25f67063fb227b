import { items, member, stringMember, type JsonNode } from '../../json/node.ts';
import { modifierElements } from './generated/modifier-table.js';
import { expectedValues, modifierWords, unknownModifier } from './words.ts';

/** A change to the meaning of a resource or of its part. */
export interface Modifier {
  readonly words: string;
  /** True if the words precede the name. */
  readonly negates: boolean;
}

/** A name with the words that change its meaning. */
export interface ModifiedName {
  /** The complete name; empty without a name and modifiers. */
  readonly name: string;
  /** The negating words at the beginning of the name, without the colon; empty if there are none. */
  readonly negation: string;
}

/** Returns the modifiers of a resource, without the modifiers of its parts. An unknown type has none. */
export function ownModifiers(resource: JsonNode): Modifier[] {
  const paths = pathsOf(resource).filter((path) => !path.includes('.'));
  return removeDuplicates([
    ...unknownIn(member(resource, 'modifierExtension')),
    ...rulesOf(resource),
    ...paths.flatMap((path) => modifiersAt(resource, path)),
  ]);
}

/** Returns the modifiers of a resource and its parts, for views that show only its name. */
export function modifiersOf(resource: JsonNode): Modifier[] {
  const parts = pathsOf(resource).filter((path) => path.includes('.'));
  const partModifiers = parts.flatMap((path) =>
    modifiersAt(resource, path).flatMap(({ words, negates }) => {
      if (path === 'link.type') return { words, negates };
      const part = labelOf(path.slice(0, path.lastIndexOf('.')).split('.').at(-1) ?? '');
      // A negation of the part only qualifies the whole.
      return negates || path.endsWith('emptyReason') ? { words: `${part}: ${words}`, negates: false } : [];
    }),
  );
  const unknown = hasUnknown(resource, 'contained') ? unknownModifierOnly : [];
  return removeDuplicates([...unknown, ...ownModifiers(resource), ...partModifiers]);
}

/**
 * Returns the negating modifiers of an element, such as `activity` of CarePlan. The view shows other
 * modifiers of its parts separately.
 */
export function negationsOf(type: string, element: string, node: JsonNode): Modifier[] {
  const paths = (modifierElements[type] ?? []).filter((path) => path.startsWith(`${element}.`));
  return removeDuplicates([
    ...(hasUnknown(node) ? unknownModifierOnly : []),
    ...paths.flatMap((path) => modifiersAt(node, path.slice(element.length + 1))),
  ]).filter(({ negates }) => negates);
}

/** Returns the modifier extensions of a backbone element without an entry in the table, such as an attester. */
export function unknownModifiers(node: JsonNode | undefined): readonly Modifier[] {
  return unknownIn(member(node, 'modifierExtension'));
}

/**
 * Returns a name with its modifiers: negating ones before it, the others after it.
 *
 * @param fallback - Name of a resource with modifiers and without a name.
 */
export function modifiedName(name: string, modifiers: readonly Modifier[], fallback: string): ModifiedName {
  if (modifiers.length === 0) return { name, negation: '' };
  const words = (negates: boolean) =>
    modifiers
      .filter((modifier) => modifier.negates === negates)
      .map((modifier) => modifier.words)
      .join(', ');
  const [negation, after] = [words(true), words(false)];
  const head = negation === '' ? '' : `${negation}: `;
  return { name: `${head}${name || fallback}${after === '' ? '' : ` (${after})`}`, negation };
}

/**
 * Returns the reason for which a section or list is empty; empty if there is none (FHIR R4
 * valueset-list-empty-reason.html).
 */
export function emptyReasonOf(node: JsonNode | undefined): string {
  const reason = member(node, 'emptyReason');
  const codings = items(member(reason, 'coding'));
  const findFirst = (key: string) => codings.map((coding) => stringMember(coding, key)).find(Boolean);
  const code = findFirst('code') ?? '';
  const knownReason = modifierWords.find(({ element, value }) => element === 'emptyReason' && value === code);
  return (
    [
      stringMember(reason, 'text'),
      findFirst('display'),
      knownReason?.words.replace(/^empty: /, ''),
      code,
    ].find(Boolean) ?? ''
  );
}

const unknownModifierOnly: readonly Modifier[] = [{ words: unknownModifier, negates: true }];

function pathsOf(resource: JsonNode): readonly string[] {
  return modifierElements[stringMember(resource, 'resourceType') ?? ''] ?? [];
}

function unknownIn(extensions: JsonNode | undefined): readonly Modifier[] {
  const hasExtension = extensions?.kind === 'array' ? extensions.items.length > 0 : extensions !== undefined;
  return hasExtension ? unknownModifierOnly : [];
}

/** Returns true if a node or its part has a modifier extension. Ignores the member `skippedName`. */
function hasUnknown(node: JsonNode, skippedName = ''): boolean {
  if (node.kind === 'array') return node.items.some((item) => hasUnknown(item));
  if (node.kind !== 'object') return false;
  return node.members.some(({ key, value }) => {
    if (key === skippedName) return false;
    return key === 'modifierExtension' ? unknownIn(value).length > 0 : hasUnknown(value);
  });
}

/** Returns the implicit rules as a modifier (FHIR R4 resource.html#implicitRules). */
function rulesOf(resource: JsonNode): Modifier[] {
  const rules = stringMember(resource, 'implicitRules') ?? '';
  return rules === '' ? [] : [{ words: `implicit rules: ${rules}`, negates: false }];
}

/** Returns the modifiers of the values at a dotted path, including list items. */
function modifiersAt(node: JsonNode, path: string): Modifier[] {
  const keys = path.split('.');
  const element = keys.at(-1) ?? '';
  const nodes = keys.reduce<readonly JsonNode[]>(
    (parents, key) =>
      parents.flatMap((parent) => {
        const value = member(parent, key);
        return value?.kind === 'array' ? value.items : (value ?? []);
      }),
    [node],
  );
  return nodes.flatMap((value) => modifiersOfValue(element, value));
}

function modifiersOfValue(element: string, value: JsonNode): Modifier[] {
  if (element === 'emptyReason') {
    const reason = emptyReasonOf(objectWith('emptyReason', value));
    return reason === '' ? [] : [{ words: `empty: ${reason}`, negates: false }];
  }
  if (element === 'deceasedDateTime')
    return value.kind === 'string' ? [{ words: 'deceased', negates: false }] : [];
  if (value.kind === 'boolean') return modifiersOfBoolean(element, value.value);
  return codesOf(value).flatMap((code) => {
    const knownModifier = wordsFor(element, code);
    if (knownModifier) return knownModifier;
    return expectedValues.has(code) ? [] : [{ words: `${labelOf(element)}: ${code}`, negates: false }];
  });
}

function modifiersOfBoolean(element: string, value: boolean): Modifier[] {
  const knownModifier = wordsFor(element, String(value));
  if (knownModifier) return [knownModifier];
  return value && element !== 'active' ? [{ words: labelOf(element), negates: false }] : [];
}

function wordsFor(element: string, value: string): Modifier | undefined {
  const row = modifierWords.find(
    (candidate) =>
      candidate.value === value && (candidate.element === undefined || candidate.element === element),
  );
  return row && { words: row.words, negates: row.negates ?? false };
}

/** Returns the code, the codes of a CodeableConcept, or its text. Other values are as written. */
function codesOf(value: JsonNode): string[] {
  if (value.kind === 'string') return [value.value];
  if (value.kind === 'number') return [value.source];
  const codes = items(member(value, 'coding')).flatMap((coding) => stringMember(coding, 'code') ?? []);
  const text = stringMember(value, 'text');
  return codes.length > 0 || text === undefined ? codes : [text];
}

function objectWith(key: string, value: JsonNode): JsonNode {
  const objectMember = { key, keySource: JSON.stringify(key), keySpan: value, value };
  return { kind: 'object', members: [objectMember], start: value.start, end: value.end };
}

/** Formats an element name as words: `clinicalStatus` as `clinical status`. */
function labelOf(element: string): string {
  return element.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function removeDuplicates(modifiers: readonly Modifier[]): Modifier[] {
  return modifiers.filter(
    ({ words }, index) => modifiers.findIndex((candidate) => candidate.words === words) === index,
  );
}
