import type { BulkOperation, ComputeOperation, ReplaceOperation } from './bulk.ts';
import { placeAt, type Compute } from './bulk-computed.ts';
import { recordChanges } from '../fhir/record-changes.ts';
import type { ElementChange } from '../json/diff.ts';
import { copy, equal, serializeNode, type JsonNode, type JsonObject } from '../json/node.ts';
import { expandPath } from '../json/path-pattern.ts';
import { locate, parsePointer } from '../json/pointer.ts';
import { scan } from '../json/scan.ts';
import type { MessageParameters } from '../text/language.ts';
import { defineMessages, type Message } from '../text/message.ts';
import { FhirError } from '../fhir/outcome.ts';
import { isSingleOption, applyFixes } from '../fhir/fixes/fixes.ts';
import { applyPatch } from '../fhir/patch.ts';
import type { ResourceType } from '../fhir/resource.ts';
import type { ValidationLevel } from '../fhir/validation/levels.ts';
import { findStaleNarrative } from '../fhir/validation/rules.ts';
import { validate, validateBaseline, rejectedFindings, VersionPair } from '../fhir/validation/validate.ts';

const messages = defineMessages('bulk', {
  notAnObject: 'The record is not a JSON object.',
  same: 'The record already has this value.',
  different: 'The current value is different.',
  nothingAt: 'Nothing at {path} in this record.',
  notAText: '{pointer} is not a text. Only texts, codes, dates and Booleans can be computed.',
  noValue: 'The expression returned nothing.',
  noIssue: 'This record has no issue for this fix.',
});

/** Request body: a patch of replace operations, or the whole record if elements are added or removed. */
export interface RequestContent {
  readonly method: 'patch' | 'put';
  readonly body: string;
}

/** Dry run of bulk operations on one record. */
export type DryRunResult =
  | (RequestContent & {
      readonly state: 'ready';
      readonly changes: readonly ElementChange[];
      /** Messages of warnings that the change adds. */
      readonly warnings: readonly string[];
    })
  | {
      readonly state: 'unchanged' | 'cannot' | 'refused';
      readonly detail: string;
      readonly messageCode?: string;
      readonly parameters?: MessageParameters;
    };

type Rejection = Extract<DryRunResult, { readonly detail: string }>;

export interface ExamineOptions {
  readonly level: ValidationLevel;
  /** Calendar date (YYYY-MM-DD). */
  readonly today: string;
  /** Returns the time zone of the steward for a local time. */
  readonly zoneOf?: (local: string) => string;
  readonly compute: Compute;
}

/**
 * Applies the operations to a copy of the record and validates the result. Sends nothing. Computed values
 * come from the record before all operations. Quick fixes run on the result of the replacements.
 */
export async function examine(
  text: string,
  type: ResourceType,
  operations: readonly BulkOperation[],
  options: ExamineOptions,
): Promise<DryRunResult> {
  const before = scan(text).root;
  if (before.kind !== 'object') return cannot(messages.notAnObject());
  const expanded = await expandOperations(
    { record: before, text, type, compute: options.compute },
    operations,
  );
  if ('state' in expanded) return expanded;
  const patch = `[${expanded.replaces.join(',')}]`;
  const patched = copy(before);
  try {
    applyPatch(patched, type, scan(patch).root);
  } catch (error) {
    if (!(error instanceof FhirError)) throw error;
    return { state: 'cannot', detail: error.problems.map((problem) => problem.text).join(' ') };
  }
  const after = applyQuickFixes(patched, type, expanded.fixes, options);
  const changes = recordChanges(before, after);
  if (changes.length === 0) return explained('unchanged', expanded.emptyReason);
  const request: RequestContent =
    after === patched ? { method: 'patch', body: patch } : { method: 'put', body: serializeNode(after) };
  return previewResult({ before, after, type, request, changes }, options);
}

/** Returns the text of the record after a change that is ready. */
export function resultOf(text: string, type: ResourceType, { method, body }: RequestContent): string {
  if (method === 'put') return body;
  const { root } = scan(text);
  if (root.kind === 'object') applyPatch(root, type, scan(body).root);
  return serializeNode(root);
}

/**
 * Applies the fixes to the record. Returns the same object if they change nothing. Only a single chosen
 * option uses the time zone of the steward: a run that applies the first option of each finding must give
 * equal results on every machine.
 */
function applyQuickFixes(
  record: JsonObject,
  type: ResourceType,
  fixes: readonly string[],
  { today, zoneOf }: ExamineOptions,
): JsonObject {
  return fixes.reduce((root, fix) => {
    const settings = { today, ...(zoneOf && isSingleOption(fix) && { zoneOf }) };
    return applyFixes(root, type, fix, settings)?.root ?? root;
  }, record);
}

interface ChangedRecord {
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly type: ResourceType;
  readonly request: RequestContent;
  readonly changes: readonly ElementChange[];
}

