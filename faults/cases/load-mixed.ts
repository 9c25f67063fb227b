import { readdirSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { median } from '../../bench/measure.ts';
import { Random } from '../../server/demo/random.ts';
import { walPages } from '../../server/store/sqlite/connection-settings.ts';
import { expectVerified } from '../expect.ts';
import { FaultError, type FaultCase, type FaultContext, type Finding } from '../fault-case.ts';
import { createMixture, sendOne } from '../load/mixture.ts';
import { inspected, openCollector } from '../load/collector.ts';
import { descriptorsOf, memoryOf, tellsState } from '../load/process-state.ts';
import { startServer } from '../server.ts';

const minutes = { full: 30, short: 2 } as const;
const clients = 4;

/** Milliseconds between two requests of a client, and between two looks at the server. */
const pauses = { request: 20, look: 1000 } as const;

const mebibyte = 1024 ** 2;

/**
 * Of the last third to the one before it: memory at most so many times, descriptors at most so many more. Below so many
 * MiB more, memory is what was freed and not given back yet.
 */
const flat = { memory: 1.15, kept: 32, descriptors: 5 } as const;

/** MiB of a write-ahead log: what it gathers before a checkpoint, and the largest transaction on top. */
const mostLog = (walPages * 4096) / mebibyte + 12;

interface Sample {
  readonly memory: number;
  readonly descriptors: number;
  readonly log: number;
}

/** Whatever clients do for half an hour, the server does not grow. */
export const loadMixed: FaultCase = {
  name: 'load-mixed',
  claim: `Through 30 minutes of mixed load (2 in the short run) nothing is answered with 5xx, memory (behind a collection of garbage) and descriptors stay flat (the last third beside the second), each write-ahead log stays below ${mostLog} MiB, and the store closes clean.`,
  beside: true,
  timed: true,
  run,
};

async function run({ extent, folder, seed, tally, say }: FaultContext): Promise<Finding> {
  if (!tellsState) return { result: 'not run', reason: 'Memory and descriptors are read from /proc.' };
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  const server = await startServer(data, { nodeFlags: [inspected] });
  const collector = await openCollector(server);
  const mixture = createMixture(server, seed);
  const end = performance.now() + minutes[extent] * 60_000;
  const client = async (stream: number) => {
    const random = new Random(seed, stream, 0);
    while (performance.now() < end) {
      await sendOne(mixture, random);
      await setTimeout(pauses.request);
    }
  };
  const samples: Sample[] = [];
  const watch = async () => {
    while (performance.now() < end) {
      await collector.collect();
      samples.push(sampleOf(server.pid, data));
      if (samples.length % 60 === 0) say(told(samples.at(-1)));
      await setTimeout(pauses.look);
    }
  };
  await Promise.all([watch(), ...Array.from({ length: clients }, (_, stream) => client(stream))]);
  collector.close();
  await server.stop();
  const code = await server.ended;
  for (const [kind, count] of mixture.answers) tally.add(kind, count);
  const [, second, last] = thirdsOf(samples);
  const log = Math.max(...samples.map((sample) => sample.log));
  tally.add('MiB of memory, second third', second.memory);
  tally.add('MiB of memory, last third', last.memory);
  tally.add('descriptors, second third', second.descriptors);
  tally.add('descriptors, last third', last.descriptors);
  tally.add('MiB of the largest log', log);
  if (code !== 0) throw new FaultError(`The server ended with code ${code}: ${server.said()}`);
  const mostMemory = Math.max(second.memory * flat.memory, second.memory + flat.kept);
  if (!(last.memory <= mostMemory)) throw new FaultError('Memory grew');
  if (!(last.descriptors <= second.descriptors + flat.descriptors)) throw new FaultError('Descriptors grew');
  if (!(log <= mostLog)) throw new FaultError('A write-ahead log grew');
  await expectVerified(data);
  return { result: 'passed', figures: tally.figures };
}

function sampleOf(pid: number, data: string): Sample {
  const logs = readdirSync(data).filter((name) => name.endsWith('-wal'));
  const sizes = logs.map((name) => statSync(join(data, name), { throwIfNoEntry: false })?.size ?? 0);
  return {
    memory: Math.round(memoryOf(pid) / mebibyte),
    descriptors: descriptorsOf(pid),
    log: Math.round(Math.max(0, ...sizes) / mebibyte),
  };
}

function told(sample: Sample | undefined): string {
  return sample
    ? `${sample.memory} MiB, ${sample.descriptors} descriptors, a log of ${sample.log} MiB`
    : 'nothing';
}

/** The medians of each third of the samples. */
function thirdsOf(samples: readonly Sample[]): readonly [Sample, Sample, Sample] {
  const third = Math.floor(samples.length / 3);
  const of = (number: number): Sample => {
    const part = samples.slice(number * third, (number + 1) * third);
    return {
      memory: median(part.map(({ memory }) => memory)),
      descriptors: median(part.map(({ descriptors }) => descriptors)),
      log: median(part.map(({ log }) => log)),
    };
  };
  return [of(0), of(1), of(2)];
}
