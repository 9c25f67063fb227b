import { problemOf } from '../fhir/record.ts';
import { JsonSyntaxError, type JsonProblem } from '../json/json-problem.ts';
import {
  items,
  member,
  serializeNode,
  stringMember,
  type JsonNode,
  type JsonObject,
  type Span,
} from '../json/node.ts';
import { maxDepth, scan } from '../json/scan.ts';
import { defineMessages, type Message } from '../text/message.ts';
import { childPath, type EntryAddress, type ImportEntry } from './entry.ts';
import { readManifest } from './manifest.ts';

const messages = defineMessages('import', {
  noResource: 'The entry has no resource.',
  noResourceInResponse: 'The entry has no resource. Its response was {status}.',
  deletedAtSource: 'The source deleted {url}. Nothing is deleted here.',
  sourceReport: 'The source reported: {text}',
  notAResource: 'Not a FHIR resource: resourceType is missing.',
  tooManyLevels: 'Bundles are nested in more than {max} levels.',
});

/** Returns the message for JSON that is no resource. */
export const { notAResource } = messages;

/** Characters of a report that are shown, at most. */
const maxReport = 500;

/** Levels of Bundles in Bundles, at most. */
export const maxBundleLevels = 8;

/** JSON levels around a resource: each Bundle has an array, its entry and the member of the resource. */
const outerLevels = 4 * maxBundleLevels;

/** Place of a JSON value. It decides which of its members contain resources. */
export type ValuePlace = 'resource' | 'entry' | 'parameter' | 'resources';

/**
 * Returns the resources of a JSON text: of one resource, an array, a Bundle, Parameters or a CDS Hooks request,
 * at any depth. The order of members has no meaning (R4 json.html). A problem inside an entry concerns that
 * entry only.
 *
 * @param place - Place of the text in its file.
 * @param path - Path of that place.
 */
export function unfoldJson(text: string, place: ValuePlace = 'resource', path = ''): readonly ImportEntry[] {
  try {
    const { root, problems } = scan(text, maxDepth + outerLevels);
    const parts = unfold(root, { place, path, level: 0 });
    const isOutside = ({ start }: Span) =>
      !parts.some((part) => part.span.start <= start && start < part.span.end);
    const outerProblem = problems.find(isOutside);
    if (outerProblem) return [{ path, problem: describe(outerProblem, text) }];
    return parts.map(({ entry, span }) => {
      const problem = problems.find(({ start }) => span.start <= start && start < span.end);
      return problem ? { path: entry.path, problem: describe(problem, text) } : entry;
    });
  } catch (error) {
    if (error instanceof JsonSyntaxError) return [{ path, problem: describe(error.fault, text) }];
    throw error;
  }
}

/** Returns the place of a member's value; undefined for a member that contains no resources. */
export function memberPlace(
  place: ValuePlace,
  key: string,
  resourceType: string | undefined,
): ValuePlace | undefined {
  switch (place) {
    case 'resource':
      if (key === 'entry' && (resourceType ?? 'Bundle') === 'Bundle') return 'entry';
      if (key === 'parameter' && (resourceType ?? 'Parameters') === 'Parameters') return 'parameter';
      return key === 'prefetch' && resourceType === undefined ? 'resources' : undefined;
    case 'entry':
      return key === 'resource' ? 'resource' : undefined;
    case 'parameter':
      if (key === 'resource') return 'resource';
      return key === 'part' ? 'parameter' : undefined;
    case 'resources':
      return 'resource';
  }
}

/** Returns the message with line and column in the text. */
function describe(problem: JsonProblem, text: string): Message {
  const { messageCode, parameters, text: message } = problemOf(problem, text, '');
  return { messageCode, text: message, ...(parameters && { parameters }) };
}

interface Location {
  readonly place: ValuePlace;
  readonly path: string;
  /** Count of Bundles around it. */
  readonly level: number;
  readonly address?: EntryAddress;
}

interface Part {
  readonly entry: ImportEntry;
  readonly span: Span;
}

