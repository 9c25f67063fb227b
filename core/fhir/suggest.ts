import { locateOffset, type CursorLocation } from '../json/cursor-location.ts';
import { helpAt, membersAt, type ElementHelp } from './element-help.ts';
import { enclosedIn, type Enclosed } from './enclosing.ts';
import type { ResourceType } from './resource.ts';
import { resourceNames } from './validation/generated/element-table.js';

/** A text to insert into a record. */
export interface Suggestion {
  readonly kind: 'element' | 'code' | 'value';
  readonly label: string;
  /** Type and cardinality; may be empty. */
  readonly detail: string;
  readonly documentation: string;
  /** Text to insert, with `$0` for the cursor. */
  readonly insert: string;
  /** Range to replace in UTF-16 offsets; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** True if there are suggestions at the new cursor position. */
  readonly opensNext: boolean;
}

/** Members of any element or resource, which users rarely need. */
const commonNames = new Set([
  'id',
  'meta',
  'implicitRules',
  'language',
  'contained',
  'extension',
  'modifierExtension',
]);
const numbers = new Set(['decimal', 'integer', 'unsignedInt', 'positiveInt']);

/**
 * Returns suggestions for an offset of a record's text, which may be invalid. Required elements come first and
 * members of any element last.
 */
export function suggest(text: string, offset: number, type: ResourceType): Suggestion[] {
  const place = locateOffset(text, offset);
  if (place.role === 'name') return names(text, place, enclosedIn(text, type, place.container));
  return place.role === 'value' ? values(place, enclosedIn(text, type, place.tokens)) : [];
}

function names(text: string, place: CursorLocation, { type, tokens }: Enclosed): Suggestion[] {
  const usedNames = new Set(place.names);
  const members = membersAt(type, tokens);
  const usedChoices = new Set(
    members.filter(({ name }) => usedNames.has(name)).map(({ choice }) => choice ?? ''),
  );
  const free = members.filter(
    ({ name, choice = '' }) => !usedNames.has(name) && (choice === '' || !usedChoices.has(choice)),
  );
  const sortedHelps = free.toSorted((leftHelp, rightHelp) => rankOf(leftHelp) - rankOf(rightHelp));
  const followingText = text.slice(place.end, place.end + 200).trimStart();
  const renames = followingText.startsWith(':');
  const comma = followingText.startsWith('"') ? ',' : '';
  const suggestions = sortedHelps.map((help) => ({
    ...plain(place, 'element', help.name),
    detail: `${help.type} ${help.cardinality}`,
    documentation: help.definition ?? help.short,
    insert: renames ? `"${help.name}"` : `"${help.name}": ${blankOf(help)}${comma}`,
    goesOn: !renames && (help.codes !== undefined || help.type === 'boolean'),
  }));
  const contained = /(?:^|\/)contained\/\d+$/.test(place.container.join('/'));
  if (usedNames.has('resourceType') || (tokens.length > 0 && !contained)) return suggestions;
  if (contained) {
    const insert = `"resourceType": "$0"${comma}`;
    return [{ ...plain(place, 'element', 'resourceType'), insert, opensNext: true }, ...suggestions];
  }
  const insert = `"resourceType": "${type}"${comma}`;
  return [{ ...plain(place, 'element', 'resourceType'), insert }, ...suggestions];
}

/** Orders required elements first, then the type's own, then members of any element. */
function rankOf({ name, required }: ElementHelp): number {
  return required ? 0 : commonNames.has(name) ? 2 : 1;
}

/** Returns an empty value for an element of this type. */
function blankOf({ type, repeats, primitive }: ElementHelp): string {
  const scalar = type === 'boolean' || numbers.has(type) ? '$0' : '"$0"';
  if (repeats) return primitive ? `[${scalar}]` : '[\n  {\n    $0\n  }\n]';
  return primitive ? scalar : '{\n  $0\n}';
}

function values(place: CursorLocation, { type, tokens }: Enclosed): Suggestion[] {
  if (place.tokens.length === 1 && place.tokens[0] === 'resourceType') {
    return [{ ...plain(place, 'value', type), insert: `"${type}"` }];
  }
  if (/(?:^|\/)contained\/\d+\/resourceType$/.test(place.tokens.join('/'))) {
    return resourceNames.map((name) => ({ ...plain(place, 'value', name), insert: `"${name}"` }));
  }
  const help = helpAt(type, tokens);
  if (!help) return [];
  const item = /^[0-9]+$/.test(place.tokens.at(-1) ?? '');
  if (help.repeats && !item) return place.start === place.end ? [blank(place, help)] : [];
  if (help.codes) {
    return help.codes.map((code) => ({
      ...plain(place, 'code', code),
      documentation: help.meanings?.[code] ?? '',
      insert: `"${code}"`,
    }));
  }
  if (help.type === 'boolean') return ['true', 'false'].map((word) => plain(place, 'value', word));
  return help.primitive || place.start !== place.end ? [] : [blank(place, { ...help, repeats: false })];
}

function blank(place: CursorLocation, help: ElementHelp): Suggestion {
  return { ...plain(place, 'value', help.repeats ? '[ ]' : '{ }'), detail: help.type, insert: blankOf(help) };
}

function plain({ start, end }: CursorLocation, kind: Suggestion['kind'], label: string): Suggestion {
  return { kind, label, detail: '', documentation: '', insert: label, start, end, opensNext: false };
}
