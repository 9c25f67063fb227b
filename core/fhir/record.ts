import { JsonSyntaxError, positionAt, type JsonFault } from '../json/fault.ts';
import { equal } from '../json/equal.ts';
import { member, objectNode, setMember, stringMember, stringNode, type JsonObject } from '../json/node.ts';
import type { JsonNode } from '../json/node.ts';
import { scan } from '../json/scan.ts';
import { expressionAt } from './expression.ts';
import { FhirError, type Problem } from './outcome.ts';
import type { ResourceType } from './resource.ts';

/** What the server imposes on a stored version: FHIR R4 resource.html#Meta. */
export interface Stamp {
  readonly id: string;
  readonly version: number;
  /** An instant with milliseconds. */
  readonly lastUpdated: string;
}

/**
 * Reads JSON text exactly.
 *
 * @throws FhirError `malformed` or `too-deep` with line, column and element of each fault.
 */
export function readJson(text: string, name: string): JsonNode {
  try {
    const { root, faults } = scan(text);
    if (faults.length === 0) return root;
    throw new FhirError(
      'malformed',
      faults.map((fault) => problemOf(fault, text, name)),
    );
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const kind = error.fault.kind === 'too-deep' ? 'too-deep' : 'malformed';
    throw new FhirError(kind, problemOf(error.fault, text, name));
  }
}

function problemOf(fault: JsonFault, text: string, name: string): Problem {
  const { line, column } = positionAt(text, fault.start);
  return {
    text: `${fault.message}, at line ${line}, column ${column}.`,
    diagnostics: `${fault.kind} at line ${line}, column ${column}`,
    ...(fault.kind !== 'syntax' && { expression: expressionAt(name, fault.path) }),
  };
}

/**
 * Reads the text of one resource: exact JSON, an object.
 *
 * @throws FhirError `malformed` or `too-deep`.
 */
export function readRecord(text: string, type: ResourceType): JsonObject {
  if (text.trim() === '')
    throw new FhirError('malformed', { text: `The body is empty; send one ${type} as JSON.` });
  const root = readJson(text, type);
  if (root.kind === 'object') return root;
  throw new FhirError('malformed', {
    text: `The body is not a JSON object; send one ${type}.`,
    expression: type,
  });
}

/**
 * Checks that a record is of the given type and holds no empty value (FHIR R4 json.html). Content rules are the
 * validator's.
 *
 * @throws FhirError `invalid` for the type, `malformed` with one problem for each empty value.
 */
export function checkRecord(root: JsonObject, type: ResourceType): void {
  const actual = stringMember(root, 'resourceType');
  if (actual !== type) {
    const found = actual === undefined ? 'has no resourceType' : 'has another resourceType';
    throw new FhirError('invalid', {
      text: `The body ${found}; this address takes ${type}.`,
      expression: `${type}.resourceType`,
    });
  }
  const problems = [...emptyValues(root, type, [], false)];
  if (problems.length > 0) throw new FhirError('malformed', problems);
}

function* emptyValues(
  node: JsonNode,
  type: ResourceType,
  path: readonly string[],
  padding: boolean,
): Generator<Problem> {
  const empty = emptyKind(node);
  if (empty !== undefined) {
    if (node.kind === 'null' && padding) return;
    yield {
      text: `The element is ${empty}; FHIR leaves such an element out.`,
      expression: expressionAt(type, path),
    };
    return;
  }
  if (node.kind === 'object') {
    for (const { key, value } of node.members) {
      const padded = member(node, key.startsWith('_') ? key.slice(1) : `_${key}`)?.kind === 'array';
      yield* emptyValues(value, type, [...path, key], padded);
    }
  }
  if (node.kind === 'array') {
    for (const [index, item] of node.items.entries()) {
      yield* emptyValues(item, type, [...path, String(index)], padding);
    }
  }
}

function emptyKind(node: JsonNode): string | undefined {
  switch (node.kind) {
    case 'object':
      return node.members.length === 0 ? 'an empty object' : undefined;
    case 'array':
      return node.items.length === 0 ? 'an empty array' : undefined;
    case 'string':
      return node.value === '' ? 'an empty string' : undefined;
    case 'null':
      return 'null';
    case 'number':
    case 'boolean':
      return undefined;
  }
}

/** Sets id, meta.versionId and meta.lastUpdated in their places; changes `record`. */
export function stamp(record: JsonObject, { id, version, lastUpdated }: Stamp): void {
  setMember(record, 'id', stringNode(id), 1);
  let meta = member(record, 'meta');
  if (meta?.kind !== 'object') {
    meta = objectNode();
    setMember(record, 'meta', meta, 2);
  }
  setMember(meta, 'versionId', stringNode(String(version)), 0);
  setMember(meta, 'lastUpdated', stringNode(lastUpdated), 1);
}

/** Whether a sent record, once it bears the stored one's stamp, says what the stored one says; stamps `sent`. */
export function unchanged(sent: JsonObject, stored: JsonObject, current: Stamp): boolean {
  stamp(sent, current);
  return equal(sent, stored);
}
