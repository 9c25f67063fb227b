import type { Mutant } from './mutant.ts';

const rows = 'server/conformance/rows-budgets.test.ts';
const underWay = 'server/http/answers-under-way.test.ts';

/** What a body and an answer may cost. */
export const budgetMutants: readonly Mutant[] = [
  {
    mechanism: 'JSON: 300,000 values',
    file: 'core/json/scan.ts',
    text: 'this.values > this.most',
    instead: 'this.values > 2 * this.most',
    test: {
      file: rows,
      title: 'row 87: a body of 300,000 JSON values is stored, one value more is 413 too-long',
    },
  },
  {
    mechanism: 'validation: it says where it stops',
    file: 'core/fhir/validation/validate.ts',
    text: 'arranged.length > most',
    instead: 'arranged.length > 2 * most',
    test: {
      file: rows,
      title: 'row 87: validation stops at 1,000 findings and says so; the outcome lists the first 100',
    },
  },
  {
    mechanism: 'body: the rest of one that is too large is read',
    file: 'server/http/body.ts',
    text: 'let left = thrownAway.times * limit;',
    instead: 'let left = 0;',
    test: { file: rows, title: 'row 86: a body over the limit, %s: its client reads 413' },
  },
  {
    mechanism: 'body: a large one is judged in a thread',
    file: 'server/judge/text-pool.ts',
    text: 'lengthOf(given) > largest',
    instead: 'lengthOf(given) > 1000 * largest',
    test: {
      file: 'server/judge/text-pool.test.ts',
      title: 'while a large body is judged others are answered',
    },
  },
  {
    mechanism: 'body: small ones that come together are judged beside',
    file: 'server/judge/text-pool.ts',
    text: '!isLarge && beside && shared ? quickThread() : undefined',
    instead: 'undefined as Thread | undefined',
    test: {
      file: 'server/judge/text-pool.test.ts',
      title: 'a small text comes to the same here and beside',
    },
  },
  {
    mechanism: 'answer: who reads nothing is dropped',
    file: 'server/http/write-out.ts',
    text: 'if (waiting) response.destroy();',
    test: { file: underWay, title: 'who reads nothing of %s is dropped after 30 s, and not before' },
  },
  {
    mechanism: 'answer: 256 MiB for all',
    file: 'server/http/answers-under-way.ts',
    text: 'this.held + bytes <= this.most',
    instead: 'this.held + bytes <= 10 * this.most',
    test: {
      file: underWay,
      title:
        'beyond 256 MiB a large answer is 503 with Retry-After; small ones are answered, and large ones later',
    },
  },
  {
    mechanism: 'socket: a standstill of the server is no slowness of the client',
    file: 'server/http/socket-faults.ts',
    text: 'performance.now() - due < standstill',
    instead: 'due > 0',
    test: {
      file: 'server/http/limits.test.ts',
      title: "what the server did not read in time, as it stood still, is not the client's slowness",
    },
  },
];
