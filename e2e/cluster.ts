import { planCluster } from '../server/testing/postgres.ts';

/** Of all workers: the first test that needs PostgreSQL starts the one cluster of the run, which ends with it. */
export default planCluster;
