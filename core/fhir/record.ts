import { positionAt, type JsonProblem, type JsonProblemCode } from '../json/json-problem.ts';
import { equal } from '../json/equal.ts';
import {
  copy,
  items,
  member,
  objectNode,
  setMember,
  stringMember,
  stringNode,
  type JsonNode,
  type JsonObject,
} from '../json/node.ts';
import { maxDepth, tryScan } from '../json/scan.ts';
import { fillPlaceholders } from '../text/language.ts';
import { defineMessages } from '../text/message.ts';
import { expressionAt } from './expression.ts';
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

/** What the server imposes on a stored version: FHIR R4 resource.html#Meta. */
export interface ServerMeta {
  readonly id: string;
  /** As text where it is another server's, which may be no number; empty where it gives none. */
  readonly version: number | string;
  /** An instant with milliseconds. */
  readonly lastUpdated: string;
}

/** JSON Pointers of what every write sets anew, whatever was sent. */
export const serverAssignedPaths: ReadonlySet<string> = new Set(['/meta/versionId', '/meta/lastUpdated']);

/** JSON Pointers of what no patch replaces. */
export const serverOwned: ReadonlySet<string> = new Set(['/id', '/resourceType', ...serverAssignedPaths]);

/** The tag of an extract (FHIR R4 resource-definitions.html#Meta.tag). */
export const subsetted = {
  system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue',
  code: 'SUBSETTED',
} as const;

/**
 * Reads JSON text exactly.
 *
 * @throws FhirError `malformed`, `too-deep` or `too-large` with line, column and element of each fault.
 */
export function readJson(text: string, name: string): JsonNode {
  const { root, faults } = tryScan(text, maxDepth, limits.values);
  const [first] = faults;
  if (root && !first) return root;
  const problems = faults.map((fault) => problemOf(fault, text, name));
  throw new FhirError((first && stops[first.kind]) ?? 'malformed', problems);
}

/** What is too much of it is no fault of the JSON. */
const stops: Readonly<Partial<Record<JsonProblemCode, FhirErrorCode>>> = {
  'too-deep': 'too-deep',
  'too-many': 'too-large',
};

function problemOf(fault: JsonProblem, text: string, name: string): Problem {
  const { line, column } = positionAt(text, fault.start);
  // Written without separators.
  const place = { line: String(line), column: String(column) };
  return {
    messageCode: fault.messageCode,
    parameters: { ...fault.parameters, ...place },
    text: fillPlaceholders('{problem} (line {line}, column {column}).', {
      ...place,
      problem: fault.text.replace(/\.$/, ''),
    }),
    diagnostics: `${fault.kind} at line ${line}, column ${column}`,
    ...(fault.kind !== 'syntax' && { expression: expressionAt(name, fault.path) }),
  };
}

/**
 * Reads the text of one resource: exact JSON, an object.
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
 * Checks that a record is of the type that the address names (FHIR R4 http.html#create).
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

/** The server writes into meta, so it must be one at every level of validation. */
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

/** Whether a record is tagged as an extract of itself. */
export function isSubsetted(record: JsonObject): boolean {
  return items(member(member(record, 'meta'), 'tag')).some(
    (tag) => stringMember(tag, 'code') === subsetted.code,
  );
}

/** Profiles that a record claims (FHIR R4 resource-definitions.html#Meta.profile). */
export function claimedBy(record: JsonObject): readonly string[] {
  return items(member(member(record, 'meta'), 'profile')).flatMap((one) =>
    one.kind === 'string' ? [one.value] : [],
  );
}

/** Sets id, meta.versionId and meta.lastUpdated in their places; changes `record`. */
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
 * An earlier version's content as an edit of the current one: its own elements, under the id, the version and the time
 * that the record bears now. Undefined where the text is no JSON object.
 */
export function restored(earlier: JsonNode, current: ServerMeta): JsonNode | undefined {
  const record = copy(earlier);
  if (record.kind !== 'object') return undefined;
  applyServerMeta(record, current);
  return record;
}

/** Whether two versions of a record say the same, apart from what a server stamps; stamps both. */
export function hasSameContent(one: JsonObject, other: JsonObject): boolean {
  const neither = { id: 'x', version: 'x', lastUpdated: 'x' };
  applyServerMeta(one, neither);
  return unchanged(other, one, neither);
}

/** Whether a sent record, once it bears the stored one's stamp, says what the stored one says; stamps `sent`. */
export function unchanged(sent: JsonObject, stored: JsonObject, current: ServerMeta): boolean {
  applyServerMeta(sent, current);
  return equal(sent, stored);
}
