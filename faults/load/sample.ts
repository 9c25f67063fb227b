import { generateClinic, type DemoRecord } from '../../server/demo/generate.ts';

/** One record of an invented clinic. */
export function sampleRecord(seed: number): DemoRecord {
  for (const record of generateClinic({ seed, patients: 1 })) return record;
  throw new Error('The clinic is empty.');
}
