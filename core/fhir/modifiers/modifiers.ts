import { items, member, stringMember, type JsonNode } from '../../json/node.ts';
import { modifierElements } from './generated/modifier-table.js';
import { expectedValues, modifierWords, unknownModifier } from './words.ts';

/** Something that changes the meaning of a resource or of a part of one. */
export interface Modifier {
  readonly words: string;
  /** True if the words stand before the name. */
  readonly negates: boolean;
}

/** A name with the words that change its meaning. */
export interface ModifiedName {
  /** Whole, to be shown as it is; blank where there are neither a name nor modifiers. */
  readonly name: string;
  /** The words at its head, without the colon behind them; blank where nothing negates. */
  readonly before: string;
}

/** Returns the modifiers of a resource itself, without those of its parts; none where the type is not R4's. */
export function ownModifiers(resource: JsonNode): Modifier[] {
  const paths = pathsOf(resource).filter((path) => !path.includes('.'));
  return distinct([
    ...unknownIn(member(resource, 'modifierExtension')),
    ...rulesOf(resource),
    ...paths.flatMap((path) => modifiersAt(resource, path)),
  ]);
}

/** Returns the modifiers of a resource that is shown by its name alone: those of its parts too. */
export function modifiersOf(resource: JsonNode): Modifier[] {
  const parts = pathsOf(resource).filter((path) => path.includes('.'));
  const within = parts.flatMap((path) =>
    modifiersAt(resource, path).flatMap(({ words, negates }) => {
      if (path === 'link.type') return { words, negates };
      const part = labelOf(path.slice(0, path.lastIndexOf('.')).split('.').at(-1) ?? '');
      // The name is not of the part: what negates the part qualifies the whole.
      return negates || path.endsWith('emptyReason') ? { words: `${part}: ${words}`, negates: false } : [];
    }),
  );
  const unknown = hasUnknown(resource, 'contained') ? unknownModifierOnly : [];
  return distinct([...unknown, ...ownModifiers(resource), ...within]);
}

/**
 * Returns the modifiers that negate an element of a resource type, such as `activity` of CarePlan. What else its parts say
 * is shown beside its name.
 */
export function negationsOf(type: string, element: string, node: JsonNode): Modifier[] {
  const paths = (modifierElements[type] ?? []).filter((path) => path.startsWith(`${element}.`));
  return distinct([
    ...(hasUnknown(node) ? unknownModifierOnly : []),
    ...paths.flatMap((path) => modifiersAt(node, path.slice(element.length + 1))),
  ]).filter(({ negates }) => negates);
}

/** Returns the modifiers of a backbone element without elements of its own in the table, such as an attester. */
export function unknownModifiers(node: JsonNode | undefined): readonly Modifier[] {
  return unknownIn(member(node, 'modifierExtension'));
}

/**
 * Returns a name with its modifiers: those that negate before it, the others behind it. `fallback` is named where the
 * resource has modifiers and no name.
 */
export function modifiedName(name: string, modifiers: readonly Modifier[], fallback: string): ModifiedName {
  if (modifiers.length === 0) return { name, before: '' };
  const words = (negates: boolean) =>
    modifiers
      .filter((one) => one.negates === negates)
      .map((one) => one.words)
      .join(', ');
  const [before, behind] = [words(true), words(false)];
  const head = before === '' ? '' : `${before}: `;
  return { name: `${head}${name || fallback}${behind === '' ? '' : ` (${behind})`}`, before };
}

/** Returns the reason for which a section or list is empty (FHIR R4 valueset-list-empty-reason.html); blank where none is. */
export function emptyReasonOf(node: JsonNode | undefined): string {
  const reason = member(node, 'emptyReason');
  const codings = items(member(reason, 'coding'));
  const first = (key: string) => codings.map((coding) => stringMember(coding, key)).find(Boolean);
  const code = first('code') ?? '';
  const known = modifierWords.find(({ element, value }) => element === 'emptyReason' && value === code);
  return (
    [stringMember(reason, 'text'), first('display'), known?.words.replace(/^empty: /, ''), code].find(
      Boolean,
    ) ?? ''
  );
}

const unknownModifierOnly: readonly Modifier[] = [{ words: unknownModifier, negates: true }];

function pathsOf(resource: JsonNode): readonly string[] {
  return modifierElements[stringMember(resource, 'resourceType') ?? ''] ?? [];
}

function unknownIn(extensions: JsonNode | undefined): readonly Modifier[] {
  const some = extensions?.kind === 'array' ? extensions.items.length > 0 : extensions !== undefined;
  return some ? unknownModifierOnly : [];
}

/** True if a node or a part of it has a modifier extension; `beside` is left out. */
function hasUnknown(node: JsonNode, beside = ''): boolean {
  if (node.kind === 'array') return node.items.some((one) => hasUnknown(one));
  if (node.kind !== 'object') return false;
  return node.members.some(({ key, value }) => {
    if (key === beside) return false;
    return key === 'modifierExtension' ? unknownIn(value).length > 0 : hasUnknown(value);
  });
}

/** FHIR R4 resource.html#implicitRules. */
function rulesOf(resource: JsonNode): Modifier[] {
  const rules = stringMember(resource, 'implicitRules') ?? '';
  return rules === '' ? [] : [{ words: `implicit rules: ${rules}`, negates: false }];
}

/** The modifiers that the values at a dotted path give, through arrays. */
function modifiersAt(node: JsonNode, path: string): Modifier[] {
  const keys = path.split('.');
  const element = keys.at(-1) ?? '';
  const nodes = keys.reduce<readonly JsonNode[]>(
    (all, key) =>
      all.flatMap((one) => {
        const value = member(one, key);
        return value?.kind === 'array' ? value.items : (value ?? []);
      }),
    [node],
  );
  return nodes.flatMap((one) => modifiersOfValue(element, one));
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
    const known = wordsFor(element, code);
    if (known) return known;
    return expectedValues.has(code) ? [] : [{ words: `${labelOf(element)}: ${code}`, negates: false }];
  });
}

function modifiersOfBoolean(element: string, value: boolean): Modifier[] {
  const known = wordsFor(element, String(value));
  if (known) return [known];
  return value && element !== 'active' ? [{ words: labelOf(element), negates: false }] : [];
}

function wordsFor(element: string, value: string): Modifier | undefined {
  const row = modifierWords.find(
    (one) => one.value === value && (one.element === undefined || one.element === element),
  );
  return row && { words: row.words, negates: row.negates ?? false };
}

/** A code, the codes of a CodeableConcept, its text where it has none, or a value that is none of them as written. */
function codesOf(value: JsonNode): string[] {
  if (value.kind === 'string') return [value.value];
  if (value.kind === 'number') return [value.source];
  const codes = items(member(value, 'coding')).flatMap((coding) => stringMember(coding, 'code') ?? []);
  const text = stringMember(value, 'text');
  return codes.length > 0 || text === undefined ? codes : [text];
}

function objectWith(key: string, value: JsonNode): JsonNode {
  const own = { key, keySource: JSON.stringify(key), keySpan: value, value };
  return { kind: 'object', members: [own], start: value.start, end: value.end };
}

/** `clinicalStatus` as words: `clinical status`. */
function labelOf(element: string): string {
  return element.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function distinct(modifiers: readonly Modifier[]): Modifier[] {
  return modifiers.filter(({ words }, at) => modifiers.findIndex((other) => other.words === words) === at);
}
