/**
 * Moves a store in a process that tests kill: `node server/testing/move-process.ts FROM TO UNIT COUNT`. Prints a line for
 * each progress report, and waits forever at report number COUNT of the unit.
 */
import { writeSync } from 'node:fs';
import { move } from '../shared/move/move.ts';
import { auditKey } from './moved-store.ts';

const [from = '', to = '', waitUnit = '', count = ''] = process.argv.slice(2);
let reportCount = 0;

const result = await move(
  { from, to, key: auditKey },
  {
    report: (sentence) => writeSync(1, `${sentence}\n`),
    reportProgress(done, total, unit) {
      writeSync(1, `${done} of ${total} ${unit}\n`);
      if (unit === waitUnit) reportCount += 1;
      if (unit !== waitUnit || reportCount !== Number(count)) return;
      writeSync(1, 'waits\n');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    },
  },
);
writeSync(1, `${result?.digest ?? 'different'}\n`);
