/** `chartkeeper verify`: looks for damage in a data folder that no server holds. */
import { join } from 'node:path';
import { verifyFile } from './store/verify.ts';

/** Prints a line for each finding, then how much was looked at; answers whether nothing was found. */
export async function runVerify(dataDir: string): Promise<boolean> {
  const findings = verifyFile(join(dataDir, 'records.db'));
  let found = 0;
  for (;;) {
    const { done, value } = await findings.next();
    if (done) {
      const { records, versions, entries } = value;
      const looked = `${count(records, 'record')}, ${count(versions, 'version')}, ${count(entries, 'audit entry')}`;
      process.stdout.write(`${looked}: ${found === 0 ? 'no damage' : count(found, 'finding')}.\n`);
      return found === 0;
    }
    found += 1;
    process.stdout.write(`${value.where} ${value.problem}\n`);
  }
}

function count(number: number, what: string): string {
  const plural = what.endsWith('y') ? `${what.slice(0, -1)}ies` : `${what}s`;
  return `${number.toLocaleString('en')} ${number === 1 ? what : plural}`;
}
