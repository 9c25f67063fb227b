import { applyPatch, readPatch } from '../../../core/fhir/patch.ts';
import { FhirError } from '../../../core/fhir/outcome.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { diffByPosition } from '../../../core/json/diff-by-position.ts';
import { copy, member, stringMember, type JsonNode } from '../../../core/json/node.ts';
import { inspect } from '../../platform/read-json.ts';
import { text } from '../../ui/text.ts';
import type { ComposedPatch, PatchRow } from './patch-rows.ts';

function read(json: string): { readonly root: JsonNode } | { readonly fault: string } {
  const found = inspect(json);
  if (found.valid) return found;
  const { message, line, column } = found.fault;
  return { fault: text.patch.atLine(message, line, column) };
}

/** The rows of an array that was written as JSON, or in words why rows cannot show it without losing something. */
export function rowsOf(
  json: string,
  firstKey: number,
): { readonly rows: readonly PatchRow[] } | { readonly reason: string } {
  const found = read(json);
  if ('fault' in found) return { reason: found.fault };
  const { root } = found;
  if (root.kind !== 'array') return { reason: text.patch.noArray };
  const rows: PatchRow[] = [];
  for (const [index, item] of root.items.entries()) {
    if (!isPlainReplace(item)) return { reason: text.patch.noReplace(index + 1) };
    const value = member(item, 'value');
    rows.push({
      key: firstKey + index,
      path: stringMember(item, 'path') ?? '',
      value: value ? json.slice(value.start, value.end) : '',
    });
  }
  return { rows };
}

const names = new Set(['op', 'path', 'value']);

function isPlainReplace(item: JsonNode): boolean {
  return (
    item.kind === 'object' &&
    stringMember(item, 'op') === 'replace' &&
    stringMember(item, 'path') !== undefined &&
    item.members.every(({ key }) => names.has(key))
  );
}

/** What an array that was written as JSON makes of the record; what is sent is the text as it stands. */
export function composeJson(json: string, type: ResourceType, record: JsonNode | undefined): ComposedPatch {
  const refused = (problems: readonly string[]): ComposedPatch => ({
    ready: false,
    body: json,
    rows: [],
    problems,
    changes: [],
    ...(record && { result: record }),
  });
  const found = read(json);
  if ('fault' in found) return refused([found.fault]);
  const result = record && copy(record);
  try {
    if (result?.kind === 'object') applyPatch(result, type, found.root);
    else readPatch(found.root, type);
  } catch (error) {
    if (!(error instanceof FhirError)) throw error;
    return refused(error.problems.map((problem) => problem.text));
  }
  return {
    ready: found.root.kind === 'array' && found.root.items.length > 0,
    body: json,
    rows: [],
    problems: [],
    changes: record && result ? diffByPosition(record, result) : [],
    ...(result && { result }),
  };
}
