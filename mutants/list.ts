/** All mutants, in the order in which they are tried and reported: `npm run test:mutants`. */
import { budgetMutants } from './budgets.ts';
import { dataMutants } from './data.ts';
import { diskMutants } from './disk.ts';
import { gatewayMutants } from './gateway.ts';
import type { Mutant } from './mutant.ts';
import { searchMutants } from './search.ts';
import { serverMutants } from './server.ts';
import { shellMutants } from './shell.ts';
import { trailMutants } from './trail.ts';

export const mutants: readonly Mutant[] = [
  ...serverMutants,
  ...budgetMutants,
  ...dataMutants,
  ...searchMutants,
  ...diskMutants,
  ...trailMutants,
  ...gatewayMutants,
  ...shellMutants,
];
