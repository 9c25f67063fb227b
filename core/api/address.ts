import { fhirPath } from './contract.ts';

/** What an address below {@link fhirPath} names. */
export interface Address {
  /** As it stands there; not every text is a type that is offered. */
  readonly type: string;
  /** Decoded. */
  readonly id?: string;
  /** A segment that names an operation or a list: `_search`, `_history`, `$validate`. */
  readonly operation?: string;
  /** Of a single version. */
  readonly version?: number;
  /** Without `?`; empty where there is none. */
  readonly query: string;
}

/** Takes a path with its query apart; undefined where it names no type. */
export function parseAddress(path: string): Address | undefined {
  const [place = '', ...rest] = path.split('?');
  if (!place.startsWith(`${fhirPath}/`)) return undefined;
  const [type = '', ...segments] = place.slice(fhirPath.length + 1).split('/');
  if (!/^[A-Z][A-Za-z]*$/.test(type)) return undefined;
  const id = segments[0] === undefined || isOperation(segments[0]) ? undefined : decoded(segments[0]);
  const operation = segments.find(isOperation)?.replace(/^%24/, '$');
  const version = Number(segments[2] ?? '');
  return {
    type,
    ...(id !== undefined && id !== '' && { id }),
    ...(operation !== undefined && { operation }),
    ...(operation === '_history' && version > 0 && { version }),
    query: rest.join('?'),
  };
}

function isOperation(segment: string): boolean {
  return segment.startsWith('_') || segment.startsWith('$') || segment.startsWith('%24');
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
