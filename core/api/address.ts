import { fhirPath } from './contract.ts';

/** Parts of an address below {@link fhirPath}. */
export interface Address {
  /** Type as written; it may be unsupported. */
  readonly type: string;
  /** Decoded id. */
  readonly id?: string;
  /** Segment of an operation or a list: `_search`, `_history`, `$validate`. */
  readonly operation?: string;
  /** Version number, for a single version. */
  readonly version?: number;
  /** Query without `?`; empty if there is none. */
  readonly query: string;
}

/** Parses a path with its query; undefined if it has no type. */
export function parseAddress(path: string): Address | undefined {
  const [pathname = '', ...queryParts] = path.split('?');
  if (!pathname.startsWith(`${fhirPath}/`)) return undefined;
  const [type = '', ...segments] = pathname.slice(fhirPath.length + 1).split('/');
  if (!/^[A-Z][A-Za-z]*$/.test(type)) return undefined;
  const id = segments[0] === undefined || isOperation(segments[0]) ? undefined : decodeSegment(segments[0]);
  const operation = segments.find(isOperation)?.replace(/^%24/, '$');
  const version = Number(segments[2] ?? '');
  return {
    type,
    ...(id !== undefined && id !== '' && { id }),
    ...(operation !== undefined && { operation }),
    ...(operation === '_history' && version > 0 && { version }),
    query: queryParts.join('?'),
  };
}

function isOperation(segment: string): boolean {
  return segment.startsWith('_') || segment.startsWith('$') || segment.startsWith('%24');
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
