/**
 * Builds the versions of writes with their derived rows, or throws the error that rejects a write. Called
 * by the service. Invariant: pure, so that it runs on any thread. The caller reads and writes the store.
 */
import { authorshipIn } from '../../core/app/authorship.ts';
import type { WriteOperation } from '../../core/app/history.ts';
import { listRetainedIssues, dayOf, derive, issueRows, type DerivedRows } from '../../core/derive/derive.ts';
import type { IssueRow } from '../../core/fhir/issue-row.ts';
import { applyPatch } from '../../core/fhir/patch.ts';
import {
  checkType,
  isSubsetted,
  readJson,
  readRecord,
  applyServerMeta,
  unchanged,
} from '../../core/fhir/record.ts';
import { isFhirId, type ResourceType } from '../../core/fhir/resource.ts';
import type { Finding } from '../../core/fhir/validation/finding.ts';
import type { ValidationLevel } from '../../core/fhir/validation/levels.ts';
import { rejectedFindings, listRejections, VersionPair } from '../../core/fhir/validation/validate.ts';
import { copy, stringMember, serializeNode, type JsonObject } from '../../core/json/node.ts';
import { scan } from '../../core/json/scan.ts';
import type { NewVersion, StoredVersion, VersionMetadata } from '../store/store.ts';
import { notFhirId, otherId, subsetted, withoutId } from './service-errors.ts';
import { validateStored, narrativeFindings, newTo, rejectAddedErrors } from './validate-stored.ts';
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
  /** True to keep the record's own id. */
  readonly keepIds?: boolean;
}

/** A record that is to be changed. */
export interface ChangeOrder extends Order {
  readonly id: string;
  /** The current version, without its text if that is damaged. */
  readonly currentVersion: VersionMetadata & { readonly text?: string };
  /** Known issues of the current version. */
  readonly issues: readonly IssueRow[];
  /** True to store the text under the id of the current version, even if it contains another id. */
  readonly anyId?: boolean;
}

/** A version that may be stored. */
export interface Draft {
  readonly version: NewVersion;
  readonly findings: readonly Finding[];
}

/** Result of a change: a new version, or the current one with rebuilt rows. */
export type ChangeDraft =
  | Draft
  | { readonly rows: DerivedRows; readonly findings: readonly Finding[]; readonly clientText?: string };

export const drafts = {
  /**
   * Builds the first version of a record (FHIR R4 http.html#create).
   *
   * @throws FhirError if its text cannot be read or its findings reject it.
   */
  first({ operation, request, now, level, number, id: givenId, keepIds = false }: FirstOrder): Draft {
    const { type } = request;
    const record = readRecord(request.text, type);
    const id = (keepIds ? stringMember(record, 'id') : undefined) ?? givenId;
    if (!isFhirId(id)) throw notFhirId(type);
    checkType(record, type);
    const next = { id, version: number, lastUpdated: new Date(now).toISOString() };
    // Server metadata first: overwritten members are not validated.
    applyServerMeta(record, next);
    const { findings, ...derivedRows } = derive(type, record, { today: dayOf(now) });
    rejectAddedErrors(listRejections(findings, level), findings);
    return { version: versionOf(record, next, derivedRows, { operation, request }), findings };
  },

  /**
   * Builds the version that an update (FHIR R4 http.html#update) or patch (RFC 6902, only `replace`) makes
   * of the current one.
   *
   * @throws FhirError as {@link drafts.first}, but only for errors that the current version does not have.
   */
  change(options: ChangeOrder): ChangeDraft {
    const { operation, request, now, level, number, id, currentVersion, issues } = options;
    const { type } = request;
    const isWhole = operation !== 'patch';
    const before = currentVersion.text === undefined ? undefined : parseStored(currentVersion.text);
    const record = isWhole ? sentRecord(options) : patched(before, request);
    checkType(record, type);
    if (isSubsetted(record)) throw subsetted(type);
    const isUnchanged = before !== undefined && unchanged(record, before, currentVersion);
    const { findings, ...derivedRows } = derive(type, record, { today: dayOf(now) });
    const versions = before && new VersionPair(before, record);
    const rejected = versions
      ? rejectedFindings({ type, versions, findings, level, today: dayOf(now) })
      : newTo(issues, listRejections(findings, level));
    rejectAddedErrors(rejected, findings);
    if (isUnchanged) {
      const rows = { ...derivedRows, issues: [...derivedRows.issues, ...listRetainedIssues(issues)] };
      return { rows, findings, ...(isWhole && { clientText: serializeNode(record) }) };
    }
    if (before) findings.push(...narrativeFindings(before, record, type, issues));
    const movedIssues = versions?.movedIssues(issues) ?? [];
    const next = { id, version: number, lastUpdated: nextInstant(currentVersion.lastUpdated, now) };
    // The store keeps the findings of checks and of other records until these run again.
    const rows = { ...derivedRows, issues: issueRows(findings) };
    return { version: { ...versionOf(record, next, rows, options), movedIssues }, findings };
  },

  /** Returns true if a record has the same content as a stored one. */
  isSame(type: ResourceType, text: string, currentVersion: StoredVersion): boolean {
    return unchanged(readRecord(text, type), parseStored(currentVersion.text), currentVersion);
  },

  /** @throws FhirError if the text of a change cannot be read, independent of its target. */
  checkReadable(operation: WriteOperation, { type, text }: WriteRequest): void {
    if (operation === 'patch') readJson(text, 'Patch');
    else readRecord(text, type);
  },

  /** Returns the resourceType of any record; undefined if it has none. */
  typeOf(text: string): string | undefined {
    return stringMember(readJson(text, 'Record'), 'resourceType');
  },

  /** Returns the findings of a record that is not stored. Rejects none for its content. */
  validate(type: ResourceType, text: string, now: number): Finding[] {
    const record = readRecord(text, type);
    checkType(record, type);
    return validateStored(record, type, now);
  },
};

function sentRecord({ request: { text, type }, id, level, anyId = false }: ChangeOrder): JsonObject {
  const record = readRecord(text, type);
  const sentId = stringMember(record, 'id');
  if (sentId === undefined && level === 'strict') throw withoutId(type);
  if (sentId !== undefined && sentId !== id && !anyId) throw otherId(type);
  return record;
}

function patched(before: JsonObject | undefined, { text, type }: WriteRequest): JsonObject {
  const operations = readJson(text, 'Patch');
  if (!before) throw new TypeError('Damaged records can’t be patched');
  const record = copy(before);
  applyPatch(record, type, operations);
  return record;
}

/** Sets the server metadata of a record and prints it as a version: the sent text with the metadata. */
function versionOf(
  record: JsonObject,
  next: VersionMetadata,
  derivedRows: DerivedRows,
  { operation, request }: Pick<Order, 'operation' | 'request'>,
): NewVersion {
  applyServerMeta(record, next);
  const { type, requestId } = request;
  return {
    ...next,
    type,
    operation,
    ...authorshipIn(request),
    requestId,
    text: serializeNode(record),
    ...derivedRows,
  };
}

function parseStored(text: string): JsonObject {
  const { root } = scan(text);
  if (root.kind !== 'object') throw new TypeError('Stored record is not a JSON object');
  return root;
}

/** lastUpdated strictly grows for each record, also when the clock steps back. */
function nextInstant(previous: string, now: number): string {
  return new Date(Math.max(now, Date.parse(previous) + 1)).toISOString();
}
