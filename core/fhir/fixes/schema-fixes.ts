import { isCalendarDate } from '../../types/definition/dates.ts';
import { inserted, renamed, replaced } from '../../json/edit.ts';
import { member, stringMember, type JsonNode } from '../../json/node.ts';
import { formatPointer, locate } from '../../json/pointer.ts';
import { scan } from '../../json/scan.ts';
import { helpAt, membersAt } from '../element-help.ts';
import { elementAt, hasForm } from '../element-type.ts';
import { remove, retext } from './element-fixes.ts';
import { distance, never, nodeOf, textOf, type Fix, type FixPlace, type Way } from './fix.ts';

/** What other systems call that for which FHIR has a code. */
const synonyms: Readonly<Record<string, string>> = {
  inprogress: 'active',
  running: 'active',
  open: 'active',
  ongoing: 'active',
  current: 'active',
  done: 'completed',
  complete: 'completed',
  finished: 'completed',
  closed: 'completed',
  ended: 'completed',
  canceled: 'revoked',
  cancelled: 'revoked',
  aborted: 'revoked',
  stopped: 'revoked',
  paused: 'on-hold',
  suspended: 'on-hold',
  hold: 'on-hold',
  planned: 'draft',
  new: 'draft',
  error: 'entered-in-error',
  signed: 'final',
  corrected: 'amended',
  interim: 'preliminary',
  // The codes of confidentiality are letters.
  unrestricted: 'U',
  low: 'L',
  moderate: 'M',
  normal: 'N',
  restricted: 'R',
  veryrestricted: 'V',
};

const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** How near a code is to what stands there: 0 the same but for its spelling, 3 another word. */
function rankOf(text: string, code: string): number {
  const [said, known] = [letters(text), letters(code)];
  if (said === known) return 0;
  if (said !== '' && synonyms[said] === code) return 1;
  return distance(said, known) <= 1 || (said.length > 5 && distance(said, known) === 2) ? 2 : 3;
}

/** What R4 says of the element of a finding. */
function elementOf({ enclosed }: FixPlace) {
  return elementAt(enclosed.type, formatPointer(enclosed.tokens));
}

/** Codes that are offered where none is near. */
const mostCodes = 12;

function codes(place: FixPlace): readonly (Way | undefined)[] {
  const { node, enclosed } = place;
  const help = helpAt(enclosed.type, enclosed.tokens);
  const text = textOf(node);
  if (!help?.codes || text === undefined) return [];
  const ranked = help.codes
    .map((code) => ({ code, rank: rankOf(text, code) }))
    .toSorted((one, other) => one.rank - other.rank);
  const near = ranked.filter(({ rank }) => rank < 3);
  const offered = near.length > 0 || ranked.length <= mostCodes ? ranked.slice(0, mostCodes) : [];
  return offered.map(({ code }) => retext(place, `schema-code=${code}`, code, `Set to ${code}`));
}

const time = /^(\d{4}-\d\d-\d\d)T(\d\d)(?::(\d\d))?(?::(\d\d(?:\.\d+)?))?(Z|[+-]\d\d:\d\d)?$/;

/** Seconds where there are none, and the zone: that of the steward's machine, or UTC; or the day alone. */
function zones(place: FixPlace): readonly (Way | undefined)[] {
  const { node, zoneOf } = place;
  const [, day = '', hour = '', minute = '00', second = '00', zone] = time.exec(textOf(node) ?? '') ?? [];
  if (day === '') return [];
  const local = `${day}T${hour}:${minute}:${second}`;
  if (zone !== undefined) return [retext(place, 'date-time-zone=seconds', `${local}${zone}`)];
  const here = zoneOf?.(`${day}T${hour}:${minute}:00`);
  const dayAlone = elementOf(place)?.type === 'dateTime';
  return [
    here === undefined || here === '+00:00'
      ? undefined
      : retext(place, 'date-time-zone=local', `${local}${here}`, `Add the zone of this machine (${here})`),
    retext(place, 'date-time-zone=utc', `${local}Z`, 'Add Z: the time is in UTC'),
    dayAlone ? retext(place, 'date-time-zone=day', day, `Keep the day alone (${day})`) : undefined,
  ];
}

