/** What must hold, and what shows each: one table, which docs/trust.md is made from. */
import { serverClaims } from './trust-claims-server.ts';
import { dataClaims } from './trust-claims-data.ts';

export interface Claim {
  readonly claim: string;
  /** Tests by file and title, as the titles stand there. */
  readonly tests?: readonly (readonly [file: string, title: string])[];
  /** Cases of `npm run test:faults` by name. */
  readonly cases?: readonly string[];
}

export const claims: readonly Claim[] = [...serverClaims, ...dataClaims];
