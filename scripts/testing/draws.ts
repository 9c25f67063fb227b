import * as fc from 'fast-check';

/**
 * Sets the seed of property tests. It is fixed in `npm test`, so that the same sources give the same result.
 * `npm run test:faults` uses a new seed and reports it for failures.
 */
fc.configureGlobal(process.env.LONG_TESTS === undefined ? { seed: 20260101 } : {});
