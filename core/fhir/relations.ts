/**
 * Problems between records: a reference to a missing record, or two records that exclude each other. Called by the
 * store, which finds the records, and by the worklist. Pure.
 */
import { items, member, stringMember, type JsonObject } from '../json/node.ts';
import { formatPointer, locate, parsePointer } from '../json/pointer.ts';
import type { Rule } from '../types/definition/rule.ts';
import { staleRule, type IssueRow } from './issue-row.ts';
import { parseReference } from './reference.ts';
import { definitionOf, type ResourceType } from './resource.ts';

type RelationRule = Pick<Rule, 'severity' | 'category' | 'text'>;

/** The rules that compare more than one record, by their name in the worklist. */
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

/** Returns whether a rule compares more than one record. */
export function isRelation(rule: string): boolean {
  return Object.hasOwn(relationRules, rule);
}

/** Returns whether a rule needs other records or earlier versions. Only the store can evaluate it. */
export function needsStore(rule: string): boolean {
  return isRelation(rule) || rule === staleRule;
}

/** A query to the store for the other records of a finding. */
export interface PartnerQuery {
  readonly rule: RelationName;
  readonly type: ResourceType;
  readonly id: string;
  /** Value in the index rows of the other records: the identifier, the subject, or the id of the record itself. */
  readonly value: string;
  readonly system?: string;
}

/** Returns the query for the other records of a finding; undefined if it has none, or if its element is gone. */
export function buildPartnerQuery(
  record: JsonObject,
  {
    type,
    id,
    rule,
    pointer,
  }: Pick<IssueRow, 'rule' | 'pointer'> & { readonly type: ResourceType; readonly id: string },
): PartnerQuery | undefined {
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

/** Returns the literal of the reference at an element. */
export function literalAt(record: JsonObject, pointer: string): string | undefined {
  return stringMember(locate(record, parsePointer(pointer) ?? []), 'reference');
}

/** A finding between records: the rule, and the id or value that it is about. */
export interface RelationFinding {
  readonly rule: RelationName;
  readonly name: string;
  readonly value: string;
}

/** Returns the issues of a record for its findings, each at its element. */
export function relationIssues(record: JsonObject, related: readonly RelationFinding[]): IssueRow[] {
  return related.flatMap((finding) => {
    const { severity, category } = relationRules[finding.rule];
    return places[finding.rule](record, finding).map((tokens) => ({
      rule: finding.rule,
      severity,
      category,
      pointer: formatPointer(tokens),
    }));
  });
}

/** Returns whether a record replaces another one with this id. */
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

/** The elements of a finding, by its rule. */
const places: Readonly<Record<RelationName, (record: JsonObject, finding: RelationFinding) => string[][]>> = {
  'store/dangling-reference': (record, { name, value }) =>
    referencesIn(record, name).flatMap(({ to, tokens }) => (to === value ? [tokens] : [])),
  'store/duplicate-identifier': (record, { name, value }) =>
    listElements(member(record, name)).flatMap(({ node, indices }) =>
      stringMember(node, 'value')?.toLowerCase() === value ? [[name, ...indices]] : [],
    ),
  'store/overlapping-plans': atMember,
  'store/replaced-but-current': atMember,
};

function atMember(record: JsonObject, { name }: RelationFinding): string[][] {
  return [member(record, name) ? [name] : []];
}

/** The literal references of an element at the root: in the element itself, or in its `targetReference`. */
function referencesIn(record: JsonObject, name: string) {
  return listElements(member(record, name)).flatMap(({ node, indices }) => {
    const inner = member(node, 'targetReference');
    const literal = stringMember(inner ?? node, 'reference');
    const to = literal === undefined ? undefined : parseReference(literal)?.id;
    const tokens = [name, ...indices, ...(inner ? ['targetReference'] : [])];
    return to === undefined ? [] : [{ to, code: stringMember(node, 'code'), tokens }];
  });
}

/** Returns an element, or the items of a list, with their indices. */
function listElements(node: ReturnType<typeof member>) {
  if (!node) return [];
  if (node.kind !== 'array') return [{ node, indices: [] as string[] }];
  return items(node).map((item, index) => ({ node: item, indices: [String(index)] }));
}
