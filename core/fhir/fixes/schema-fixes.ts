import { isCalendarDate } from '../../types/definition/dates.ts';
import { setMemberAt, renameMember, replaceNode } from '../../json/edit.ts';
import { member, stringMember, type JsonNode } from '../../json/node.ts';
import { formatPointer, locate } from '../../json/pointer.ts';
import { scan } from '../../json/scan.ts';
import { helpAt, membersAt } from '../element-help.ts';
import { elementAt, hasForm } from '../element-type.ts';
import { createNamedRemoval, createTextReplacement } from './element-fixes.ts';
import {
  getEditDistance,
  createUnfixable,
  nodeOf,
  textOf,
  type Fix,
  type FixContext,
  type FixOption,
} from './fix.ts';

/** FHIR codes by words of other systems. */
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
  // Codes of confidentiality are letters.
  unrestricted: 'U',
  low: 'L',
  moderate: 'M',
  normal: 'N',
  restricted: 'R',
  veryrestricted: 'V',
};

const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Returns how close a code is to a text: 0 for another spelling, 3 for another word. */
function rankOf(text: string, code: string): number {
  const [textLetters, codeLetters] = [letters(text), letters(code)];
  if (textLetters === codeLetters) return 0;
  if (textLetters !== '' && synonyms[textLetters] === code) return 1;
  return getEditDistance(textLetters, codeLetters) <= 1 ||
    (textLetters.length > 5 && getEditDistance(textLetters, codeLetters) === 2)
    ? 2
    : 3;
}

/** Returns R4's definition of the element of a finding. */
function elementOf({ enclosed }: FixContext) {
  return elementAt(enclosed.type, formatPointer(enclosed.tokens));
}

/** Maximum number of codes if none is close. */
const maxCodes = 12;

function suggestCodes(context: FixContext): readonly (FixOption | undefined)[] {
  const { node, enclosed } = context;
  const help = helpAt(enclosed.type, enclosed.tokens);
  const text = textOf(node);
  if (!help?.codes || text === undefined) return [];
  const ranked = help.codes
    .map((code) => ({ code, rank: rankOf(text, code) }))
    .toSorted((leftCode, rightCode) => leftCode.rank - rightCode.rank);
  const near = ranked.filter(({ rank }) => rank < 3);
  const suggestedCodes = near.length > 0 || ranked.length <= maxCodes ? ranked.slice(0, maxCodes) : [];
  return suggestedCodes.map(({ code }) =>
    createTextReplacement(context, `schema-code=${code}`, code, `Set to ${code}`),
  );
}

const timePattern = /^(\d{4}-\d\d-\d\d)T(\d\d)(?::(\d\d))?(?::(\d\d(?:\.\d+)?))?(Z|[+-]\d\d:\d\d)?$/;

/** Completes a time with seconds and the local zone or UTC, or keeps only the day. */
function suggestZones(context: FixContext): readonly (FixOption | undefined)[] {
  const { node, zoneOf } = context;
  const [, day = '', hour = '', minute = '00', seconds = '00', zone] =
    timePattern.exec(textOf(node) ?? '') ?? [];
  if (day === '') return [];
  const local = `${day}T${hour}:${minute}:${seconds}`;
  if (zone !== undefined)
    return [createTextReplacement(context, 'date-time-zone=seconds', `${local}${zone}`)];
  const localZone = zoneOf?.(`${day}T${hour}:${minute}:00`);
  const isDayAllowed = elementOf(context)?.type === 'dateTime';
  return [
    localZone === undefined || localZone === '+00:00'
      ? undefined
      : createTextReplacement(
          context,
          'date-time-zone=local',
          `${local}${localZone}`,
          `Add this computer’s time zone (${localZone})`,
        ),
    createTextReplacement(context, 'date-time-zone=utc', `${local}Z`, 'Add Z (the time is UTC)'),
    isDayAllowed
      ? createTextReplacement(context, 'date-time-zone=day', day, `Keep the date only (${day})`)
      : undefined,
  ];
}

