import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { ofJson, ofLines } from './candidates.ts';

/** Counts the turns of the event loop until the test ends. */
function countTurns(): () => number {
  let turns = 0;
  const count = () => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  onTestFinished(() => clearImmediate(next));
  return () => turns;
}

test.each([
  ['entries without a resource', ofJson, `{"resourceType":"Bundle","entry":[${'{},'.repeat(49_999)}{}]}`, 0],
  [
    'entries',
    ofJson,
    `{"resourceType":"Bundle","entry":[${'{"resource":1},'.repeat(49_999)}{"resource":1}]}`,
    50_000,
  ],
  ['empty lines', ofLines, '\n'.repeat(49_999), 0],
] as const)(
  'lets other work run while 50,000 %s arrive at once',
  async (_, readCandidates, text, expected) => {
    const turns = countTurns();
    let candidates = 0;
    for await (const { problem } of readCandidates(Readable.from([Buffer.from(text)]), 1_000_000))
      candidates += problem === undefined ? 1 : 0;
    expect(candidates).toBe(expected);
    expect(turns()).toBeGreaterThanOrEqual(100);
  },
);
