import { isCalendarDate } from '../../types/definition/dates.ts';
import {
  conformance,
  has,
  invariant,
  isMembers,
  list,
  reportIf,
  type Members,
  type Report,
  type Rule,
  type Surroundings,
} from '../../types/definition/rule.ts';
import { isLanguageTag } from './language-tag.ts';

const longestString = 1024 * 1024;
// oxlint-disable-next-line no-control-regex -- these are what it looks for
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/;
const dateForm = /^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])/;

/** Rules of every element and of the primitive types. */
export const elementRules = [
  {
    id: 'empty',
    ...conformance,
    code: 'structure',
    text: 'The element is null or empty; FHIR leaves such an element out.',
  },
  {
    id: 'ele-1',
    ...invariant,
    text: 'The element has an id and says nothing; give it content or remove it.',
    on: ['sparse'],
    // What belongs to a value stands beside it: `_name: {id}` is judged by the rule sibling.
    check: reportIf(
      (element, { kind }) =>
        Object.keys(element)[0] === 'id' && kind.slots.has('id') && kind.name !== 'Element',
    ),
  },
  {
    id: 'element-id',
    ...conformance,
    code: 'value',
    text: 'The id of the element holds white space; take it out.',
    about: 'value',
    flagged: true,
  },
  {
    id: 'element-id-twice',
    ...conformance,
    code: 'structure',
    text: 'Another element of the resource has this id already; change or remove one of them.',
    about: 'repetition',
    flagged: true,
  },
  {
    id: 'choice',
    ...conformance,
    code: 'structure',
    text: 'The element stands in two forms of which FHIR allows one; keep one of them.',
    about: 'parent',
    on: ['choosing'],
    check: (element: Members, report: Report, { kind }: Surroundings) => {
      const chosen = new Map<string, string>();
      for (const key of Object.keys(element)) {
        const group = kind.slots.get(key)?.choice;
        if (!group) continue;
        const plain = key.replace(/^_/, '');
        const other = chosen.get(group);
        if (other === undefined) chosen.set(group, plain);
        else if (other !== plain) report([key], `${group}[x]`);
      }
    },
  },
  {
    id: 'sibling',
    ...conformance,
    code: 'structure',
    text: 'A value and its sibling with an underscore do not belong together; pair them place by place.',
    on: ['paired'],
    check: (element: Members, report: Report) => {
      for (const key of Object.keys(element)) {
        const value = element[key];
        if (key.startsWith('_')) checkSibling(key, element[key.slice(1)], value, report);
        else if (Array.isArray(value) && value.includes(null) && !Array.isArray(element[`_${key}`])) {
          report([key, value.indexOf(null)], 'null without a sibling');
        }
      }
    },
  },
  {
    id: 'control-character',
    ...conformance,
    code: 'value',
    text: 'The text holds a control character other than tab and line ends; remove it.',
    on: ['escaped'],
    check: (text: string, report: Report) => {
      const at = text.search(control);
      if (at >= 0) report([], `at character ${at}`);
    },
  },
  {
    id: 'string-length',
    ...conformance,
    code: 'too-long',
    text: 'The text is longer than the 1,048,576 characters that FHIR allows; shorten it.',
    on: ['string', 'markdown'],
    check: reportIf((text: string) => text.length > longestString),
  },
  {
    id: 'calendar-date',
    ...conformance,
    code: 'value',
    text: 'The calendar has no such day; correct the date.',
    about: 'value',
    on: ['date', 'dateTime', 'instant'],
    check: reportIf((text: string) => dateForm.test(text) && !isCalendarDate(text)),
  },
  {
    id: 'base64-length',
    ...conformance,
    code: 'value',
    text: 'The data is not whole base64: groups of four characters, padded at the end; encode it again.',
    about: 'value',
    on: ['base64Binary'],
    check: reportIf((text: string) => {
      const data = text.replace(/\s+/g, '');
      const padding = data.indexOf('=');
      const misplaced = padding >= 0 && (padding < data.length - 2 || !data.endsWith('='));
      return data.length % 4 !== 0 || misplaced;
    }),
  },
  {
    id: 'language-tag',
    ...conformance,
    code: 'value',
    text: 'The language is not a language tag such as en or de-CH; correct it.',
    about: 'value',
    on: ['Record', 'Contained', 'Attachment'],
    check: reportIf(
      ({ language }) => typeof language === 'string' && language !== '' && !isLanguageTag(language),
      'language',
    ),
  },
] as const satisfies readonly Rule[];

function checkSibling(key: string, value: unknown, sibling: unknown, report: Report): void {
  if (!Array.isArray(sibling)) {
    const hollow = isMembers(sibling) && Object.keys(sibling).length === 1 && has(sibling, 'id');
    if (value === undefined && hollow) report([key], 'neither value nor extension');
    return;
  }
  const values = list(value);
  if (Array.isArray(value) && values.length !== sibling.length) report([key], 'arrays of unequal length');
  else {
    const empty = sibling.findIndex((item, index) => item === null && (values[index] ?? null) === null);
    if (empty >= 0) report([key, empty], 'neither value nor sibling');
  }
}
