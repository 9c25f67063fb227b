import { ApiFailure } from '../../../core/api/failure.ts';

/** The parameters that the server found fault with, by their names without modifiers. */
export function problemFields(error: unknown): ReadonlySet<string> {
  if (!(error instanceof ApiFailure)) return new Set();
  const places = (error.outcome?.issue ?? []).flatMap(({ location, expression }) => [
    ...(location ?? []),
    ...(expression ?? []),
  ]);
  return new Set(places.map((place) => place.replace(/^http\./, '').split(/[:.]/)[0] ?? place));
}
