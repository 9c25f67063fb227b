import { expect, onTestFinished, test } from 'vitest';
import { longToParse } from '../../core/fhirpath/testing/expensive.ts';
import { KeptFolder } from '../testing/kept-folder.ts';

test('an expression that takes too long to parse fails its own check alone', async () => {
  const folder = await KeptFolder.make(Date.UTC(2026, 10, 22, 12));
  onTestFinished(() => folder.remove());
  await folder.start(undefined, { parsing: 20 });
  const record = JSON.stringify({ resourceType: 'CarePlan', title: 'Walking' });
  const tryOn = (holds: string) =>
    folder.send('POST', '/app/checks/try', JSON.stringify({ type: 'CarePlan', holds, record }));
  const [late, other] = await Promise.all([tryOn(longToParse('title')), tryOn('title')]);
  expect([late.status, late.json.issue[0]]).toMatchObject([
    400,
    {
      expression: ['holds'],
      details: { text: 'The expression cannot be read. It takes longer than 20 ms.' },
    },
  ]);
  expect([other.status, other.json]).toMatchObject([200, { applied: 1, violated: 0 }]);
});
