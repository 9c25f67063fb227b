/**
 * Names the other records that findings are about. Called by the worklist, by the page's question about one record and by
 * `$validate`, so that all of them name the same ones.
 */
import { mostOthers, type OtherRecords, type StoreFinding } from '../../core/app/quality.ts';
import type { NamedRecord } from '../../core/app/session.ts';
import type { IssueRow } from '../../core/fhir/issue-row.ts';
import { needsStore, partnerQuestion, replaces, type PartnerQuestion } from '../../core/fhir/relations.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { summarise } from '../../core/fhir/summary.ts';
import type { JsonObject } from '../../core/json/node.ts';
import { objectIn } from '../../core/json/scan.ts';
import type { Revision, SharedStore } from '../store/store.ts';
import { sentenceOf } from './rule-sentences.ts';

type Store = Pick<SharedStore, 'read' | 'relations'>;

/** An issue of a record, with the record's text. */
export interface IssueOfText extends Pick<IssueRow, 'rule' | 'pointer'> {
  readonly type: ResourceType;
  readonly id: string;
  /** Undefined where the record is damaged. */
  readonly text: string | undefined;
}

const nobody: OtherRecords = {};

/** Returns of each issue which other records it is about, in the order of the issues. */
export async function otherRecords(
  store: Store,
  issues: readonly IssueOfText[],
): Promise<readonly OtherRecords[]> {
  const rootOf = rootReader();
  const questions = issues.map((issue) => {
    const root = needsStore(issue.rule) && issue.text !== undefined ? rootOf(issue.text) : undefined;
    return root && partnerQuestion(root, issue);
  });
  const asked = questions.filter((one) => one !== undefined);
  if (asked.length === 0) return issues.map(() => nobody);
  // One more than are named tells that there are more.
  const found = await store.relations.partners(asked, mostOthers + 1);
  const ids = new Map(asked.map((one, at) => [one, found[at] ?? []]));
  const named = namer(store);
  const all: OtherRecords[] = [];
  for (const one of questions) all.push(one ? await othersOf(one, ids.get(one) ?? [], named) : nobody);
  return all;
}

async function othersOf(
  question: PartnerQuestion,
  ids: readonly string[],
  named: (type: ResourceType, id: string) => Promise<NamedRoot | undefined>,
): Promise<OtherRecords> {
  const others: NamedRecord[] = [];
  for (const id of ids) {
    const one = await named(question.type, id);
    if (one && isPartner(question, one)) others.push(one.name);
  }
  if (others.length === 0) return nobody;
  return { others: others.slice(0, mostOthers), ...(others.length > mostOthers && { moreOthers: true }) };
}

/** Index rows do not tell what a relation between documents is: the other record says so itself. */
function isPartner({ rule, type, id }: PartnerQuestion, { root }: NamedRoot): boolean {
  return rule !== 'store/replaced-but-current' || (root !== undefined && replaces(type, root, id));
}

/** A record by its name, and what it says; undefined where it is damaged. */
interface NamedRoot {
  readonly name: NamedRecord;
  readonly root: JsonObject | undefined;
}

/** Reads each record once. */
function namer(store: Store) {
  const known = new Map<string, Promise<NamedRoot | undefined>>();
  async function read(type: ResourceType, id: string): Promise<NamedRoot | undefined> {
    const found = await store.read(type, id);
    const root = found && 'text' in found ? objectIn(found.text) : undefined;
    return found && { name: { type, id, title: root ? summarise(root).title : '' }, root };
  }
  return (type: ResourceType, id: string) => {
    const name = `${type}/${id}`;
    const one = known.get(name) ?? read(type, id);
    known.set(name, one);
    return one;
  };
}

/** Reads each text once; issues of one record follow each other. */
function rootReader() {
  let last: { readonly text: string; readonly root: JsonObject | undefined } | undefined;
  return (text: string) => {
    if (last?.text !== text) last = { text, root: objectIn(text) };
    return last.root;
  };
}

/** Returns what the store found at a record and its text alone does not tell. */
export async function storeFindings(
  store: Store,
  type: ResourceType,
  { standing, issues }: Pick<Revision, 'standing' | 'issues'>,
): Promise<StoreFinding[]> {
  const text = 'text' in standing ? standing.text : undefined;
  const rows = issues.filter(({ rule }) => needsStore(rule));
  const others = await otherRecords(
    store,
    rows.map((row) => ({ ...row, type, id: standing.id, text })),
  );
  return rows.map((row, at) => ({ ...row, text: sentenceOf(row.rule), ...others[at] }));
}
