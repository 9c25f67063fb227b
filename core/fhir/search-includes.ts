import { FhirError } from './outcome.ts';
import { includeName, includesOf } from './search-parameters.ts';
import type { ResourceType } from './resource.ts';
import type { Include } from './search-criteria.ts';
import { locationOf } from './search-values.ts';

/** The parameters that add records which are no matches. */
const adding = new Set(['_include', '_revinclude']);

export function isInclude(full: string): boolean {
  return adding.has(full.replace(/:.*$/s, ''));
}

/**
 * Reads `_include` or `_revinclude` (FHIR R4 search.html#include), row 66; undefined where it is not offered and a lenient
 * client has it left out.
 *
 * @throws FhirError `not-accepted`.
 */
export function readInclude(
  type: ResourceType,
  full: string,
  value: string,
  lenient: boolean,
): Include | undefined {
  const [source, name, target = type, ...rest] = value.split(':');
  const parameter = includesOf[type].find((one) => one.name === name);
  if (parameter && adding.has(full) && source === type && target === type && rest.length === 0) {
    return { parameter, reverse: full === '_revinclude' };
  }
  if (lenient) return undefined;
  const asked = [full, value].every((one) => /^[A-Za-z_*][A-Za-z0-9_:*-]{0,99}$/.test(one));
  const offered = includesOf[type].map((one) => includeName(type, one)).join(', ');
  throw new FhirError('not-accepted', {
    text: `${asked ? `${full}=${value}` : 'This inclusion'} is not offered; ${type} takes _include and _revinclude of ${offered || 'nothing'}.`,
    location: locationOf(full),
  });
}
