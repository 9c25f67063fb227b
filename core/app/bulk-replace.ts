import type { BulkOperation } from './bulk.ts';
import { diff, type Change } from '../json/diff.ts';
import { equal } from '../json/equal.ts';
import type { JsonNode, JsonObject } from '../json/node.ts';
import { expandPath } from '../json/path-pattern.ts';
import { locate, parsePointer } from '../json/pointer.ts';
import { print } from '../json/print.ts';
import { scan } from '../json/scan.ts';
import { FhirError } from '../fhir/outcome.ts';
import { applyPatch } from '../fhir/patch.ts';
import type { ResourceType } from '../fhir/resource.ts';
import { added, refusals, type ValidationLevel } from '../fhir/validation/levels.ts';
import { findingOf } from '../fhir/validation/finding.ts';
import { narrativeStale } from '../fhir/validation/narrative.ts';
import { ruleOf } from '../fhir/validation/rules.ts';
import { validate } from '../fhir/validation/validate.ts';

/** What bulk operations would do to one record. */
export type Examined =
  | {
      readonly state: 'ready';
      /** The patch to send. */
      readonly body: string;
      readonly changes: readonly Change[];
      /** Sentences of the warnings that the change adds. */
      readonly warnings: readonly string[];
    }
  | { readonly state: 'unchanged' | 'cannot' | 'refused'; readonly detail: string };

export interface ExamineOptions {
  /** The level at which the server will judge the result. */
  readonly level: ValidationLevel;
  /** A date (YYYY-MM-DD). */
  readonly today: string;
}

/** Tries the operations on a copy of the record, and judges the result as the server will; sends nothing. */
export function examine(
  text: string,
  type: ResourceType,
  operations: readonly BulkOperation[],
  options: ExamineOptions,
): Examined {
  const before = scan(text).root;
  const after = scan(text).root;
  if (before.kind !== 'object' || after.kind !== 'object') {
    return { state: 'cannot', detail: 'The record is not a JSON object.' };
  }
  const resolved = resolve(before, operations);
  if ('detail' in resolved) return resolved;
  try {
    applyPatch(after, type, scan(resolved.body).root);
  } catch (error) {
    if (!(error instanceof FhirError)) throw error;
    return { state: 'cannot', detail: error.problems.map((problem) => problem.text).join(' ') };
  }
  const changes = diff(before, after);
  if (changes.length === 0) return { state: 'unchanged', detail: 'The record already holds this.' };
  return judged(before, after, type, options, { body: resolved.body, changes });
}

/** The text that a change which was found ready makes of a record. */
export function resultOf(text: string, type: ResourceType, { body }: { readonly body: string }): string {
  const { root } = scan(text);
  if (root.kind === 'object') applyPatch(root, type, scan(body).root);
  return print(root);
}

function judged(
  before: JsonObject,
  after: JsonObject,
  type: ResourceType,
  { level, today }: ExamineOptions,
  made: { readonly body: string; readonly changes: readonly Change[] },
): Examined {
  const was = validate(before, type, { today });
  const is = validate(after, type, { today });
  const refused = added(refusals(is, level), was);
  if (refused.length > 0) {
    return { state: 'refused', detail: refused.map((one) => `${one.text} (${one.expression})`).join(' ') };
  }
  const stale = narrativeStale(before, after) ? [findingOf(ruleOf('narrative-stale'), type, ['text'])] : [];
  const warnings = [...added(is, was), ...stale].map((one) => `${one.text} (${one.expression})`);
  return { state: 'ready', ...made, warnings };
}

/** The patch that the operations are for this record: each `*` spelled out, and only where `now` is what stands there. */
function resolve(
  record: JsonNode,
  operations: readonly BulkOperation[],
): { readonly body: string } | Extract<Examined, { detail: string }> {
  const spelled: string[] = [];
  for (const { path, value, now } of operations) {
    const pointers = expandPath(record, path);
    if (pointers.length === 0 && now === undefined) {
      return { state: 'cannot', detail: `The record has nothing at ${path}.` };
    }
    for (const pointer of pointers) {
      if (now !== undefined && !holds(record, pointer, now)) continue;
      spelled.push(`{"op":"replace","path":${JSON.stringify(pointer)},"value":${value}}`);
    }
  }
  if (spelled.length === 0) return { state: 'unchanged', detail: 'It holds another value.' };
  return { body: `[${spelled.join(',')}]` };
}

function holds(record: JsonNode, pointer: string, now: string): boolean {
  const tokens = parsePointer(pointer);
  const node = tokens && locate(record, tokens);
  return node !== undefined && equal(node, scan(now).root);
}
