/**
 * features/patch composes replace operations for one record and sends them with If-Match.
 * The app shell mounts it with the open record. Invariant: what is shown as the request is, to the letter, what is sent.
 */
import { applyPatch } from '../../../core/fhir/patch.ts';
import { FhirError } from '../../../core/fhir/outcome.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { diff, type Change } from '../../../core/json/diff.ts';
import { JsonSyntaxError } from '../../../core/json/fault.ts';
import type { JsonNode } from '../../../core/json/node.ts';
import { formatPointer, locate, parsePointer } from '../../../core/json/pointer.ts';
import { format, print } from '../../../core/json/print.ts';
import { scan } from '../../../core/json/scan.ts';

/** One replace operation as it is being written. */
export interface PatchRow {
  readonly key: number;
  readonly path: string;
  readonly value: string;
}

export type ParsedValue =
  | { readonly kind: 'empty' }
  | { readonly kind: 'json'; readonly source: string }
  /** Plain text that is no JSON, taken as a string. */
  | { readonly kind: 'text'; readonly source: string }
  | { readonly kind: 'broken'; readonly message: string };

/** Reads what was typed as a value: JSON with its digits as written, else plain text as a JSON string. */
export function parseValue(typed: string): ParsedValue {
  const trimmed = typed.trim();
  if (trimmed === '') return { kind: 'empty' };
  try {
    const { root, faults } = scan(trimmed);
    const [fault] = faults;
    return fault ? { kind: 'broken', message: fault.message } : { kind: 'json', source: print(root) };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    // A text that begins like a JSON value with brackets or quotes was meant as one.
    if (/^["[{]/.test(trimmed)) return { kind: 'broken', message: error.fault.message };
    return { kind: 'text', source: JSON.stringify(trimmed) };
  }
}

/** The compact JSON text that the record holds at a path; undefined where it holds nothing there. */
export function currentValue(record: JsonNode, path: string): string | undefined {
  const tokens = parsePointer(path);
  const node = tokens && tokens.length > 0 ? locate(record, tokens) : undefined;
  return node && print(node);
}

export type Composition =
  | {
      readonly ready: false;
      readonly reason: 'incomplete' | 'broken';
      readonly problems: readonly string[];
      readonly body?: string;
    }
  | { readonly ready: true; readonly body: string; readonly changes: readonly Change[] };

/** The patch that the rows say, tried on a copy of the record: the body to send and what it changes, or why it cannot be sent. */
export function compose(rows: readonly PatchRow[], type: ResourceType, recordText: string): Composition {
  const operations: string[] = [];
  const problems: string[] = [];
  for (const [index, { path, value }] of rows.entries()) {
    const parsed = parseValue(value);
    if (parsed.kind === 'broken') problems.push(`${index + 1}: ${parsed.message}.`);
    if (path.trim() === '' || parsed.kind === 'empty' || parsed.kind === 'broken') continue;
    operations.push(`{"op":"replace","path":${JSON.stringify(path.trim())},"value":${parsed.source}}`);
  }
  const body = format(scan(`[${operations.join(',')}]`).root);
  if (problems.length > 0) return { ready: false, reason: 'broken', problems, body };
  if (operations.length < rows.length || rows.length === 0) {
    return { ready: false, reason: 'incomplete', problems, body };
  }
  return tryOut(body, type, recordText);
}

function tryOut(body: string, type: ResourceType, recordText: string): Composition {
  const before = scan(recordText).root;
  const after = scan(recordText).root;
  try {
    if (after.kind === 'object') applyPatch(after, type, scan(body).root);
  } catch (error) {
    if (!(error instanceof FhirError)) throw error;
    return { ready: false, reason: 'broken', problems: error.problems.map(({ text }) => text), body };
  }
  return { ready: true, body, changes: diff(before, after) };
}

const mostSuggestions = 50;

/** Paths of the record that hold what was typed, those that begin with it first; `/language` is always one. */
export function suggestPaths(paths: readonly string[], typed: string): string[] {
  const wanted = typed.trim().toLowerCase();
  const found = paths.filter((path) => path.toLowerCase().includes(wanted));
  const begins = found.filter((path) => path.toLowerCase().startsWith(wanted));
  return [...begins, ...found.filter((path) => !begins.includes(path))].slice(0, mostSuggestions);
}

const serverOwned = new Set(['/id', '/resourceType', '/meta/versionId', '/meta/lastUpdated']);

/** Every path of the record that a patch may replace, in document order. */
export function pathsOf(record: JsonNode): string[] {
  const paths = [...pointers(record, [])].filter((path) => !serverOwned.has(path));
  return paths.includes('/language') ? paths : ['/language', ...paths];
}

function* pointers(node: JsonNode, path: readonly string[]): Generator<string> {
  if (path.length > 0) yield formatPointer(path);
  if (node.kind === 'object')
    for (const { key, value } of node.members) yield* pointers(value, [...path, key]);
  if (node.kind === 'array') {
    for (const [index, item] of node.items.entries()) yield* pointers(item, [...path, String(index)]);
  }
}
