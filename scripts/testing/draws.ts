import * as fc from 'fast-check';

/**
 * What property tests draw: the same in each run of `npm test`, so that the same sources pass or fail alike; new in each
 * run of `npm run test:faults`, which names the seed of what fails.
 */
fc.configureGlobal(process.env.LONG_TESTS === undefined ? { seed: 20260101 } : {});
