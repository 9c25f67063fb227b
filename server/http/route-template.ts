import type { Request } from 'express';
import { fhirPath, matchRoute } from '../../core/api/contract.ts';
import type { MatchRoute } from './route-table.ts';

/** The path of the route that a request met; never its address, which names records and patients. */
export function routeTemplate({ originalUrl }: Request, match: MatchRoute): string {
  const [path = ''] = originalUrl.split('?');
  const met = match(path)?.item.path;
  if (met === undefined) return `${[fhirPath, '/app'].find((start) => path.startsWith(`${start}/`)) ?? ''}/*`;
  if (!met.endsWith('/*')) return met;
  // What the gateway forwards is described by the contract's own paths.
  const start = met.slice(0, -'/*'.length);
  const below = `/${path.split('/').slice(start.split('/').length).join('/')}`;
  return start + (matchRoute(below)?.item.path ?? '/*');
}
