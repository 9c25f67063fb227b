import { ApiFailure } from '../../../core/api/failure.ts';

/** Returns the parameters that the server rejected, by their names without modifiers. */
export function problemFields(error: unknown): ReadonlySet<string> {
  if (!(error instanceof ApiFailure)) return new Set();
  const locations = (error.outcome?.issue ?? []).flatMap(({ location, expression }) => [
    ...(location ?? []),
    ...(expression ?? []),
  ]);
  return new Set(locations.map((location) => location.replace(/^http\./, '').split(/[:.]/)[0] ?? location));
}
