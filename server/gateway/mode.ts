import type { Route } from '../../core/api/contract.ts';
import { confirmedHeader, type Connection } from '../../core/app/connections.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { isWrite } from './target.ts';

/**
 * Holds a request against the mode of its connection.
 *
 * @throws FhirError `forbidden` for a write to a read-only connection, `not-confirmed` for one that does not name the
 *   host where each write is confirmed.
 */
export function checkMode(
  route: Route,
  { mode, name, baseUrl }: Connection,
  confirmed: string | undefined,
): void {
  if (!isWrite(route)) return;
  const { host } = new URL(baseUrl);
  switch (mode) {
    case 'normal':
      return;
    case 'read-only':
      throw new FhirError('forbidden', {
        text: `The connection ${name} is read-only: nothing is sent to ${host}. Its mode is changed in the connection.`,
      });
    case 'confirm':
      if (confirmed?.trim().toLowerCase() === host) return;
      throw new FhirError('not-confirmed', {
        text: `Each write to ${host} is confirmed: confirm this one.`,
        location: `http.${confirmedHeader}`,
      });
  }
}
