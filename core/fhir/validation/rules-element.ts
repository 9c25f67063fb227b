import { isCalendarDate } from '../../types/definition/dates.ts';
import {
  conformance,
  has,
  invariant,
  isPlainObject,
  list,
  reportIf,
  type PlainObject,
  type ReportFinding,
  type Rule,
  type RuleContext,
} from '../../types/definition/rule.ts';
import { isLanguageTag } from './language-tag.ts';

const maxStringLength = 1024 * 1024;
// oxlint-disable-next-line no-control-regex -- these are what it looks for
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/;
const dateForm = /^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])/;

/** Rules of every element and of the primitive types. */
export const elementRules = [
  {
    id: 'empty',
    ...conformance,
    code: 'structure',
    text: 'Empty or null element. Remove it.',
  },
  {
    id: 'ele-1',
    ...invariant,
    text: 'The element has an id but no content. Add content or remove it.',
    appliesTo: ['sparse'],
    // The sibling rule covers a primitive's sibling such as `_name: {id}`.
    check: reportIf(
      (element, { kind }) =>
        Object.keys(element)[0] === 'id' && kind.slots.has('id') && kind.name !== 'Element',
    ),
  },
  {
    id: 'element-id',
    ...conformance,
    code: 'value',
    text: 'The element id contains white space. Remove it.',
    subject: 'value',
    flagged: true,
  },
  {
    id: 'element-id-twice',
    ...conformance,
    code: 'structure',
    text: 'Duplicate element id. Change or remove one.',
    subject: 'repetition',
    flagged: true,
  },
  {
    id: 'choice',
    ...conformance,
    code: 'structure',
    text: 'Two types of the same choice element are present. Keep one.',
    subject: 'parent',
    appliesTo: ['choosing'],
    check: (element: PlainObject, report: ReportFinding, { kind }: RuleContext) => {
      const chosenKeys = new Map<string, string>();
      for (const key of Object.keys(element)) {
        const group = kind.slots.get(key)?.choice;
        if (!group) continue;
        const plain = key.replace(/^_/, '');
        const chosenKey = chosenKeys.get(group);
        if (chosenKey === undefined) chosenKeys.set(group, plain);
        else if (chosenKey !== plain) report([key], `${group}[x]`);
      }
    },
  },
  {
    id: 'sibling',
    ...conformance,
    code: 'structure',
    text: 'A value and its underscore sibling don’t match. Align them item by item.',
    appliesTo: ['paired'],
    check: (element: PlainObject, report: ReportFinding) => {
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
    text: 'The text contains a control character. Remove it.',
    appliesTo: ['escaped'],
    check: (text: string, report: ReportFinding) => {
      const offset = text.search(control);
      if (offset >= 0) report([], `at character ${offset}`);
    },
  },
  {
    id: 'string-length',
    ...conformance,
    code: 'too-long',
    text: 'The text is longer than FHIR allows (1,048,576 characters).',
    appliesTo: ['string', 'markdown'],
    check: reportIf((text: string) => text.length > maxStringLength),
  },
  {
    id: 'calendar-date',
    ...conformance,
    code: 'value',
    text: 'This date doesn’t exist. Correct it.',
    subject: 'value',
    appliesTo: ['date', 'dateTime', 'instant'],
    check: reportIf((text: string) => dateForm.test(text) && !isCalendarDate(text)),
  },
  {
    id: 'base64-length',
    ...conformance,
    code: 'value',
    text: 'Invalid base64 data. Encode it again.',
    subject: 'value',
    appliesTo: ['base64Binary'],
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
    text: 'Not a language tag. Use one such as en or de-CH.',
    subject: 'value',
    appliesTo: ['Record', 'Contained', 'Attachment'],
    check: reportIf(
      ({ language }) => typeof language === 'string' && language !== '' && !isLanguageTag(language),
      'language',
    ),
  },
] as const satisfies readonly Rule[];

function checkSibling(key: string, value: unknown, sibling: unknown, report: ReportFinding): void {
  if (!Array.isArray(sibling)) {
    const hollow = isPlainObject(sibling) && Object.keys(sibling).length === 1 && has(sibling, 'id');
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
