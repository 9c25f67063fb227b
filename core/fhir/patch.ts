import { child, formatPointer, isArrayIndex, parsePointer } from '../json/pointer.ts';
import {
  copy,
  isDeeperThan,
  member,
  setMember,
  stringMember,
  type JsonNode,
  type JsonObject,
} from '../json/node.ts';
import { forbiddenNames, maxDepth } from '../json/scan.ts';
import { defineMessages } from '../text/message.ts';
import { limits } from './limits.ts';
import { expressionAt } from './validation/finding.ts';
import { FhirError, type FhirErrorCode, type Problem } from './outcome.ts';
import { serverOwned } from './record.ts';
import type { ResourceType } from './resource.ts';

/** A parsed replace operation (RFC 6902 section 4.3), the only operation of the service. */
export interface Replace {
  readonly index: number;
  readonly tokens: readonly string[];
  readonly value: JsonNode;
}

const messages = defineMessages('patch', {
  notAnArray: 'The patch must be a JSON array of replace operations.',
  tooManyOperations: 'A patch can have at most {n} operations.',
  tooDeep: 'The result is nested deeper than {n} levels.',
});

/** Messages about one operation. They count from 1; diagnostics count from 0. */
const operationMessages = defineMessages('patch', {
  notAnObject: 'Operation {n}: must be an object.',
  opMissing: 'Operation {n}: op is missing.',
  opNotSupported: 'Operation {n}: only replace is supported.',
  opUnknown: 'Operation {n}: op must be replace.',
  pathMissing: 'Operation {n}: path is missing.',
  valueMissing: 'Operation {n}: value is missing.',
  pathMalformed: 'Operation {n}: path must be a JSON Pointer such as /status.',
  wholeRecord: 'Operation {n}: the whole record can’t be replaced; use PUT.',
  forbiddenName: 'Operation {n}: path contains a name that isn’t allowed.',
  serverOwned: 'Operation {n}: the server sets this element.',
  indexMalformed: 'Operation {n}: use 0 or digits without a leading zero for array items.',
  targetMissing: 'Operation {n}: the element doesn’t exist.',
});

const otherOperations = new Set(['add', 'remove', 'move', 'copy', 'test']);

/**
 * Applies a patch body to `record`, which must be the caller's own copy.
 *
 * @throws FhirError naming the operation's index if the body is not a replace patch or a target does not exist. The
 * copy is then half changed; discard it.
 */
export function applyPatch(record: JsonObject, type: ResourceType, patch: JsonNode): void {
  for (const operation of readPatch(patch, type)) replace(record, type, operation);
  // Each value is within the limit, but values can be nested into values.
  if (isDeeperThan(record, maxDepth)) {
    throw new FhirError('too-deep', {
      ...messages.tooDeep({ n: maxDepth }),
      expression: type,
    }).asUnprocessable();
  }
}

/**
 * Parses a patch body without a record.
 *
 * @throws FhirError as {@link applyPatch} does, except for errors that need the record.
 */
export function readPatch(root: JsonNode, type: ResourceType): Replace[] {
  if (root.kind !== 'array') {
    throw new FhirError('malformed', messages.notAnArray());
  }
  if (root.items.length > limits.patchOperations) {
    throw new FhirError('too-large', messages.tooManyOperations({ n: limits.patchOperations }));
  }
  return root.items.map((operation, index) => readOperation(operation, index, type));
}

function readOperation(node: JsonNode, index: number, type: ResourceType): Replace {
  if (node.kind !== 'object') refuse('required', index, 'notAnObject', 'not an object');
  const op = stringMember(node, 'op');
  const path = stringMember(node, 'path');
  const value = member(node, 'value');
  if (!member(node, 'op')) refuse('required', index, 'opMissing', 'op missing');
  if (op !== undefined && otherOperations.has(op)) {
    refuse('not-offered', index, 'opNotSupported', 'op not offered');
  }
  if (op !== 'replace') refuse('value', index, 'opUnknown', 'op unknown');
  if (!member(node, 'path')) refuse('required', index, 'pathMissing', 'path missing');
  if (!value) refuse('required', index, 'valueMissing', 'value missing');
  const tokens = path === undefined ? undefined : parsePointer(path);
  if (!tokens) refuse('value', index, 'pathMalformed', 'path malformed');
  checkTarget(tokens, index, type);
  return { index, tokens, value: copy(value) };
}

function checkTarget(tokens: readonly string[], index: number, type: ResourceType): void {
  if (tokens.length === 0) refuse('not-offered', index, 'wholeRecord', 'path empty');
  if (tokens.some((token) => forbiddenNames.has(token))) {
    refuse('value', index, 'forbiddenName', 'forbidden name');
  }
  if (serverOwned.has(formatPointer(tokens))) {
    refuse('business-rule', index, 'serverOwned', 'server-owned', expressionAt(type, tokens));
  }
}

function replace(record: JsonObject, type: ResourceType, { index, tokens, value }: Replace): void {
  const lastToken = tokens.at(-1);
  if (lastToken === undefined) return;
  if (tokens.length === 1 && lastToken === 'language') {
    setMember(record, 'language', value);
    return;
  }
  let parent: JsonNode = record;
  for (const [step, token] of tokens.entries()) {
    const target = child(parent, token);
    if (!target) missing(parent, token, index, expressionAt(type, tokens.slice(0, step)));
    if (step < tokens.length - 1) parent = target;
  }
  if (parent.kind === 'array') parent.items[Number(lastToken)] = value;
  if (parent.kind === 'object') setMember(parent, lastToken, value);
}

function missing(parent: JsonNode, token: string, index: number, expression: string): never {
  // A text that looks like a number and is not an index is malformed. Any other name does not exist.
  if (parent.kind === 'array' && /^[+-]?[0-9]/.test(token) && !isArrayIndex(token)) {
    refuse('value', index, 'indexMalformed', 'array index malformed');
  }
  const detail = parent.kind === 'array' ? 'array index out of range' : 'target missing';
  refuse('unprocessable', index, 'targetMissing', detail, expression);
}

function refuse(
  kind: FhirErrorCode,
  index: number,
  messageName: keyof typeof operationMessages,
  detail: string,
  expression?: string,
): never {
  const problem: Problem = {
    ...operationMessages[messageName]({ n: index + 1 }),
    diagnostics: `op[${index}]: ${detail}`,
    ...(expression !== undefined && { expression }),
  };
  throw new FhirError(kind, problem);
}
