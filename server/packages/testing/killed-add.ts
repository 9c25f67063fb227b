/**
 * Adds a package to a data folder and kills itself at a given step of the file system, like a power cut:
 * `node killed-add.ts DATA FILE STEP [remove]`. Exits with 0 if there are fewer steps.
 */
import fs from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const [dataDir = '', file = '', step = '', task = 'add'] = process.argv.slice(2);
let remainingSteps = Number(step);

function countCalls<Call extends (...callArguments: never[]) => unknown>(call: Call): Call {
  return ((...callArguments: never[]) => {
    remainingSteps -= 1;
    if (remainingSteps === 0) process.kill(process.pid, 'SIGKILL');
    return call(...callArguments);
  }) as Call;
}

const { createPackages } = await import('../packages.ts');
const packages = createPackages({ dataDir, log: () => undefined });
await packages.look();
const received = packages.incoming();
if (task === 'add') fs.copyFileSync(file, received);
promises.rename = countCalls(promises.rename);
promises.rm = countCalls(promises.rm);
fs.fsyncSync = countCalls(fs.fsyncSync);
syncBuiltinESMExports();
await (task === 'add' ? packages.add(received) : packages.remove(file));
