/**
 * Adds a package to a data folder and ends itself, as a power cut would, at the step of the file system that it is told:
 * `node killed-add.ts DATA FILE STEP [remove]`. Exit code 0 where there are fewer steps.
 */
import fs from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const [dataDir = '', file = '', step = '', task = 'add'] = process.argv.slice(2);
let left = Number(step);

function counted<Call extends (...given: never[]) => unknown>(call: Call): Call {
  return ((...given: never[]) => {
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
    return call(...given);
  }) as Call;
}

const { createPackages } = await import('../packages.ts');
const packages = createPackages({ dataDir, log: () => undefined });
await packages.look();
const received = packages.incoming();
if (task === 'add') fs.copyFileSync(file, received);
promises.rename = counted(promises.rename);
promises.rm = counted(promises.rm);
fs.fsyncSync = counted(fs.fsyncSync);
syncBuiltinESMExports();
await (task === 'add' ? packages.add(received) : packages.remove(file));
