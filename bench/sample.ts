/** The records of a store that requests use. The fill writes them and the driver reads them. */
import { createWriteStream, readFileSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { DemoRecord } from '../server/demo/generate.ts';
import type { SearchedParameter } from './operations.ts';
import { parseTargetId } from './subject.ts';

export interface SampleRecord {
  readonly type: DemoRecord['type'];
  readonly id: string;
  /** The id in the subject's reference. */
  readonly subject: string;
  /** The id in the encounter's reference. */
  readonly encounter: string;
  /** Present if writes may use the record. */
  readonly text?: string;
}

/** Number of records for reads and searches: complete subjects, evenly spread over the store. */
const readCount = 100_000;

/** Number of records for writes. Equal in every store, so that only the size of the store affects writes. */
const writeCount = 10_000;

/** Creates a writer that samples `total` records into a file. */
export function createSampler(path: string, total: number) {
  const file = createWriteStream(path);
  const steps = [readCount, writeCount].map((sampleCount) => Math.max(1, Math.floor(total / sampleCount)));
  const [readStep = 1, writeStep = 1] = steps;
  let subject = '';
  let subjects = 0;
  return {
    add({ type, id, text }: DemoRecord): void {
      const recordSubject = readReference(text, 'subject');
      if (recordSubject !== subject) subjects += 1;
      subject = recordSubject;
      if (subjects % readStep !== 0) return;
      const encounter = readReference(text, 'encounter');
      const record: SampleRecord = {
        type,
        id,
        subject,
        encounter,
        ...(subjects % writeStep === 0 && { text }),
      };
      file.write(`${JSON.stringify(record)}\n`);
    },
    async close(): Promise<void> {
      file.end();
      await finished(file);
    },
  };
}

function readReference(text: string, element: SearchedParameter): string {
  return parseTargetId(new RegExp(`"${element}":\\{"reference":"([^"]+)"`).exec(text)?.[1] ?? '');
}

export function readSample(path: string): readonly SampleRecord[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as SampleRecord);
}
