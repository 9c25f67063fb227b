/**
 * features/patch composes replace operations for one record and sends them with If-Match. The app shell mounts it
 * with the open record. Invariant: the displayed request is exactly the sent request.
 */
import { elementAt, type ElementType } from '../../../core/fhir/element-type.ts';
import { FhirError } from '../../../core/fhir/outcome.ts';
import { applyPatch, readPatch } from '../../../core/fhir/patch.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { diffByPosition, type PositionChange } from '../../../core/json/diff-by-position.ts';
import { copy, formatNode, type JsonNode } from '../../../core/json/node.ts';
import { locate, parsePointer } from '../../../core/json/pointer.ts';
import { scan } from '../../../core/json/scan.ts';
import { parseJson, parseTyped, type TypedValue } from '../../platform/read-json.ts';
import { text } from '../../ui/text.ts';
import { controlOf, findValueProblem, shownControl, type Control } from './patch-value.ts';

/** One replace operation while it is edited. */
export interface PatchRow {
  readonly key: number;
  readonly path: string;
  /** JSON text. A field of unknown type also accepts plain text. */
  readonly value: string;
  /** True if the value is edited as JSON although its element has another control. */
  readonly asJson?: boolean;
}

/** Derived values of a row: element, control and problem. */
export interface RowView {
  readonly element: ElementType | undefined;
  readonly current: JsonNode | undefined;
  readonly control: Control;
  readonly parsed: TypedValue;
  readonly problem?: string | undefined;
}

export interface ComposedPatch {
  /** True if the body can be sent. */
  readonly ready: boolean;
  readonly body: string;
  readonly rows: readonly RowView[];
  /** Problems without a row. */
  readonly problems: readonly string[];
  /** The record with all valid operations applied; undefined if the record is unknown. */
  readonly result?: JsonNode;
  readonly changes: readonly PositionChange[];
}

/** Returns the node at a path of the record. */
export function nodeAt(record: JsonNode | undefined, path: string): JsonNode | undefined {
  const tokens = parsePointer(path.trim());
  return record && tokens && tokens.length > 0 ? locate(record, tokens) : undefined;
}

export function viewOf(row: PatchRow, type: ResourceType, record: JsonNode | undefined): RowView {
  const path = row.path.trim();
  const element = elementAt(type, path);
  const current = nodeAt(record, path);
  const control = row.asJson ? 'json' : shownControl(row.value, controlOf(element, current));
  const parsed = control === 'free' ? parseTyped(row.value) : parseJson(row.value);
  const problem =
    parsed.kind === 'broken'
      ? control === 'number'
        ? text.patch.misfits.number
        : parsed.message
      : parsed.kind === 'json'
        ? findValueProblem(element, parsed.node)
        : undefined;
  return { element, current, control, parsed, problem };
}

/**
 * Composes the patch of the rows by applying each operation to a copy of the record. Returns the request body, the
 * changed record and the problem of each row.
 */
export function compose(
  rows: readonly PatchRow[],
  type: ResourceType,
  record: JsonNode | undefined,
): ComposedPatch {
  const operations: string[] = [];
  const result = record && copy(record);
  const views = rows.map((row): RowView => {
    const view = viewOf(row, type, record);
    const { parsed } = view;
    const path = row.path.trim();
    if (path === '' || parsed.kind === 'empty' || parsed.kind === 'broken') {
      return { ...view, problem: view.problem ?? pathProblem(path, type, record) };
    }
    const operation = `{"op":"replace","path":${JSON.stringify(path)},"value":${parsed.source}}`;
    operations.push(operation);
    return { ...view, problem: tryOperation(`[${operation}]`, type, result) ?? view.problem };
  });
  const isComplete = rows.length > 0 && operations.length === rows.length;
  return {
    ready: isComplete && views.every(({ problem }) => problem === undefined),
    body: bodyOf(rows),
    rows: views,
    problems: [],
    changes: record && result ? diffByPosition(record, result) : [],
    ...(result && { result }),
  };
}

/** Returns the problem of a path whose value is still missing. */
function pathProblem(path: string, type: ResourceType, record: JsonNode | undefined): string | undefined {
  // An incomplete path names no element.
  if (!path.startsWith('/') || (record && nodeAt(record, path) === undefined && path !== '/language')) {
    return undefined;
  }
  return tryOperation(
    `[{"op":"replace","path":${JSON.stringify(path)},"value":true}]`,
    type,
    record && copy(record),
  );
}

/** Applies one operation to `record`. Returns the reason if it fails. */
function tryOperation(body: string, type: ResourceType, record: JsonNode | undefined): string | undefined {
  try {
    const patch = scan(body).root;
    if (record?.kind === 'object') applyPatch(record, type, patch);
    else readPatch(patch, type);
    return undefined;
  } catch (error) {
    if (!(error instanceof FhirError)) throw error;
    const [problem] = error.problems;
    return text.patch.problems[problem?.diagnostics?.replace(/^op\[\d+\]: /, '') ?? ''] ?? problem?.text;
  }
}

/** Returns the array as JSON text. Invalid and incomplete values are included as written. */
export function bodyOf(rows: readonly PatchRow[]): string {
  const operations = rows.map(({ path, value }) => {
    const parsed = parseTyped(value);
    const source =
      parsed.kind === 'json'
        ? formatNode(parsed.node, '    ')
        : parsed.kind === 'text'
          ? parsed.source
          : value.trim();
    const member = source === '' ? '' : `,\n    "value": ${source}`;
    return `  {\n    "op": "replace",\n    "path": ${JSON.stringify(path.trim())}${member}\n  }`;
  });
  return operations.length === 0 ? '[]' : `[\n${operations.join(',\n')}\n]`;
}
