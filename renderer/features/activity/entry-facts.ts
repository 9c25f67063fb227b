import { parseAddress } from '../../../core/api/address.ts';
import { fhirPath } from '../../../core/api/contract.ts';
import { curlOf } from '../../../core/api/curl.ts';
import { etagOf } from '../../../core/api/precondition.ts';
import { parseQuery } from '../../../core/api/query.ts';
import type { RequestEntry } from '../../../core/app/activity.ts';
import { isResourceType, type ResourceType } from '../../../core/fhir/resource.ts';
import { text } from '../../ui/text.ts';

/** Returns the name of a job's count; a code that the page does not know stays as it is. */
export function countName(code: string): string {
  const names: Readonly<Record<string, string>> = text.activity.counts;
  return Object.hasOwn(names, code) ? (names[code] ?? code) : code;
}

/** Placeholder in a path for a secret that the server removed. */
const redacted = '[redacted]';

/** The search that can be repeated, or the reason why a request can't. */
export type Replay =
  | {
      readonly kind: 'search';
      readonly type: ResourceType;
      readonly pairs: readonly (readonly [string, string])[];
    }
  | { readonly kind: 'none'; readonly reason: 'write' | 'redacted' | 'other' };

/** Paging parameters, which the Search view sets itself. */
const pagingNames = new Set(['_count', '_cursor', '_total', '_elements', '_summary', '_format', '_pretty']);

/** Returns the search of a request. Writes are never repeated. */
export function replayOf({ method, path, kind }: RequestEntry): Replay {
  if (kind === 'write' || kind === 'app') return { kind: 'none', reason: 'write' };
  if (path.includes(redacted)) return { kind: 'none', reason: 'redacted' };
  const address = parseAddress(path);
  if (kind !== 'search' || method !== 'GET' || !address || !isResourceType(address.type)) {
    return { kind: 'none', reason: 'other' };
  }
  const pairs = pairsOf(address.query).filter(([name]) => !pagingNames.has(name));
  return { kind: 'search', type: address.type, pairs };
}

/** Returns the record of an entry; undefined if it can't be opened. */
export function recordOf({ record }: RequestEntry): { type: ResourceType; id: string } | undefined {
  if (!record || !isResourceType(record.type) || record.id.includes(redacted)) return undefined;
  return { type: record.type, id: record.id };
}

/** Returns the decoded query parameters of a path. */
export function parametersOf(path: string): readonly (readonly [name: string, value: string])[] {
  const queryOffset = path.indexOf('?');
  return queryOffset === -1 ? [] : pairsOf(path.slice(queryOffset + 1));
}

/** Returns the request as a cURL command, without the body and headers, which are not stored. */
export function curlOfEntry(
  { method, path, kind, record }: RequestEntry,
  origin: string,
  fhirBase = origin + fhirPath,
): string {
  const url = path.startsWith(`${fhirPath}/`) ? fhirBase + path.slice(fhirPath.length) : origin + path;
  return curlOf({
    method,
    url,
    headers: {
      Accept: 'application/json',
      ...(kind === 'write' && { 'Content-Type': 'application/json' }),
      ...(kind === 'write' && record?.before !== undefined && { 'If-Match': etagOf(record.before) }),
    },
  });
}

function pairsOf(query: string): readonly (readonly [string, string])[] {
  try {
    return parseQuery(query);
  } catch {
    return [['', query]];
  }
}
