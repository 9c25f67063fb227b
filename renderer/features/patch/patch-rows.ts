/**
 * features/patch composes replace operations for one record and sends them with If-Match.
 * The app shell mounts it with the open record. Invariant: what is shown as the request is, to the letter, what is sent.
 */
import { elementAt, type ElementType } from '../../../core/fhir/element-type.ts';
import { FhirError } from '../../../core/fhir/outcome.ts';
import { applyPatch, readPatch } from '../../../core/fhir/patch.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { diffByPosition, type PositionChange } from '../../../core/json/diff-by-position.ts';
import { copy, type JsonNode } from '../../../core/json/node.ts';
import { locate, parsePointer } from '../../../core/json/pointer.ts';
import { format } from '../../../core/json/print.ts';
import { scan } from '../../../core/json/scan.ts';
import { parseJson, parseTyped, type TypedValue } from '../../platform/read-json.ts';
import { text } from '../../ui/text.ts';
import { controlOf, misfitOf, shownControl, type Control } from './patch-value.ts';

/** One replace operation as it is being written. */
export interface PatchRow {
  readonly key: number;
  readonly path: string;
  /** What was written: JSON text, in a field of no known type also plain text. */
  readonly value: string;
  /** Whether the value is written as JSON although its element has a control of its own. */
  readonly asJson?: boolean;
}

/** What is known of a row: its element, how its value is written, and what is wrong with it. */
export interface RowView {
  readonly element: ElementType | undefined;
  readonly current: JsonNode | undefined;
  readonly control: Control;
  readonly parsed: TypedValue;
  readonly problem?: string | undefined;
}

export interface ComposedPatch {
  /** Whether the body can be sent. */
  readonly ready: boolean;
  readonly body: string;
  readonly rows: readonly RowView[];
  /** Problems that belong to no row. */
  readonly problems: readonly string[];
  /** The record with those operations applied that can be; absent where the record is not known. */
  readonly result?: JsonNode;
  readonly changes: readonly PositionChange[];
}

/** What stands at a path of the record. */
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
        ? misfitOf(element, parsed.node)
        : undefined;
  return { element, current, control, parsed, problem };
}

/**
 * The patch that the rows say, tried operation by operation on a copy of the record: the body to send, what it makes
 * of the record, and at each row what is wrong with it.
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
    return { ...view, problem: tryOut(`[${operation}]`, type, result) ?? view.problem };
  });
  const complete = rows.length > 0 && operations.length === rows.length;
  return {
    ready: complete && views.every(({ problem }) => problem === undefined),
    body: bodyOf(rows),
    rows: views,
    problems: [],
    changes: record && result ? diffByPosition(record, result) : [],
    ...(result && { result }),
  };
}

/** What is wrong with a path whose new value is not written yet. */
function pathProblem(path: string, type: ResourceType, record: JsonNode | undefined): string | undefined {
  // While a path is being typed, its beginning names nothing.
  if (!path.startsWith('/') || (record && nodeAt(record, path) === undefined && path !== '/language')) {
    return undefined;
  }
  return tryOut(
    `[{"op":"replace","path":${JSON.stringify(path)},"value":true}]`,
    type,
    record && copy(record),
  );
}

/** Applies one operation to `record`; answers in words why it cannot be. */
function tryOut(body: string, type: ResourceType, record: JsonNode | undefined): string | undefined {
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

/** The array as JSON text; what is broken or unfinished stands in it as it was written. */
export function bodyOf(rows: readonly PatchRow[]): string {
  const operations = rows.map(({ path, value }) => {
    const parsed = parseTyped(value);
    const source =
      parsed.kind === 'json'
        ? format(parsed.node, '    ')
        : parsed.kind === 'text'
          ? parsed.source
          : value.trim();
    const member = source === '' ? '' : `,\n    "value": ${source}`;
    return `  {\n    "op": "replace",\n    "path": ${JSON.stringify(path.trim())}${member}\n  }`;
  });
  return operations.length === 0 ? '[]' : `[\n${operations.join(',\n')}\n]`;
}
