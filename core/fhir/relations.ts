/**
 * What is wrong between records: what one says of others that are not there, or are there twice. Called by the store, which
 * finds the records, and by the worklist. Pure: the store hands over what it found, the text says at which element.
 */
import { items, member, stringMember, type JsonObject } from '../json/node.ts';
import { formatPointer, locate, parsePointer } from '../json/pointer.ts';
import type { Rule } from '../types/definition/rule.ts';
import { staleRule, type IssueRow } from './issue-row.ts';
import { parseReference } from './reference.ts';
import { definitionOf, type ResourceType } from './resource.ts';

type RelationRule = Pick<Rule, 'severity' | 'category' | 'text'>;

/** The rules that look at more than one record, by what they are called in the worklist. */
export const relationRules = {
  'store/dangling-reference': {
    severity: 'warning',
    category: 'conformance',
    text: 'The referenced record is not in this store.',
  },
  'store/duplicate-identifier': {
    severity: 'warning',
    category: 'plausibility',
    text: 'Another record has the same identifier.',
  },
  'store/overlapping-plans': {
    severity: 'warning',
    category: 'plausibility',
    text: 'The patient has another active plan of the same kind for the same time.',
  },
  'store/replaced-but-current': {
    severity: 'warning',
    category: 'plausibility',
    text: 'Another record replaced this one, but the status of this one is still current.',
  },
} as const satisfies Readonly<Record<`store/${string}`, RelationRule>>;

export type RelationName = keyof typeof relationRules;

export const relationNames = Object.keys(relationRules) as readonly RelationName[];

/** Whether a rule looks at more than one record. */
export function isRelation(rule: string): boolean {
  return Object.hasOwn(relationRules, rule);
}

/**
 * Whether what a rule finds cannot be told from the text of one record: it needs other records, or the versions before. Only
 * the store says so, and the record shows it beside what its text says.
 */
export function needsStore(rule: string): boolean {
  return isRelation(rule) || rule === staleRule;
}

/** What is asked of the store for the other records of a finding. */
export interface PartnerQuestion {
  readonly rule: RelationName;
  readonly type: ResourceType;
  readonly id: string;
  /** What the index rows of the others hold: the identifier, the subject, or the id of the record itself. */
  readonly value: string;
  readonly system?: string;
}

/** Returns how the other records of a finding are asked for; undefined where it has none, or its element is gone. */
export function partnerQuestion(
  record: JsonObject,
  {
    type,
    id,
    rule,
    pointer,
  }: Pick<IssueRow, 'rule' | 'pointer'> & { readonly type: ResourceType; readonly id: string },
): PartnerQuestion | undefined {
  if (rule === 'store/replaced-but-current') return { rule, type, id, value: id };
  if (rule === 'store/overlapping-plans') {
    const subject = stringMember(member(record, 'subject'), 'reference');
    const value = subject === undefined ? undefined : parseReference(subject)?.id;
    return value === undefined ? undefined : { rule, type, id, value };
  }
  if (rule !== 'store/duplicate-identifier') return undefined;
  const element = locate(record, parsePointer(pointer) ?? []);
  const [value, system] = [stringMember(element, 'value'), stringMember(element, 'system')];
  if (value === undefined || system === undefined) return undefined;
  return { rule, type, id, value: value.toLowerCase(), system };
}

/** Returns the literal of the reference at an element that leads nowhere. */
export function literalAt(record: JsonObject, pointer: string): string | undefined {
  return stringMember(locate(record, parsePointer(pointer) ?? []), 'reference');
}

/** What was found about a record: the rule, and the id or value that it is about. */
export interface Related {
  readonly rule: RelationName;
  readonly member: string;
  readonly value: string;
}

/** The issues of a record for what was found about it, each at its element. */
export function relationIssues(record: JsonObject, found: readonly Related[]): IssueRow[] {
  return found.flatMap((one) => {
    const { severity, category } = relationRules[one.rule];
    return places[one.rule](record, one).map((tokens) => ({
      rule: one.rule,
      severity,
      category,
      pointer: formatPointer(tokens),
    }));
  });
}

/** Whether a record says that it replaces another of this id. */
export function replaces(type: ResourceType, record: JsonObject, id: string): boolean {
  const { relations } = definitionOf(type);
  const row = relations?.refersTo.find(({ parameter }) => parameter === relations.replaces.parameter);
  return (
    row !== undefined &&
    referencesIn(record, row.member).some(
      ({ to, code }) =>
        to === id && (relations?.replaces.code === undefined || relations.replaces.code === code),
    )
  );
}

/** The elements that a finding is on, by its rule. */
const places: Readonly<Record<RelationName, (record: JsonObject, found: Related) => string[][]>> = {
  'store/dangling-reference': (record, { member: name, value }) =>
    referencesIn(record, name).flatMap(({ to, tokens }) => (to === value ? [tokens] : [])),
  'store/duplicate-identifier': (record, { member: name, value }) =>
    listed(member(record, name)).flatMap(({ node, at }) =>
      stringMember(node, 'value')?.toLowerCase() === value ? [[name, ...at]] : [],
    ),
  'store/overlapping-plans': atMember,
  'store/replaced-but-current': atMember,
};

function atMember(record: JsonObject, { member: name }: Related): string[][] {
  return [member(record, name) ? [name] : []];
}

/** The literal references of an element at the root: in the element itself, or in its `targetReference`. */
function referencesIn(record: JsonObject, name: string) {
  return listed(member(record, name)).flatMap(({ node, at }) => {
    const inner = member(node, 'targetReference');
    const literal = stringMember(inner ?? node, 'reference');
    const to = literal === undefined ? undefined : parseReference(literal)?.id;
    const tokens = [name, ...at, ...(inner ? ['targetReference'] : [])];
    return to === undefined ? [] : [{ to, code: stringMember(node, 'code'), tokens }];
  });
}

/** An element, or the items of a list, with their indices. */
function listed(node: ReturnType<typeof member>) {
  if (!node) return [];
  if (node.kind !== 'array') return [{ node, at: [] as string[] }];
  return items(node).map((item, index) => ({ node: item, at: [String(index)] }));
}
