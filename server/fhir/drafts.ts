/**
 * What is made of a write's texts: a version with all that is derived of it, or the fault that refuses it. Called by the
 * service. Invariant: pure; whoever has the store asks it before and behind, so that this is done on any thread.
 */
import { authorshipIn } from '../../core/app/authorship.ts';
import type { WriteOperation } from '../../core/app/history.ts';
import { carried, dayOf, derive, issueRows, type Derived } from '../../core/derive/derive.ts';
import { isFoundElsewhere, type IssueRow } from '../../core/fhir/issue-row.ts';
import { applyPatch } from '../../core/fhir/patch.ts';
import { checkType, isSubsetted, readJson, readRecord, stamp, unchanged } from '../../core/fhir/record.ts';
import { isFhirId, type ResourceType } from '../../core/fhir/resource.ts';
import type { Finding } from '../../core/fhir/validation/finding.ts';
import { refusals, type ValidationLevel } from '../../core/fhir/validation/levels.ts';
import { rejectedFindings } from '../../core/fhir/validation/save-gate.ts';
import { VersionPair } from '../../core/fhir/validation/version-pair.ts';
import { copy, stringMember, type JsonObject } from '../../core/json/node.ts';
import { print } from '../../core/json/print.ts';
import { scan } from '../../core/json/scan.ts';
import type { NewVersion, StoredVersion, VersionFacts } from '../store/store.ts';
import { notFhirId, otherId, subsetted, withoutId } from './faults.ts';
import { judge, narrativeFindings, newTo, refuse } from './judge.ts';
import type { WriteRequest } from './service-requests.ts';

interface Order {
  readonly operation: WriteOperation;
  readonly request: WriteRequest;
  /** Now, in milliseconds since 1970. */
  readonly now: number;
  readonly level: ValidationLevel;
  /** Of the version that is made. */
  readonly number: number;
}

/** A record that is to be stored for the first time. */
export interface FirstOrder extends Order {
  readonly id: string;
  /** Whether the record's own id goes before. */
  readonly keepIds?: boolean;
}

/** A record that is to be changed. */
export interface ChangeOrder extends Order {
  readonly id: string;
  /** The version that stands, without its text where that is damaged. */
  readonly standing: VersionFacts & { readonly text?: string };
  /** What is known to be wrong with it. */
  readonly issues: readonly IssueRow[];
  /** Whether the text is taken under the id of what stands, whatever it says itself. */
  readonly anyId?: boolean;
}

/** A version that may be stored. */
export interface Draft {
  readonly version: NewVersion;
  readonly findings: readonly Finding[];
}

/** What a change comes to: another version, or the one that stands with its rows made anew. */
export type ChangeDraft =
  | Draft
  | { readonly rows: Derived; readonly findings: readonly Finding[]; readonly sent?: string };

export const drafts = {
  /**
   * The first version of a record (FHIR R4 http.html#create).
   *
   * @throws FhirError where its text cannot be read, or what is wrong with it refuses it.
   */
  first({ operation, request, now, level, number, id: given, keepIds = false }: FirstOrder): Draft {
    const { type } = request;
    const record = readRecord(request.text, type);
    const id = (keepIds ? stringMember(record, 'id') : undefined) ?? given;
    if (!isFhirId(id)) throw notFhirId(type);
    checkType(record, type);
    const next = { id, version: number, lastUpdated: new Date(now).toISOString() };
    // First the stamp: what it overwrites is not judged.
    stamp(record, next);
    const { findings, ...derived } = derive(type, record, { today: dayOf(now) });
    refuse(refusals(findings, level), findings);
    return { version: versionOf(record, next, derived, { operation, request }), findings };
  },

  /**
   * The version that an update (FHIR R4 http.html#update) or a patch (RFC 6902, replace alone) makes of what stands.
   *
   * @throws FhirError as {@link drafts.first}; for the errors that it adds to those of what stands.
   */
  change(order: ChangeOrder): ChangeDraft {
    const { operation, request, now, level, number, id, standing, issues } = order;
    const { type } = request;
    const isWhole = operation !== 'patch';
    const before = standing.text === undefined ? undefined : parseStored(standing.text);
    const record = isWhole ? sentRecord(order) : patched(before, request);
    checkType(record, type);
    if (isSubsetted(record)) throw subsetted(type);
    const same = before !== undefined && unchanged(record, before, standing);
    const { findings, ...derived } = derive(type, record, { today: dayOf(now) });
    const versions = before && new VersionPair(before, record);
    const rejected = versions
      ? rejectedFindings({ type, versions, findings, level, today: dayOf(now) })
      : newTo(issues, refusals(findings, level));
    refuse(rejected, findings);
    if (same) {
      const rows = { ...derived, issues: [...derived.issues, ...carried(issues)] };
      return { rows, findings, ...(isWhole && { sent: print(record) }) };
    }
    if (before) findings.push(...narrativeFindings(before, record, type, issues));
    const movedIssues = versions?.movedIssues(issues) ?? [];
    const next = { id, version: number, lastUpdated: nextInstant(standing.lastUpdated, now) };
    // What its checks and other records say stays until they are asked again.
    const rows = { ...derived, issues: [...issueRows(findings), ...issues.filter(isFoundElsewhere)] };
    return { version: { ...versionOf(record, next, rows, order), movedIssues }, findings };
  },

  /** Whether a record says what a stored one says. */
  isSame(type: ResourceType, text: string, standing: StoredVersion): boolean {
    return unchanged(readRecord(text, type), parseStored(standing.text), standing);
  },

  /** @throws FhirError where the text of a change cannot be read, whatever it is to change. */
  checkReadable(operation: WriteOperation, { type, text }: WriteRequest): void {
    if (operation === 'patch') readJson(text, 'Patch');
    else readRecord(text, type);
  },

  /** The resourceType of a record, whatever it is; undefined where it has none. */
  typeOf(text: string): string | undefined {
    return stringMember(readJson(text, 'Record'), 'resourceType');
  },

  /** What is wrong with a record that is not stored; refuses none for its content. */
  validate(type: ResourceType, text: string, now: number): Finding[] {
    const record = readRecord(text, type);
    checkType(record, type);
    return judge(record, type, now);
  },
};

function sentRecord({ request: { text, type }, id, level, anyId = false }: ChangeOrder): JsonObject {
  const record = readRecord(text, type);
  const sent = stringMember(record, 'id');
  if (sent === undefined && level === 'strict') throw withoutId(type);
  if (sent !== undefined && sent !== id && !anyId) throw otherId(type);
  return record;
}

function patched(before: JsonObject | undefined, { text, type }: WriteRequest): JsonObject {
  const operations = readJson(text, 'Patch');
  if (!before) throw new TypeError('A damaged record is not patched');
  const record = copy(before);
  applyPatch(record, type, operations);
  return record;
}

/** Stamps a record and prints it as a version: its text is what was sent, stamped. */
function versionOf(
  record: JsonObject,
  next: VersionFacts,
  derived: Derived,
  { operation, request }: Pick<Order, 'operation' | 'request'>,
): NewVersion {
  stamp(record, next);
  const { type, requestId } = request;
  return { ...next, type, operation, ...authorshipIn(request), requestId, text: print(record), ...derived };
}

function parseStored(text: string): JsonObject {
  const { root } = scan(text);
  if (root.kind !== 'object') throw new TypeError('A stored record is no JSON object');
  return root;
}

/** lastUpdated strictly grows for each record, also when the clock steps back. */
function nextInstant(previous: string, now: number): string {
  return new Date(Math.max(now, Date.parse(previous) + 1)).toISOString();
}
