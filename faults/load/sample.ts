import { generateClinic, type DemoRecord } from '../../server/demo/generate.ts';

/** Returns one record of an invented clinic. */
export function createSampleRecord(seed: number): DemoRecord {
  for (const record of generateClinic({ seed, patients: 1 })) return record;
  throw new Error('The clinic is empty.');
}