function previewResult(
  { before, after, type, request, changes }: ChangedRecord,
  { level, today }: ExamineOptions,
): DryRunResult {
  const versions = new VersionPair(before, after);
  const findings = validate(after, type, { today });
  const rejections = rejectedFindings({ type, versions, findings, level, today });
  if (rejections.length > 0) {
    return {
      state: 'refused',
      detail: rejections.map((finding) => `${finding.text} (${finding.expression})`).join(' '),
    };
  }
  const stale = findStaleNarrative(before, after, type);
  const addedFindings = versions.addedFindings(findings, validateBaseline(before, type, today));
  const warnings = [...addedFindings, ...stale].map((finding) => `${finding.text} (${finding.expression})`);
  return { state: 'ready', ...request, changes, warnings };
}

/** Record for which operations are expanded. */
interface Subject {
  readonly record: JsonObject;
  readonly text: string;
  readonly type: ResourceType;
  readonly compute: Compute;
}

/** Expanded operations for one record: replace operations of a patch, and fixes. */
interface ExpandedOperations {
  readonly replaces: readonly string[];
  readonly fixes: readonly string[];
  /** Reason if the operations change nothing. */
  readonly emptyReason: Message;
}

function expandReplace(
  { record }: Subject,
  { path, value, now }: ReplaceOperation,
): ExpandedOperations | Rejection {
  const pointers = expandPath(record, path);
  if (pointers.length === 0 && now === undefined) return cannot(messages.nothingAt({ path }));
  const replaces = pointers
    .filter(createValueFilter(record, now))
    .map((pointer) => replaceAt(pointer, value));
  return { replaces, fixes: [], emptyReason: replaces.length === 0 ? messages.different() : messages.same() };
}

async function expandCompute(
  subject: Subject,
  { path, expression, now }: ComputeOperation,
): Promise<ExpandedOperations | Rejection> {
  const { record, text, type, compute } = subject;
  const pointers = expandPath(record, path).filter(createValueFilter(record, now));
  const targets = pointers.flatMap((pointer) => {
    const tokens = parsePointer(pointer) ?? [];
    const node = locate(record, tokens);
    return node ? [{ node, pointer, place: placeAt(type, pointer, tokens) }] : [];
  });
  if (targets.length === 0) {
    if (now !== undefined) return { replaces: [], fixes: [], emptyReason: messages.different() };
    return cannot(messages.nothingAt({ path }));
  }
  const unsupportedTarget = targets.find(({ node }) => node.kind !== 'string' && node.kind !== 'boolean');
  if (unsupportedTarget) return cannot(messages.notAText({ pointer: unsupportedTarget.pointer }));
  const results = await compute({ expression, record: text, places: targets.map(({ place }) => place) });
  if ('cannot' in results) return { state: 'cannot', detail: results.cannot };
  const replaces: string[] = [];
  for (const [index, { node, pointer }] of targets.entries()) {
    const result = results[index] ?? { cannot: messages.noValue().text };
    if ('cannot' in result) return { state: 'cannot', detail: `${result.cannot} (${pointer})` };
    // An equal text keeps its escapes.
    if ('value' in node && node.value === result.value) continue;
    replaces.push(replaceAt(pointer, JSON.stringify(result.value)));
  }
  return { replaces, fixes: [], emptyReason: messages.same() };
}

/** Replaces each `*` by the indices. With `now`, selects elements of that value only. */
async function expandOperations(
  subject: Subject,
  operations: readonly BulkOperation[],
): Promise<ExpandedOperations | Rejection> {
  let combined: ExpandedOperations = { replaces: [], fixes: [], emptyReason: messages.same() };
  for (const operation of operations) {
    const expanded = await expandOperation(subject, operation);
    if ('state' in expanded) return expanded;
    combined = {
      replaces: [...combined.replaces, ...expanded.replaces],
      fixes: [...combined.fixes, ...expanded.fixes],
      emptyReason: expanded.emptyReason,
    };
  }
  return combined;
}

function expandOperation(
  subject: Subject,
  operation: BulkOperation,
): Promise<ExpandedOperations | Rejection> | ExpandedOperations | Rejection {
  if (operation.kind === 'compute') return expandCompute(subject, operation);
  if (operation.kind !== 'fix') return expandReplace(subject, operation);
  return { replaces: [], fixes: [operation.fix], emptyReason: messages.noIssue() };
}

function cannot(message: Message): Rejection {
  return explained('cannot', message);
}

function explained(state: 'unchanged' | 'cannot', { text, ...code }: Message): Rejection {
  return { state, detail: text, ...code };
}

function replaceAt(pointer: string, value: string): string {
  return `{"op":"replace","path":${JSON.stringify(pointer)},"value":${value}}`;
}

function createValueFilter(record: JsonNode, now: string | undefined): (pointer: string) => boolean {
  if (now === undefined) return () => true;
  const expectedValue = scan(now).root;
  return (pointer) => {
    const tokens = parsePointer(pointer);
    const node = tokens && locate(record, tokens);
    return node !== undefined && equal(node, expectedValue);
  };
}