/** Yields possible meanings of a text. Each is used only if it is valid for its type. */
function* listReadings(text: string): Generator<readonly [id: string, value: string]> {
  yield ['trim', text.trim()];
  yield ['fragment', text.replace(/^#/, '')];
  const [, year, month, day] = /^(\d{4})[/.]?(\d\d)[/.]?(\d\d)$/.exec(text) ?? [];
  if (year !== undefined) yield ['date', `${year}-${month}-${day}`];
  const [, firstNumber = '', mark, secondNumber = '', yearText = ''] =
    /^(\d\d?)([./])(\d\d?)\2(\d{4})$/.exec(text) ?? [];
  const date = (dayText: string, monthText: string) =>
    `${yearText}-${monthText.padStart(2, '0')}-${dayText.padStart(2, '0')}`;
  // With points the day comes first. With slashes only a number above twelve decides.
  if (mark !== undefined) yield ['date=day-first', date(firstNumber, secondNumber)];
  if (mark === '/') yield ['date=month-first', date(secondNumber, firstNumber)];
}

function suggestForms(context: FixContext): readonly (FixOption | undefined)[] {
  const text = textOf(context.node);
  if (text === undefined) return [];
  const primitive = elementOf(context)?.type ?? context.detail;
  return [...listReadings(text)].map(([id, value]) => {
    const isDate = id.startsWith('date');
    if (!hasForm(primitive, value) || (isDate && !isCalendarDate(value))) return undefined;
    return createTextReplacement(context, `schema-primitive=${id}`, value);
  });
}

/** Converts a value to the required JSON type and preserves its digits. */
function convertType(context: FixContext): readonly (FixOption | undefined)[] {
  const { root, tokens, node, detail } = context;
  if (!node) return [];
  const createOption = (id: string, label: string, value: JsonNode | undefined) =>
    value && { id: `schema-type=${id}`, label, fixedRoot: replaceNode(root, tokens, value) };
  const source =
    node.kind === 'number' ? node.source : node.kind === 'boolean' ? String(node.value) : undefined;
  const text = textOf(node)?.trim() ?? '';
  const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text);
  return [
    detail === 'expected string' && source !== undefined
      ? createOption('text', `Change to a string: "${source}"`, nodeOf(source))
      : undefined,
    ['expected integer', 'expected number'].includes(detail) && number
      ? createOption('number', `Change to a number: ${text}`, scan(text).root)
      : undefined,
    detail === 'expected boolean' && ['true', 'false'].includes(text)
      ? createOption('boolean', `Change to a Boolean: ${text}`, scan(text).root)
      : undefined,
    detail === 'expected array'
      ? createOption('list', 'Put it in a list', { ...nodeList(), items: [node] })
      : undefined,
    node.kind === 'array' && node.items.length === 1
      ? createOption('item', 'Take it out of the list', node.items[0])
      : undefined,
  ];
}

const nodeList = () => ({ kind: 'array' as const, items: [] as JsonNode[], start: 0, end: 0 });

/** Renames an unknown element to a similar name, or removes it. */
function fixUnknownElement(context: FixContext): readonly (FixOption | undefined)[] {
  const { root, tokens, enclosed } = context;
  const name = tokens.at(-1) ?? '';
  const parent = tokens.slice(0, -1);
  const isPresent = (key: string) => member(locate(root, parent), key) !== undefined;
  const near = membersAt(enclosed.type, enclosed.tokens.slice(0, -1))
    .map((element) => element.name)
    .filter(
      (memberName) =>
        !isPresent(memberName) &&
        getEditDistance(letters(name), letters(memberName)) <= (name.length > 4 ? 2 : 0),
    );
  return [
    ...near.map((nearName) => ({
      id: `schema-unknown=${nearName}`,
      label: `Rename to ${nearName}`,
      fixedRoot: renameMember(root, tokens, nearName),
    })),
    ...createNamedRemoval({ id: 'schema-unknown=remove', name })(context),
  ];
}

const unknownValue = {
  extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode: 'unknown' }],
};

/** Adds a required element: a chosen code, the title from the type, or a data-absent-reason. */
function addRequiredElement(context: FixContext): readonly (FixOption | undefined)[] {
  const { root, tokens, enclosed, detail: name } = context;
  const help = membersAt(enclosed.type, enclosed.tokens).find((element) => element.name === name);
  if (!help) return [];
  const add = (id: string, label: string, value: unknown) => ({
    id: `schema-required=${id}`,
    label,
    fixedRoot: setMemberAt(root, tokens, name, nodeOf(help.repeats ? [value] : value)),
  });
  const typeConcept = member(locate(root, tokens), 'type');
  const coding = typeConcept && locate(typeConcept, ['coding', '0']);
  const typeText = stringMember(typeConcept, 'text') ?? stringMember(coding, 'display');
  return [
    ...(help.codes ?? []).map((code) => add(`${name}:${code}`, `Add ${name}: ${code}`, code)),
    name === 'title' && typeText !== undefined
      ? add('title', `Set title from the type: “${typeText}”`, typeText)
      : undefined,
    help.primitive ? undefined : add('unknown', `Mark ${name} as unknown (data-absent-reason)`, unknownValue),
  ];
}

export const schemaFixes: readonly Fix[] = [
  createUnfixable('stopped', 'Too many issues. Fix some first.'),
  createUnfixable('resource-type', 'Only the source can tell whether the address or the type is wrong.'),
  {
    rule: 'schema-type',
    label: 'Convert values to the JSON type FHIR requires',
    reasonWithoutOptions: 'The value can’t be converted without knowing what was meant.',
    listOptions: convertType,
  },
  {
    rule: 'schema-primitive',
    label: 'Correct the format of values',
    reasonWithoutOptions: 'The value can be read in more than one way.',
    listOptions: suggestForms,
  },
  {
    rule: 'date-time-zone',
    label: 'Add time zones',
    reasonWithoutOptions: 'Not a readable time. Check the source.',
    listOptions: suggestZones,
  },
  {
    rule: 'schema-code',
    label: 'Set the closest code',
    reasonWithoutOptions: 'No allowed code is close to this value.',
    listOptions: suggestCodes,
  },
  {
    rule: 'schema-required',
    label: 'Add the required element',
    reasonWithoutOptions: 'Only someone who knows the record can fill this in.',
    listOptions: addRequiredElement,
  },
  {
    rule: 'schema-unknown',
    label: 'Rename or remove unknown elements',
    reasonWithoutOptions: 'The element contains what other elements need.',
    listOptions: fixUnknownElement,
  },
  createUnfixable('depth', 'Only the author can restructure this record.'),
];
