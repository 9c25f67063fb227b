/** All mutants, in the order in which they are tried and reported: `npm run test:mutants`. */
import { damageMutants } from './damage.ts';
import { budgetMutants } from './budgets.ts';
import { dataMutants } from './data.ts';
import { diskMutants } from './disk.ts';
import { erasureMutants } from './erasure.ts';
import { gatewayMutants } from './gateway.ts';
import type { Mutant } from './mutant.ts';
import { profileMutants } from './profiles.ts';
import { searchMutants } from './search.ts';
import { rightsMutants } from './rights.ts';
import { serverMutants } from './server.ts';
import { signInMutants } from './sign-in.ts';
import { sharedMutants } from './shared.ts';
import { shellMutants } from './shell.ts';
import { trailMutants } from './trail.ts';

export const mutants: readonly Mutant[] = [
  ...serverMutants,
  ...rightsMutants,
  ...signInMutants,
  ...budgetMutants,
  ...dataMutants,
  ...damageMutants,
  ...searchMutants,
  ...profileMutants,
  ...diskMutants,
  ...erasureMutants,
  ...sharedMutants,
  ...trailMutants,
  ...gatewayMutants,
  ...shellMutants,
];
