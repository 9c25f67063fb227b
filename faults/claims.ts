/** All claims with their proofs. docs/trust.md is generated from this table. */
import type { Claim } from './claim.ts';
import { remoteClaims } from './claims-remote.ts';
import { serverClaims } from './claims-server.ts';
import { dataClaims } from './claims-data.ts';
import { fileClaims } from './claims-files.ts';
import { releaseClaims } from './claims-releases.ts';
import { sharedClaims } from './claims-shared.ts';

export const claims: readonly Claim[] = [
  ...serverClaims,
  ...remoteClaims,
  ...dataClaims,
  ...fileClaims,
  ...releaseClaims,
  ...sharedClaims,
];
