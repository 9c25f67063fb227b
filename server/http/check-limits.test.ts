import { expect, onTestFinished, test } from 'vitest';
import { longToParse } from '../../core/fhirpath/testing/expensive.ts';
import { KeptFolder } from '../testing/kept-folder.ts';

test('fails only the check whose expression parses too slowly', async () => {
  const folder = await KeptFolder.make(Date.UTC(2026, 10, 22, 12));
  onTestFinished(() => folder.remove());
  await folder.start(undefined, { parsing: 60 });
  const record = JSON.stringify({ resourceType: 'CarePlan', title: 'Walking' });
  const tryExpression = (expression: string) =>
    folder.send('POST', '/app/checks/try', JSON.stringify({ type: 'CarePlan', holds: expression, record }));
  const [slowCheck, otherCheck] = await Promise.all([
    tryExpression(longToParse('title')),
    tryExpression('title'),
  ]);
  expect([slowCheck.status, slowCheck.json.issue[0]]).toMatchObject([
    400,
    {
      expression: ['holds'],
      details: { text: 'Can’t read the expression. It takes longer than 60 ms.' },
    },
  ]);
  expect([otherCheck.status, otherCheck.json]).toMatchObject([200, { applied: 1, violated: 0 }]);
});
