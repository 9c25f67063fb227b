/**
 * Moves a store in a process of its own, to be killed in the middle: `node server/testing/move-process.ts FROM TO UNIT COUNT`.
 * Prints a line whenever the move tells how far a part of the work is; where it tells so of the unit for the so manyth time, it
 * waits there.
 */
import { writeSync } from 'node:fs';
import { move } from '../move/move.ts';
import { auditKey } from './moved-store.ts';

const [from = '', to = '', at = '', count = ''] = process.argv.slice(2);
let told = 0;

const moved = await move(
  { from, to, key: auditKey },
  {
    report: (sentence) => writeSync(1, `${sentence}\n`),
    reportProgress(done, total, unit) {
      writeSync(1, `${done} of ${total} ${unit}\n`);
      if (unit === at) told += 1;
      if (unit !== at || told !== Number(count)) return;
      writeSync(1, 'waits\n');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    },
  },
);
writeSync(1, `${moved?.digest ?? 'different'}\n`);
