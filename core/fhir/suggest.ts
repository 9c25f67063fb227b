import { locateOffset, type CursorLocation } from '../json/cursor-location.ts';
import { helpAt, membersAt, type ElementHelp } from './element-help.ts';
import { enclosedIn, type Enclosed } from './enclosing.ts';
import type { ResourceType } from './resource.ts';
import { resourceNames } from './validation/generated/element-table.js';

/** Something to write at a place in a record. */
export interface Suggestion {
  readonly kind: 'element' | 'code' | 'value';
  readonly label: string;
  /** Type and cardinality, or nothing. */
  readonly detail: string;
  readonly documentation: string;
  /** What to write, `$0` where the cursor goes. */
  readonly insert: string;
  /** What it replaces: UTF-16 offsets, `end` exclusive. */
  readonly start: number;
  readonly end: number;
  /** Whether there is more to choose where the cursor goes. */
  readonly goesOn: boolean;
}

/** What any element or resource may have; seldom what is looked for. */
const everywhere = new Set([
  'id',
  'meta',
  'implicitRules',
  'language',
  'contained',
  'extension',
  'modifierExtension',
]);
const numbers = new Set(['decimal', 'integer', 'unsignedInt', 'positiveInt']);

/** What can be written at an offset of a record's text, the mandatory first and what any element has last; the text need not be valid. */
export function suggest(text: string, offset: number, type: ResourceType): Suggestion[] {
  const place = locateOffset(text, offset);
  if (place.role === 'name') return names(text, place, enclosedIn(text, type, place.container));
  return place.role === 'value' ? values(place, enclosedIn(text, type, place.tokens)) : [];
}

function names(text: string, place: CursorLocation, { type, tokens }: Enclosed): Suggestion[] {
  const taken = new Set(place.names);
  const members = membersAt(type, tokens);
  const chosen = new Set(members.filter(({ name }) => taken.has(name)).map(({ choice }) => choice ?? ''));
  const free = members.filter(
    ({ name, choice = '' }) => !taken.has(name) && (choice === '' || !chosen.has(choice)),
  );
  const offered = free.toSorted((one, other) => rankOf(one) - rankOf(other));
  const rest = text.slice(place.end, place.end + 200).trimStart();
  const renames = rest.startsWith(':');
  const comma = rest.startsWith('"') ? ',' : '';
  const suggestions = offered.map((help) => ({
    ...plain(place, 'element', help.name),
    detail: `${help.type} ${help.cardinality}`,
    documentation: help.definition ?? help.short,
    insert: renames ? `"${help.name}"` : `"${help.name}": ${blankOf(help)}${comma}`,
    goesOn: !renames && (help.codes !== undefined || help.type === 'boolean'),
  }));
  const contained = /(?:^|\/)contained\/\d+$/.test(place.container.join('/'));
  if (taken.has('resourceType') || (tokens.length > 0 && !contained)) return suggestions;
  if (contained) {
    const insert = `"resourceType": "$0"${comma}`;
    return [{ ...plain(place, 'element', 'resourceType'), insert, goesOn: true }, ...suggestions];
  }
  const insert = `"resourceType": "${type}"${comma}`;
  return [{ ...plain(place, 'element', 'resourceType'), insert }, ...suggestions];
}

/** Mandatory elements, then the type's own, then what any has. */
function rankOf({ name, required }: ElementHelp): number {
  return required ? 0 : everywhere.has(name) ? 2 : 1;
}

/** The value of an element that is being written, as far as its type tells. */
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
  return { kind, label, detail: '', documentation: '', insert: label, start, end, goesOn: false };
}
