import { formatCount } from '../../text/language.ts';
import {
  invariant,
  reportIf,
  conformance,
  has,
  isPlainObject,
  list,
  type Rule,
  type RuleSubject,
  type PlainObject,
  type ReportFinding,
  type RuleContext,
} from '../../types/definition/rule.ts';
import { definitions } from '../../types/generated/definitions.ts';
import { isValueDemand } from '../profiles/profile-rules.ts';
import { maxFindings, findingOf, issueOfFinding, type Finding } from './finding.ts';
import { datatypeRules, timingRules } from './rules-datatype.ts';
import { resourceRules, referenceRules } from './rules-resource.ts';
import { releaseRules } from './rules-release.ts';
import { schemaRules } from './rules-schema.ts';
import { markupOf, type Markup } from './xhtml.ts';
import { isCalendarDate } from '../../types/definition/dates.ts';
import { isLanguageTag } from './language-tag.ts';
import { member, stringMember, equal, type JsonObject } from '../../json/node.ts';
import { tryScan } from '../../json/scan.ts';
import type { OutcomeIssue } from '../outcome.ts';
import type { ResourceType } from '../resource.ts';

const maxStringLength = 1024 * 1024;
// oxlint-disable-next-line no-control-regex -- these are what it looks for
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/;
const dateForm = /^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])/;

/** Rules of every element and of the primitive types. */
const elementRules = [
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

function markupIn({ div }: PlainObject): Markup | undefined {
  return typeof div === 'string' ? markupOf(div) : undefined;
}

/** Rules of the narrative (FHIR R4 narrative.html). */
const narrativeRules = [
  {
    id: 'txt-1',
    ...invariant,
    text: 'The narrative is not valid FHIR XHTML.',
    appliesTo: ['Narrative'],
    check: (narrative: PlainObject, report: ReportFinding) => {
      const markup = markupIn(narrative);
      if (markup?.fault !== undefined) report(['div'], `${markup.fault}, at character ${markup.offset ?? 0}`);
    },
  },
  {
    id: 'txt-2',
    severity: 'error',
    category: 'completeness',
    code: 'invariant',
    text: 'The narrative is empty. Write it or remove it.',
    appliesTo: ['Narrative'],
    check: reportIf((narrative) => {
      const markup = markupIn(narrative);
      return markup?.fault === undefined && markup?.hasContent === false;
    }, 'div'),
  },
  {
    id: 'narrative-namespace',
    severity: 'warning',
    category: 'conformance',
    code: 'business-rule',
    text: 'The narrative lacks the XHTML namespace. Add xmlns to its outer div.',
    appliesTo: ['Narrative'],
    check: reportIf((narrative) => {
      const markup = markupIn(narrative);
      return markup?.fault === undefined && markup?.hasNamespace === false;
    }, 'div'),
  },
  {
    id: 'narrative-stale',
    severity: 'warning',
    category: 'plausibility',
    code: 'business-rule',
    text: 'The narrative was generated before the last change. Regenerate it.',
  },
] as const satisfies readonly Rule[];

/** All rules, in the order of findings at one element. */
export const rules: readonly Rule[] = [
  ...releaseRules,
  {
    id: 'stopped',
    severity: 'warning',
    category: 'conformance',
    code: 'too-costly',
    text: `Too many issues: checking stopped at ${formatCount(maxFindings)}. Fix some, then check again.`,
  },
  ...schemaRules,
  ...elementRules,
  ...resourceRules,
  ...datatypeRules,
  ...timingRules,
  ...referenceRules,
  ...narrativeRules,
  ...definitions.flatMap((definition): readonly Rule[] => definition.rules),
];

const byId = new Map(rules.map((rule) => [rule.id, rule]));
const ranks = new Map(rules.map(({ id }, rank) => [id, rank]));

/** Returns true if a name is a rule id, such as the code of a rejection's sentence. */
export function isRule(name: string): boolean {
  return byId.has(name);
}

/**
 * Returns a rule by id.
 *
 * @throws TypeError if the rule does not exist.
 */
export function ruleOf(id: string): Rule {
  const rule = byId.get(id);
  if (!rule) throw new TypeError(`There is no rule ${id}`);
  return rule;
}

/** Returns the index of a rule in the table. */
export function rankOf(id: string): number {
  return ranks.get(id) ?? rules.length;
}

/**
 * Returns the subject of a rule besides its element, also of a profile rule. Undefined for presence and
 * structure.
 */
export function subjectOf(id: string): RuleSubject | undefined {
  return byId.get(id)?.subject ?? (isValueDemand(id) ? 'value' : undefined);
}

/** Elements that do not affect the narrative. The server sets id and meta. */
const ignoredNames = new Set(['text', 'language', 'meta', 'id']);

/**
 * Returns true if content changed and the generated narrative did not.
 *
 * Its status is `generated`, it is equal in both versions, and another element differs (FHIR R4
 * narrative.html).
 */
export function narrativeStale(before: JsonObject, after: JsonObject): boolean {
  const text = member(after, 'text');
  const earlier = member(before, 'text');
  if (stringMember(text, 'status') !== 'generated' || !text || !earlier || !equal(text, earlier))
    return false;
  const names = new Set([...before.members, ...after.members].map(({ key }) => key));
  return [...names].some((name) => {
    if (ignoredNames.has(name)) return false;
    const [earlierValue, laterValue] = [member(before, name), member(after, name)];
    return !earlierValue || !laterValue || !equal(earlierValue, laterValue);
  });
}

/** Returns the warning that a save would leave a generated narrative stale. Returns nothing for an invalid text. */
export function staleIssues(type: ResourceType, before: string, after: string): readonly OutcomeIssue[] {
  const [earlierRecord, laterRecord] = [tryScan(before).root, tryScan(after).root];
  if (earlierRecord?.kind !== 'object' || laterRecord?.kind !== 'object') return [];
  return findStaleNarrative(earlierRecord, laterRecord, type).map(issueOfFinding);
}

/** Returns the warning that a change of content makes the generated narrative stale (row 52). */
export function findStaleNarrative(before: JsonObject, after: JsonObject, type: ResourceType): Finding[] {
  return narrativeStale(before, after) ? [staleNarrative(type)] : [];
}

/** Returns the warning that a record's generated narrative is out of date. */
export function staleNarrative(type: ResourceType): Finding {
  return findingOf(ruleOf('narrative-stale'), type, ['text']);
}
