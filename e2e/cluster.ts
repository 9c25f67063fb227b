import { planCluster } from '../server/testing/postgres.ts';

/**
 * For all workers: the first test that needs PostgreSQL starts the only cluster of the run, which ends with
 * the run.
 */
export default planCluster;
