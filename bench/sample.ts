/** The part of a store's records that requests are made of: written by the fill, read by the driver. */
import { createWriteStream, readFileSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { DemoRecord } from '../server/demo/generate.ts';
import type { SearchedBy } from './operations.ts';
import { targetId } from './subject.ts';

export interface SampleRecord {
  readonly type: DemoRecord['type'];
  readonly id: string;
  /** The id that the subject's reference names. */
  readonly subject: string;
  /** The id that the encounter's reference names. */
  readonly encounter: string;
  /** Present where writes may use the record. */
  readonly text?: string;
}

/** Records that are read and searched for; whole subjects, evenly spread over the store. */
const readable = 100_000;

/** Records that are written; as many in every store, so that writes differ by the store's size alone. */
const writable = 10_000;

/** Takes a sample of `total` records into a file as they pass by. */
export function createSampler(path: string, total: number) {
  const file = createWriteStream(path);
  const steps = [readable, writable].map((wanted) => Math.max(1, Math.floor(total / wanted)));
  const [readStep = 1, writeStep = 1] = steps;
  let subject = '';
  let subjects = 0;
  return {
    add({ type, id, text }: DemoRecord): void {
      const found = referenceIn(text, 'subject');
      if (found !== subject) subjects += 1;
      subject = found;
      if (subjects % readStep !== 0) return;
      const encounter = referenceIn(text, 'encounter');
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

function referenceIn(text: string, element: SearchedBy): string {
  return targetId(new RegExp(`"${element}":\\{"reference":"([^"]+)"`).exec(text)?.[1] ?? '');
}

export function readSample(path: string): readonly SampleRecord[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as SampleRecord);
}