/** What a text may have been meant as; each is taken only where it has the form of its type. */
function* readings(text: string): Generator<readonly [id: string, value: string]> {
  yield ['trim', text.trim()];
  yield ['fragment', text.replace(/^#/, '')];
  const [, year, month, day] = /^(\d{4})[/.]?(\d\d)[/.]?(\d\d)$/.exec(text) ?? [];
  if (year !== undefined) yield ['date', `${year}-${month}-${day}`];
  const [, first = '', mark, second = '', of = ''] = /^(\d\d?)([./])(\d\d?)\2(\d{4})$/.exec(text) ?? [];
  const date = (one: string, other: string) => `${of}-${other.padStart(2, '0')}-${one.padStart(2, '0')}`;
  // With points the day comes first; with strokes only a number beyond twelve tells.
  if (mark !== undefined) yield ['date=day-first', date(first, second)];
  if (mark === '/') yield ['date=month-first', date(second, first)];
}

function forms(place: FixPlace): readonly (Way | undefined)[] {
  const text = textOf(place.node);
  if (text === undefined) return [];
  const primitive = elementOf(place)?.type ?? place.detail;
  return [...readings(text)].map(([id, value]) => {
    const isDate = id.startsWith('date');
    if (!hasForm(primitive, value) || (isDate && !isCalendarDate(value))) return undefined;
    return retext(place, `schema-primitive=${id}`, value);
  });
}

/** The same value in the JSON type that FHIR asks for; digits stay as they are written. */
function types(place: FixPlace): readonly (Way | undefined)[] {
  const { root, tokens, node, detail } = place;
  if (!node) return [];
  const way = (id: string, words: string, value: JsonNode | undefined) =>
    value && { id: `schema-type=${id}`, words, root: replaced(root, tokens, value) };
  const source =
    node.kind === 'number' ? node.source : node.kind === 'boolean' ? String(node.value) : undefined;
  const text = textOf(node)?.trim() ?? '';
  const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text);
  return [
    detail === 'expected string' && source !== undefined
      ? way('text', `Write it as text: "${source}"`, nodeOf(source))
      : undefined,
    ['expected integer', 'expected number'].includes(detail) && number
      ? way('number', `Write it as a number: ${text}`, scan(text).root)
      : undefined,
    detail === 'expected boolean' && ['true', 'false'].includes(text)
      ? way('boolean', `Write it as ${text}`, scan(text).root)
      : undefined,
    detail === 'expected array'
      ? way('list', 'Make it a list of one', { ...nodeList(), items: [node] })
      : undefined,
    node.kind === 'array' && node.items.length === 1
      ? way('item', 'Take it out of its list', node.items[0])
      : undefined,
  ];
}

const nodeList = () => ({ kind: 'array' as const, items: [] as JsonNode[], start: 0, end: 0 });

/** Elements that FHIR does not know: under the name that is near, or away. */
function unknown(place: FixPlace): readonly (Way | undefined)[] {
  const { root, tokens, enclosed } = place;
  const name = tokens.at(-1) ?? '';
  const parent = tokens.slice(0, -1);
  const taken = (key: string) => member(locate(root, parent), key) !== undefined;
  const near = membersAt(enclosed.type, enclosed.tokens.slice(0, -1))
    .map((one) => one.name)
    .filter((one) => !taken(one) && distance(letters(name), letters(one)) <= (name.length > 4 ? 2 : 0));
  return [
    ...near.map((one) => ({
      id: `schema-unknown=${one}`,
      words: `Rename to ${one}`,
      root: renamed(root, tokens, one),
    })),
    ...remove('schema-unknown=remove', `Remove ${name}`)(place),
  ];
}

const absent = {
  extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode: 'unknown' }],
};

/** Mandatory elements: a code is chosen, a title is taken from the type, and what is not known is said to be so. */
function required(place: FixPlace): readonly (Way | undefined)[] {
  const { root, tokens, enclosed, detail: name } = place;
  const help = membersAt(enclosed.type, enclosed.tokens).find((one) => one.name === name);
  if (!help) return [];
  const add = (id: string, words: string, value: unknown) => ({
    id: `schema-required=${id}`,
    words,
    root: inserted(root, tokens, name, nodeOf(help.repeats ? [value] : value)),
  });
  const coded = member(locate(root, tokens), 'type');
  const coding = coded && locate(coded, ['coding', '0']);
  const called = stringMember(coded, 'text') ?? stringMember(coding, 'display');
  return [
    ...(help.codes ?? []).map((code) => add(`${name}:${code}`, `Add ${name}: ${code}`, code)),
    name === 'title' && called !== undefined
      ? add('title', `Add the type as title: “${called}”`, called)
      : undefined,
    help.primitive ? undefined : add('unknown', `Say that ${name} is unknown`, absent),
  ];
}

/** Fixes of what FHIR's schema finds. */
export const schemaFixes: readonly Fix[] = [
  never('stopped', 'The record has too many findings; mend some of them first.'),
  never(
    'resource-type',
    'The record belongs at another address, or its type is wrong: only its source says which.',
  ),
  {
    rule: 'schema-type',
    words: 'Write values in the JSON type that FHIR asks for',
    none: 'The value cannot be written in the form that FHIR asks for without knowing what was meant.',
    ways: types,
  },
  {
    rule: 'schema-primitive',
    words: 'Write values in the form of their type',
    none: 'The value has no form that could be read in one way alone.',
    ways: forms,
  },
  {
    rule: 'date-time-zone',
    words: 'Complete times with their zone',
    none: 'The time cannot be read; only its source says what was meant.',
    ways: zones,
  },
  {
    rule: 'schema-code',
    words: 'Set the nearest code',
    none: 'None of the codes that are allowed is near to what stands there.',
    ways: codes,
  },
  {
    rule: 'schema-required',
    words: 'Add the mandatory element',
    none: 'Only who knows the record can say what belongs there.',
    ways: required,
  },
  {
    rule: 'schema-unknown',
    words: 'Rename or remove elements that FHIR does not know',
    none: 'The element holds what other elements need.',
    ways: unknown,
  },
  never('depth', 'A record that nests so deeply is laid out anew by its author alone.'),
];
