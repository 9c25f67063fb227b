import { parseAddress } from '../../../core/api/address.ts';
import { fhirPath } from '../../../core/api/contract.ts';
import { curlOf } from '../../../core/api/curl.ts';
import { etagOf } from '../../../core/api/precondition.ts';
import { parseQuery } from '../../../core/api/query.ts';
import type { RequestEntry } from '../../../core/app/activity.ts';
import { isResourceType, type ResourceType } from '../../../core/fhir/resource.ts';

/** What stands in a path where the server left a secret out. */
const redacted = '[redacted]';

/** What can be done again with a request, or why nothing can. */
export type Replay =
  | {
      readonly kind: 'search';
      readonly type: ResourceType;
      readonly pairs: readonly (readonly [string, string])[];
    }
  | { readonly kind: 'none'; readonly reason: 'write' | 'redacted' | 'other' };

/** Parameters that say how an answer is cut into pages, which the Search view does by itself. */
const pagingNames = new Set(['_count', '_cursor', '_total', '_elements', '_summary', '_format', '_pretty']);

/** The search that a request was; writes are never sent again. */
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

/** The record that an entry names, where it can be opened. */
export function recordOf({ record }: RequestEntry): { type: ResourceType; id: string } | undefined {
  if (!record || !isResourceType(record.type) || record.id.includes(redacted)) return undefined;
  return { type: record.type, id: record.id };
}

/** Names and values of a path's query, decoded where that is possible. */
export function parametersOf(path: string): readonly (readonly [name: string, value: string])[] {
  const at = path.indexOf('?');
  return at === -1 ? [] : pairsOf(path.slice(at + 1));
}

/** The request as a command; what was not kept (body, headers) is left out. */
export function curlOfEntry(
  { method, path, kind, record }: RequestEntry,
  origin: string,
  fhirBase = origin + fhirPath,
): string {
  const below = path.startsWith(`${fhirPath}/`) ? fhirBase + path.slice(fhirPath.length) : origin + path;
  return curlOf({
    method,
    url: below,
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
