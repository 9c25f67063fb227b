import { kill } from './cases/kill.ts';
import { power } from './cases/power.ts';
import { loadSlowClients } from './cases/load-slow-clients.ts';
import type { FaultCase } from './fault-case.ts';

/** All cases, in the order in which they are run and reported. */
export const cases: readonly FaultCase[] = [kill, power, loadSlowClients];
