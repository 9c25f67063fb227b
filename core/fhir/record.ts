import { positionAt, type JsonProblem, type JsonProblemCode } from '../json/json-problem.ts';
import {
  copy,
  items,
  member,
  objectNode,
  setMember,
  stringMember,
  stringNode,
  equal,
  type JsonNode,
  type JsonObject,
} from '../json/node.ts';
import { maxDepth, tryScan } from '../json/scan.ts';
import { fillPlaceholders } from '../text/language.ts';
import { defineMessages } from '../text/message.ts';
import { expressionAt } from './validation/finding.ts';
import { limits } from './limits.ts';
import { FhirError, type FhirErrorCode, type Problem } from './outcome.ts';
import type { ResourceType } from './resource.ts';

const messages = defineMessages('body', {
  empty: 'The body is empty. Send a {type} as JSON.',
  notAnObject: 'The body is not a JSON object. Send a {type}.',
  untyped: 'The body has no resourceType. This address accepts {type}.',
  otherType: 'The body has a different resourceType. This address accepts {type}.',
  meta: 'meta is not an object.',
});

/** Metadata that the server sets on every write (FHIR R4 resource.html#Meta). */
export interface ServerMeta {
  readonly id: string;
  /** A text if it comes from another server, where it may not be a number; empty if that server has none. */
  readonly version: number | string;
  /** An instant with milliseconds. */
  readonly lastUpdated: string;
}

/** JSON Pointers that every write sets, even if the request contains them. */
export const serverAssignedPaths: ReadonlySet<string> = new Set(['/meta/versionId', '/meta/lastUpdated']);

/** JSON Pointers that no patch can replace. */
export const serverOwned: ReadonlySet<string> = new Set(['/id', '/resourceType', ...serverAssignedPaths]);

/** The tag of an extract (FHIR R4 resource-definitions.html#Meta.tag). */
export const subsetted = {
  system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue',
  code: 'SUBSETTED',
} as const;

/**
 * Parses JSON text exactly.
 *
 * @throws FhirError `malformed`, `too-deep` or `too-large` with line, column and element of each problem.
 */
export function readJson(text: string, name: string): JsonNode {
  const { root, problems } = tryScan(text, maxDepth, limits.values);
  const [firstProblem] = problems;
  if (root && !firstProblem) return root;
  throw new FhirError(
    (firstProblem && stops[firstProblem.kind]) ?? 'malformed',
    problems.map((problem) => problemOf(problem, text, name)),
  );
}

/** Error codes of limits. The JSON itself is valid. */
const stops: Readonly<Partial<Record<JsonProblemCode, FhirErrorCode>>> = {
  'too-deep': 'too-deep',
  'too-many': 'too-large',
};

/**
 * Returns a problem of JSON text with its line and column.
 *
 * @param name - Name of the root in the expression of the element.
 */
export function problemOf(problem: JsonProblem, text: string, name: string): Problem {
  const { line, column } = positionAt(text, problem.start);
  // No separators in numbers.
  const place = { line: String(line), column: String(column) };
  return {
    messageCode: problem.messageCode,
    parameters: { ...problem.parameters, ...place },
    text: fillPlaceholders('{problem} (line {line}, column {column}).', {
      ...place,
      problem: problem.text.replace(/\.$/, ''),
    }),
    diagnostics: `${problem.kind} at line ${line}, column ${column}`,
    ...(problem.kind !== 'syntax' && { expression: expressionAt(name, problem.path) }),
  };
}

/**
 * Parses the text of one resource: exact JSON, an object.
 *
 * @throws FhirError as {@link readJson} does.
 */
export function readRecord(text: string, type: ResourceType): JsonObject {
  if (text.trim() === '') throw new FhirError('malformed', messages.empty({ type }));
  const root = readJson(text, type);
  if (root.kind === 'object') return root;
  throw new FhirError('malformed', {
    ...messages.notAnObject({ type }),
    expression: type,
  });
}

/**
 * Asserts that a record has the type of the address (FHIR R4 http.html#create).
 *
 * @throws FhirError `invalid`.
 */
export function checkType(record: JsonObject, type: ResourceType): void {
  const actual = stringMember(record, 'resourceType');
  if (actual === type) {
    checkMeta(record, type);
    return;
  }
  const message = actual === undefined ? messages.untyped : messages.otherType;
  throw new FhirError('invalid', {
    ...message({ type }),
    expression: `${type}.resourceType`,
  });
}

/** The server writes into meta, so it must be an object at every level of validation. */
function checkMeta(record: JsonObject, type: ResourceType): void {
  const meta = member(record, 'meta');
  if (meta === undefined || meta.kind === 'object') return;
  throw new FhirError('content', {
    code: isEmpty(meta) ? 'structure' : 'value',
    ...messages.meta(),
    expression: `${type}.meta`,
  });
}

function isEmpty(node: JsonNode): boolean {
  return (
    node.kind === 'null' ||
    (node.kind === 'string' && node.value === '') ||
    (node.kind === 'array' && node.items.length === 0)
  );
}

/** Returns whether a record is tagged as an extract of itself. */
export function isSubsetted(record: JsonObject): boolean {
  return items(member(member(record, 'meta'), 'tag')).some(
    (tag) => stringMember(tag, 'code') === subsetted.code,
  );
}

/** Returns the profiles that a record claims (FHIR R4 resource-definitions.html#Meta.profile). */
export function listClaimedProfiles(record: JsonObject): readonly string[] {
  return items(member(member(record, 'meta'), 'profile')).flatMap((profile) =>
    profile.kind === 'string' ? [profile.value] : [],
  );
}

/** Sets id, meta.versionId and meta.lastUpdated in place. */
export function applyServerMeta(record: JsonObject, { id, version, lastUpdated }: ServerMeta): void {
  setMember(record, 'id', stringNode(id), 1);
  let meta = member(record, 'meta');
  if (meta?.kind !== 'object') {
    meta = objectNode();
    setMember(record, 'meta', meta, 2);
  }
  if (version !== '') setMember(meta, 'versionId', stringNode(String(version)), 0);
  if (lastUpdated !== '') setMember(meta, 'lastUpdated', stringNode(lastUpdated), 1);
}

/**
 * Returns the content of an earlier version with the id, version and time of the current one; undefined if it is not
 * an object.
 */
export function restoreContent(earlier: JsonNode, current: ServerMeta): JsonNode | undefined {
  const record = copy(earlier);
  if (record.kind !== 'object') return undefined;
  applyServerMeta(record, current);
  return record;
}

/** Returns whether two versions of a record are equal apart from server metadata. Changes the metadata of both. */
export function hasSameContent(leftRecord: JsonObject, rightRecord: JsonObject): boolean {
  const placeholder = { id: 'x', version: 'x', lastUpdated: 'x' };
  applyServerMeta(leftRecord, placeholder);
  return unchanged(rightRecord, leftRecord, placeholder);
}

/**
 * Returns whether a sent record equals the stored one apart from server metadata. Changes the metadata of the sent
 * record.
 */
export function unchanged(sentRecord: JsonObject, storedRecord: JsonObject, current: ServerMeta): boolean {
  applyServerMeta(sentRecord, current);
  return equal(sentRecord, storedRecord);
}
