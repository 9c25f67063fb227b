/**
 * Names the other records of findings. Called by the worklist, by the page for one record and by
 * `$validate`, so that all name the same records.
 */
import { maxOtherRecords, type OtherRecords, type StoreFinding } from '../../core/app/quality.ts';
import type { NamedRecord } from '../../core/app/session.ts';
import type { IssueRow } from '../../core/fhir/issue-row.ts';
import { needsStore, buildPartnerQuery, replaces, type PartnerQuery } from '../../core/fhir/relations.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { summarize } from '../../core/fhir/summary.ts';
import type { JsonObject } from '../../core/json/node.ts';
import { objectIn } from '../../core/json/scan.ts';
import type { Revision, SharedStore } from '../store/store.ts';
import { formatMessage } from './rule-sentences.ts';

type Store = Pick<SharedStore, 'read' | 'relations'>;

/** An issue of a record, with the record's text. */
export interface IssueOfText extends Pick<IssueRow, 'rule' | 'pointer'> {
  readonly type: ResourceType;
  readonly id: string;
  /** Undefined if the record is damaged. */
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
    return root && buildPartnerQuery(root, issue);
  });
  const partnerQuestions = questions.filter((question) => question !== undefined);
  if (partnerQuestions.length === 0) return issues.map(() => nobody);
  // One more than the limit shows that there are more.
  const partnerIds = await store.relations.partners(partnerQuestions, maxOtherRecords + 1);
  const ids = new Map(partnerQuestions.map((question, index) => [question, partnerIds[index] ?? []]));
  const readNamedRoot = namer(store);
  const otherRecordLists: OtherRecords[] = [];
  for (const question of questions)
    otherRecordLists.push(
      question ? await nameOthers(question, ids.get(question) ?? [], readNamedRoot) : nobody,
    );
  return otherRecordLists;
}

async function nameOthers(
  question: PartnerQuery,
  ids: readonly string[],
  readNamedRoot: (type: ResourceType, id: string) => Promise<NamedRoot | undefined>,
): Promise<OtherRecords> {
  const namedRecords: NamedRecord[] = [];
  for (const id of ids) {
    const namedRoot = await readNamedRoot(question.type, id);
    if (namedRoot && isPartner(question, namedRoot)) namedRecords.push(namedRoot.name);
  }
  if (namedRecords.length === 0) return nobody;
  return {
    others: namedRecords.slice(0, maxOtherRecords),
    ...(namedRecords.length > maxOtherRecords && { moreOthers: true }),
  };
}

/** Index rows do not contain the kind of a relation between documents. The other record contains it. */
function isPartner({ rule, type, id }: PartnerQuery, { root }: NamedRoot): boolean {
  return rule !== 'store/replaced-but-current' || (root !== undefined && replaces(type, root, id));
}

/** Name and content of a record; undefined if it is damaged. */
interface NamedRoot {
  readonly name: NamedRecord;
  readonly root: JsonObject | undefined;
}

/** Reads each record once. */
function namer(store: Store) {
  const rootsByName = new Map<string, Promise<NamedRoot | undefined>>();
  async function read(type: ResourceType, id: string): Promise<NamedRoot | undefined> {
    const storedRecord = await store.read(type, id);
    const root = storedRecord && 'text' in storedRecord ? objectIn(storedRecord.text) : undefined;
    return storedRecord && { name: { type, id, title: root ? summarize(root).title : '' }, root };
  }
  return (type: ResourceType, id: string) => {
    const name = `${type}/${id}`;
    const pendingRoot = rootsByName.get(name) ?? read(type, id);
    rootsByName.set(name, pendingRoot);
    return pendingRoot;
  };
}

/** Reads each text once, because issues of one record are adjacent. */
function rootReader() {
  let lastRecord: { readonly text: string; readonly root: JsonObject | undefined } | undefined;
  return (text: string) => {
    if (lastRecord?.text !== text) lastRecord = { text, root: objectIn(text) };
    return lastRecord.root;
  };
}

/** Returns the findings of the store at a record that its text alone does not show. */
export async function storeFindings(
  store: Store,
  type: ResourceType,
  { currentVersion, issues }: Pick<Revision, 'currentVersion' | 'issues'>,
): Promise<StoreFinding[]> {
  const text = 'text' in currentVersion ? currentVersion.text : undefined;
  const rows = issues.filter(({ rule }) => needsStore(rule));
  const otherRecordLists = await otherRecords(
    store,
    rows.map((row) => ({ ...row, type, id: currentVersion.id, text })),
  );
  return rows.map((row, index) => ({ ...row, text: formatMessage(row.rule), ...otherRecordLists[index] }));
}
