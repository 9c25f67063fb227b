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
import { completeBundle, inBundle, nextPlace, type BundlePlace, type ReadBundle } from './bundle-head.ts';
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
 * @param outer - What the containers around the text state.
 */
export function unfoldJson(
  text: string,
  place: ValuePlace = 'resource',
  path = '',
  outer: OuterFacts = {},
): readonly ImportEntry[] {
  try {
    const { root, problems } = scan(text, maxDepth + outerLevels);
    const parts = unfold(root, { ...outer, place, path, level: 0 });
    const isOutside = ({ start }: Span) =>
      !parts.some((part) => part.span.start <= start && start < part.span.end);
    const outerProblem = problems.find(isOutside);
    if (outerProblem) return [{ path, problem: describe(outerProblem, text) }];
    return parts.map(({ entry, span }) => {
      const problem = problems.find(({ start }) => span.start <= start && start < span.end);
      return problem ? { path: entry.path, problem: describe(problem, text), ...inBundle(entry) } : entry;
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

/** What the containers around a value state. */
interface OuterFacts {
  /** Addresses of the entry around a resource. */
  readonly address?: EntryAddress | undefined;
  /** Bundle around an entry. */
  readonly bundle?: ReadBundle | undefined;
  /** Place of the entry around a resource. */
  readonly bundlePlace?: BundlePlace | undefined;
}

/** Location of a value, with what the containers around it state. */
export interface ValueLocation extends OuterFacts {
  readonly place: ValuePlace;
  readonly path: string;
  /** Count of Bundles around it. */
  readonly level: number;
}

interface Part {
  readonly entry: ImportEntry;
  readonly span: Span;
}

function unfold(node: JsonNode, location: ValueLocation): Part[] {
  const { place, path, level, address, bundlePlace = ownPlace(node, location) } = location;
  const placed = inBundle({ bundlePlace });
  if (level > maxBundleLevels)
    return [{ entry: { path, problem: messages.tooManyLevels({ max: maxBundleLevels }) }, span: node }];
  if (node.kind === 'array')
    return node.items.flatMap((item, index) => unfold(item, { ...location, path: childPath(path, index) }));
  const isContainer = node.kind === 'object' && (place !== 'resource' || isOuterObject(node));
  if (!isContainer) {
    if (place !== 'resource')
      return [{ entry: { path, skipReason: messages.noResource(), ...placed }, span: node }];
    if (node.kind !== 'object') return [{ entry: { path, problem: notAResource(), ...placed }, span: node }];
    return [{ entry: { path, ...describeResource(node), ...address, ...placed }, span: node }];
  }
  const resourceType = stringMember(node, 'resourceType');
  const nextLevel = place === 'resource' ? level + 1 : level;
  const outer: OuterFacts =
    place === 'entry' ? { address: addressOf(node), bundlePlace } : { bundle: openDocument(node) };
  const parts = node.members.flatMap(({ key, value }) => {
    const valuePlace = memberPlace(place, key, place === 'resource' ? resourceType : undefined);
    if (valuePlace === undefined || value.kind === 'null') return [];
    return unfold(value, {
      place: valuePlace,
      path: childPath(path, key),
      level: nextLevel,
      ...outer,
    });
  });
  const lacksResource = place === 'entry' && (member(node, 'resource')?.kind ?? 'null') === 'null';
  return lacksResource
    ? [
        {
          entry: {
            path,
            skipReason: describeLackOf(node),
            ...placed,
            ...readLink(node),
            ...readElsewhere(node),
          },
          span: node,
        },
      ]
    : parts;
}

/** Returns the addresses of an entry that stands for a record of another request. */
function readElsewhere(entry: JsonNode): Pick<ImportEntry, 'elsewhere'> {
  const elsewhere = addressOf(entry);
  const isRead = stringMember(member(entry, 'request'), 'method') === 'GET';
  return isRead && elsewhere.fullUrl !== undefined ? { elsewhere } : {};
}

/** Returns the next place of its Bundle for an entry; undefined for other values. */
function ownPlace(node: JsonNode, { place, bundle }: ValueLocation): BundlePlace | undefined {
  return place === 'entry' && bundle && node.kind !== 'array' ? nextPlace(bundle) : undefined;
}

/** Returns a container as a Bundle if it is a document. */
function openDocument(node: JsonNode): ReadBundle | undefined {
  if (stringMember(node, 'resourceType') !== 'Bundle') return undefined;
  const bundle: ReadBundle = { entryCount: 0 };
  completeBundle(bundle, node);
  return bundle.head === undefined ? undefined : bundle;
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

/** Returns the addresses of a Bundle entry. */
export function addressOf(entry: JsonNode | undefined): EntryAddress {
  const fullUrl = stringMember(entry, 'fullUrl') ?? '';
  const requestUrl = stringMember(member(entry, 'request'), 'url') ?? '';
  return {
    ...(fullUrl !== '' && { fullUrl }),
    ...(requestUrl !== '' && { requestUrl }),
    ...readLink(entry),
  };
}

/** Returns the link of an entry to its place in a file. */
function readLink(entry: JsonNode | undefined): Pick<EntryAddress, 'via'> {
  const link = items(member(entry, 'link')).find(
    (candidate) => stringMember(candidate, 'relation') === 'via',
  );
  const via = stringMember(link, 'url');
  return via === undefined ? {} : { via };
}
