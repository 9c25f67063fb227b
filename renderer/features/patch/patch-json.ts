import { applyPatch, readPatch } from '../../../core/fhir/patch.ts';
import { FhirError } from '../../../core/fhir/outcome.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { diffByPosition } from '../../../core/json/diff-by-position.ts';
import { copy, member, stringMember, type JsonNode } from '../../../core/json/node.ts';
import { inspect } from '../../platform/read-json.ts';
import { text } from '../../ui/text.ts';
import type { ComposedPatch, PatchRow } from './patch-rows.ts';

function parseJsonText(json: string): { readonly root: JsonNode } | { readonly fault: string } {
  const inspection = inspect(json);
  if (inspection.valid) return inspection;
  const { message, line, column } = inspection.fault;
  return { fault: text.patch.atLine(message, line, column) };
}

/** Parses a JSON array to rows. Returns the reason if rows can't show it without loss. */
export function rowsOf(
  json: string,
  firstKey: number,
): { readonly rows: readonly PatchRow[] } | { readonly reason: string } {
  const parsed = parseJsonText(json);
  if ('fault' in parsed) return { reason: text.patch.noRows.invalid(parsed.fault) };
  const { root } = parsed;
  if (root.kind !== 'array') return { reason: text.patch.noRows.noArray };
  const rows: PatchRow[] = [];
  for (const [index, item] of root.items.entries()) {
    if (!isPlainReplace(item)) return { reason: text.patch.noRows.noReplace(index + 1) };
    const value = member(item, 'value');
    rows.push({
      key: firstKey + index,
      path: stringMember(item, 'path') ?? '',
      value: value ? json.slice(value.start, value.end) : '',
    });
  }
  return { rows };
}

const replaceMembers = new Set(['op', 'path', 'value']);

function isPlainReplace(item: JsonNode): boolean {
  return (
    item.kind === 'object' &&
    stringMember(item, 'op') === 'replace' &&
    stringMember(item, 'path') !== undefined &&
    item.members.every(({ key }) => replaceMembers.has(key))
  );
}

/** Applies a JSON array to the record. The request contains the text as written. */
export function composeJson(json: string, type: ResourceType, record: JsonNode | undefined): ComposedPatch {
  const toRejected = (problems: readonly string[]): ComposedPatch => ({
    ready: false,
    body: json,
    rows: [],
    problems,
    changes: [],
    ...(record && { result: record }),
  });
  const parsed = parseJsonText(json);
  if ('fault' in parsed) return toRejected([parsed.fault]);
  const result = record && copy(record);
  try {
    if (result?.kind === 'object') applyPatch(result, type, parsed.root);
    else readPatch(parsed.root, type);
  } catch (error) {
    if (!(error instanceof FhirError)) throw error;
    return toRejected(error.problems.map((problem) => problem.text));
  }
  return {
    ready: parsed.root.kind === 'array' && parsed.root.items.length > 0,
    body: json,
    rows: [],
    problems: [],
    changes: record && result ? diffByPosition(record, result) : [],
    ...(result && { result }),
  };
}
