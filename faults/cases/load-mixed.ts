import { readdirSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { median } from '../../bench/measure.ts';
import { Random } from '../../server/demo/random.ts';
import { walPages } from '../../server/sqlite/connection-settings.ts';
import { expectVerified } from '../expect.ts';
import { FaultError, type FaultCase, type FaultContext, type FaultResult } from '../fault-case.ts';
import { createMixture, sendMixtureRequest } from '../load/mixture.ts';
import { inspectFlag, openCollector } from '../load/collector.ts';
import { countDescriptors, readMemoryBytes, canReadProcessState } from '../load/process-state.ts';
import { startServer } from '../server.ts';

const minutes = { full: 30, short: 2 } as const;
const clients = 4;

/** Milliseconds between two requests of a client, and between two measurements of the server. */
const intervalsMs = { request: 20, look: 1000 } as const;

const mebibyte = 1024 ** 2;

/**
 * Limits of the last third of a run, compared with the second: factor for memory, and number of additional
 * descriptors. An increase of up to `unreturned` MiB is memory that was freed but not returned yet.
 */
const growthLimits = { memory: 1.15, unreturned: 32, descriptors: 5 } as const;

/** Limit of a write-ahead log in MiB: the pages before a checkpoint, plus the largest transaction. */
const maxLogMiB = (walPages * 4096) / mebibyte + 12;

interface Sample {
  readonly memory: number;
  readonly descriptors: number;
  readonly log: number;
}

/** A server does not grow during half an hour of load. */
export const loadMixed: FaultCase = {
  name: 'load-mixed',
  claim: `During 30 minutes of mixed load (2 in the short run), no response is 5xx, memory (after garbage collection) and descriptors do not grow (last third against second third), each write-ahead log stays below ${maxLogMiB} MiB, and the store closes cleanly.`,
  parallel: true,
  timed: true,
  run,
};

async function run({ runLength, folder, seed, tally, say }: FaultContext): Promise<FaultResult> {
  if (!canReadProcessState)
    return { result: 'not run', reason: 'Memory and descriptors are read from /proc.' };
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  const server = await startServer(data, { nodeFlags: [inspectFlag] });
  const collector = await openCollector(server);
  const mixture = createMixture(server, seed);
  const endTime = performance.now() + minutes[runLength] * 60_000;
  const runClient = async (stream: number) => {
    const random = new Random(seed, stream, 0);
    while (performance.now() < endTime) {
      await sendMixtureRequest(mixture, random);
      await setTimeout(intervalsMs.request);
    }
  };
  const samples: Sample[] = [];
  const sampleServer = async () => {
    while (performance.now() < endTime) {
      await collector.collect();
      samples.push(takeSample(server.pid, data));
      if (samples.length % 60 === 0) say(formatSample(samples.at(-1)));
      await setTimeout(intervalsMs.look);
    }
  };
  await Promise.all([sampleServer(), ...Array.from({ length: clients }, (_, stream) => runClient(stream))]);
  collector.close();
  await server.stop();
  const code = await server.exitCode;
  for (const [kind, count] of mixture.responseCounts) tally.add(kind, count);
  const [, middleSample, lastSample] = computeThirds(samples);
  const maxLog = Math.max(...samples.map((sample) => sample.log));
  tally.add('MiB of memory, second third', middleSample.memory);
  tally.add('MiB of memory, last third', lastSample.memory);
  tally.add('descriptors, second third', middleSample.descriptors);
  tally.add('descriptors, last third', lastSample.descriptors);
  tally.add('MiB of the largest log', maxLog);
  if (code !== 0) throw new FaultError(`The server ended with code ${code}: ${server.stderr()}`);
  const maxMemory = Math.max(
    middleSample.memory * growthLimits.memory,
    middleSample.memory + growthLimits.unreturned,
  );
  if (!(lastSample.memory <= maxMemory)) throw new FaultError('Memory grew');
  if (!(lastSample.descriptors <= middleSample.descriptors + growthLimits.descriptors))
    throw new FaultError('Descriptors grew');
  if (!(maxLog <= maxLogMiB)) throw new FaultError('A write-ahead log grew');
  await expectVerified(data);
  return { result: 'passed', figures: tally.figures };
}

function takeSample(pid: number, data: string): Sample {
  const logs = readdirSync(data).filter((name) => name.endsWith('-wal'));
  const sizes = logs.map((name) => statSync(join(data, name), { throwIfNoEntry: false })?.size ?? 0);
  return {
    memory: Math.round(readMemoryBytes(pid) / mebibyte),
    descriptors: countDescriptors(pid),
    log: Math.round(Math.max(0, ...sizes) / mebibyte),
  };
}

function formatSample(sample: Sample | undefined): string {
  return sample
    ? `${sample.memory} MiB, ${sample.descriptors} descriptors, a log of ${sample.log} MiB`
    : 'nothing';
}

/** Returns the medians of each third of the samples. */
function computeThirds(samples: readonly Sample[]): readonly [Sample, Sample, Sample] {
  const thirdLength = Math.floor(samples.length / 3);
  const computeThird = (number: number): Sample => {
    const thirdSamples = samples.slice(number * thirdLength, (number + 1) * thirdLength);
    return {
      memory: median(thirdSamples.map(({ memory }) => memory)),
      descriptors: median(thirdSamples.map(({ descriptors }) => descriptors)),
      log: median(thirdSamples.map(({ log }) => log)),
    };
  };
  return [computeThird(0), computeThird(1), computeThird(2)];
}
