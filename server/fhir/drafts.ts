/**
 * Builds the versions of writes with their derived rows, or throws the error that rejects a write. Called
 * by the service. Invariant: pure, so that it runs on any thread. The caller reads and writes the store.
 */
import { authorshipIn } from '../../core/app/authorship.ts';
import type { WriteOperation } from '../../core/app/history.ts';
import {
  listRetainedIssues,
  dayOf,
  derive,
  issueRows,
  indexRows,
  type DerivedRows,
  type IndexRows,
} from '../../core/derive/derive.ts';
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
import { issueOfFinding, type Finding } from '../../core/fhir/validation/finding.ts';
import type { ValidationLevel } from '../../core/fhir/validation/levels.ts';
import {
  rejectedFindings,
  listRejections,
  VersionPair,
  validate,
} from '../../core/fhir/validation/validate.ts';
import { releaseRule } from '../../core/fhir/validation/rules-release.ts';
import {
  copy,
  stringMember,
  serializeNode,
  formatNode,
  member,
  equal,
  type JsonObject,
} from '../../core/json/node.ts';
import { scan } from '../../core/json/scan.ts';
import type { NewVersion, StoredVersion, VersionMetadata } from '../store/store.ts';
import { notFhirId, otherId, subsetted, withoutId } from './service-errors.ts';
import type { WriteRequest } from './service-requests.ts';
import { readSupportingResource } from '../../core/fhir/supporting-resource.ts';
import { literalsIn, type NamedLiteral } from '../../core/fhir/literals.ts';
import type { Projection } from '../../core/fhir/search-criteria.ts';
import { project } from '../../core/fhir/projection.ts';
import { judgedPages } from './validated-page.ts';
import { claimedProfiles, validateParameters } from './validate-parameters.ts';
import { detailsOf, FhirError, maxIssues, type OutcomeIssue } from '../../core/fhir/outcome.ts';
import { findStaleNarrative, staleNarrative } from '../../core/fhir/validation/rules.ts';
import { formatPointer } from '../../core/json/pointer.ts';
import { defineMessages } from '../../core/text/message.ts';

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

const drafts = {
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

/** Jobs that convert a stored text for a response. */
const texts = {
  /** Formats it with indentation; every line but the first gets `indent`. */
  format: (text: string, indent: string): string => formatNode(scan(text).root, indent),
  /** Returns the references behind an index key. */
  references: (text: string, type: ResourceType, key: string): IndexRows['references'] =>
    indexRows(type, scan(text).root, new Set([key])).references,
  /** Returns the literal references of a text with their locations. */
  literals: (text: string): NamedLiteral[] => literalsIn(JSON.parse(text)),
  /** @throws FhirError if it cannot be stored as a supporting resource. */
  companion: readSupportingResource,
  /** Keeps only the requested parts. */
  project: (text: string, projection: Projection): string => project(scan(text).root, projection),
};

/** All jobs that need only texts. Their arguments and results can be sent to a worker. */
const jobs = { ...texts, ...drafts, ...judgedPages, claimedProfiles, validateParameters };

type Jobs = typeof jobs;
export type JobName = keyof Jobs;

/** A result that is available at once or comes from a worker. */
export type MaybePromise<Result> = Result | Promise<Result>;

/**
 * Runs a job here or in a worker; `shared` if other requests wait for this thread. Throws or rejects as the
 * job does.
 */
export type Run = <Name extends JobName>(
  job: Name,
  jobArguments: Parameters<Jobs[Name]>,
  shared?: boolean,
) => MaybePromise<ReturnType<Jobs[Name]>>;

/** Does a job at once. */
export const doHere: Run = <Name extends JobName>(job: Name, jobArguments: Parameters<Jobs[Name]>) =>
  Reflect.apply(jobs[job], jobs, jobArguments) as ReturnType<Jobs[Name]>;

const messages = defineMessages('validate', { noIssue: 'No issue was found.' });

/** Returns the findings of a record alone at a time in milliseconds since the epoch. */
function validateStored(record: JsonObject, type: ResourceType, now: number): Finding[] {
  return validate(record, type, { today: dayOf(now) });
}

/** Rules whose findings explain others, and come before them. */
const explainingRules: ReadonlySet<string> = new Set(['stopped', releaseRule]);

/**
 * Rejects a record for some of its findings, if there are any.
 *
 * @throws FhirError `content` with one problem per finding.
 */
function rejectAddedErrors(rejectedFindings: readonly Finding[], findings: readonly Finding[]): void {
  if (rejectedFindings.length === 0) return;
  const explanations = findings.filter(
    (finding) => explainingRules.has(finding.rule) && !rejectedFindings.includes(finding),
  );
  throw new FhirError(
    'content',
    [...explanations, ...rejectedFindings].map(
      ({ code, rule, parameters, text, expression, diagnostics }) => ({
        code,
        text,
        messageCode: rule,
        ...(parameters && { parameters }),
        expression,
        diagnostics,
      }),
    ),
  );
}

/** The findings that the issue rows of a record do not contain. Of a damaged record, only these rows are known. */
function newTo(issues: readonly IssueRow[], findings: readonly Finding[]): Finding[] {
  const knownIssues = new Set(issues.map(({ rule, pointer }) => `${rule} ${pointer}`));
  return findings.filter(({ rule, tokens }) => !knownIssues.has(`${rule} ${formatPointer(tokens)}`));
}

/**
 * Returns the warning that a generated narrative is outdated (row 52), from the change that outdates it
 * until the narrative changes.
 */
function narrativeFindings(
  before: JsonObject,
  after: JsonObject,
  type: ResourceType,
  issues: readonly IssueRow[],
): Finding[] {
  const stale = staleNarrative(type);
  const hadStaleFinding = issues.some(({ rule }) => rule === stale.rule);
  const [narrativeBefore, narrativeAfter] = [member(before, 'text'), member(after, 'text')];
  const isSameNarrative =
    narrativeBefore !== undefined && narrativeAfter !== undefined && equal(narrativeBefore, narrativeAfter);
  return hadStaleFinding && isSameNarrative ? [stale] : findStaleNarrative(before, after, type);
}

/** Returns the issues of a stored record, which did not reject it (row 13). */
export function storedIssues(findings: readonly Finding[]): OutcomeIssue[] {
  return outcomeIssues(findings.map((finding) => ({ ...finding, severity: 'warning' })));
}

/**
 * Returns the OperationOutcome issues of findings, as many as one may contain; one `information` if there
 * are none.
 */
export function outcomeIssues(findings: readonly Finding[]): OutcomeIssue[] {
  if (findings.length === 0) {
    const details = detailsOf(messages.noIssue());
    return [{ severity: 'information', code: 'informational', details }];
  }
  return findings.slice(0, maxIssues).map(issueOfFinding);
}