function unfold(node: JsonNode, location: Location): Part[] {
  const { place, path, level, address } = location;
  if (level > maxBundleLevels)
    return [{ entry: { path, problem: messages.tooManyLevels({ max: maxBundleLevels }) }, span: node }];
  if (node.kind === 'array')
    return node.items.flatMap((item, index) => unfold(item, { ...location, path: childPath(path, index) }));
  const isContainer = node.kind === 'object' && (place !== 'resource' || isOuterObject(node));
  if (!isContainer) {
    if (place !== 'resource') return [{ entry: { path, skipReason: messages.noResource() }, span: node }];
    if (node.kind !== 'object') return [{ entry: { path, problem: notAResource() }, span: node }];
    return [{ entry: { path, ...describeResource(node), ...address }, span: node }];
  }
  const resourceType = stringMember(node, 'resourceType');
  const nextLevel = place === 'resource' ? level + 1 : level;
  const innerAddress = place === 'entry' ? addressOf(node) : undefined;
  const parts = node.members.flatMap(({ key, value }) => {
    const valuePlace = memberPlace(place, key, place === 'resource' ? resourceType : undefined);
    if (valuePlace === undefined || value.kind === 'null') return [];
    return unfold(value, {
      place: valuePlace,
      path: childPath(path, key),
      level: nextLevel,
      ...(innerAddress && { address: innerAddress }),
    });
  });
  const lacksResource = place === 'entry' && (member(node, 'resource')?.kind ?? 'null') === 'null';
  return lacksResource ? [{ entry: { path, skipReason: describeLackOf(node) }, span: node }] : parts;
}

/** Returns the text of a resource, or what a manifest or an OperationOutcome says. */
function describeResource(node: JsonObject): Omit<ImportEntry, 'path'> {
  const manifest = readManifest(node);
  if (manifest) return { manifest, skipReason: manifest.skipReason };
  return describeOutcome(node) ?? { text: serializeNode(node) };
}

/** Returns the report of an OperationOutcome, such as a line in an error file of an export; undefined for other JSON. */
function describeOutcome(node: JsonObject): Omit<ImportEntry, 'path'> | undefined {
  if (stringMember(node, 'resourceType') !== 'OperationOutcome') return undefined;
  const issues = items(member(node, 'issue'));
  const error = issues.find((issue) => /^(?:error|fatal)$/.test(stringMember(issue, 'severity') ?? ''));
  const issue = error ?? issues[0];
  if (!issue) return undefined;
  const text =
    stringMember(issue, 'diagnostics') ??
    stringMember(member(issue, 'details'), 'text') ??
    stringMember(issue, 'code') ??
    '';
  const report = messages.sourceReport({ text: text.slice(0, maxReport) });
  return error ? { problem: report } : { skipReason: report };
}

/** Returns why an entry of a Bundle has no resource: of a deletion, or of a response. */
function describeLackOf(entry: JsonObject): Message {
  const request = member(entry, 'request');
  const url = stringMember(request, 'url');
  if (stringMember(request, 'method') === 'DELETE' && url !== undefined)
    return messages.deletedAtSource({ url });
  const status = stringMember(member(entry, 'response'), 'status');
  return status === undefined ? messages.noResource() : messages.noResourceInResponse({ status });
}

/** True for an object that only contains resources: a Bundle, Parameters or a CDS Hooks request. */
function isOuterObject(node: JsonObject): boolean {
  const resourceType = stringMember(node, 'resourceType');
  if (resourceType === undefined)
    return member(node, 'hook')?.kind === 'string' && member(node, 'prefetch') !== undefined;
  return resourceType === 'Bundle' || resourceType === 'Parameters';
}

function addressOf(entry: JsonObject): EntryAddress {
  const fullUrl = stringMember(entry, 'fullUrl') ?? '';
  const requestUrl = stringMember(member(entry, 'request'), 'url') ?? '';
  return { ...(fullUrl !== '' && { fullUrl }), ...(requestUrl !== '' && { requestUrl }) };
}
