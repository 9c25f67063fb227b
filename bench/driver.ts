/** The third process: sends requests for a while and counts the answers. Speaks with the bench by messages. */
import { Connection } from './connection.ts';
import { measured } from './operations.ts';
import { connections } from './options.ts';
import { materialOf, requestMaker, type Material, type RequestOptions } from './requests.ts';
import { readSample } from './sample.ts';

/** What the bench asks for. */
export interface Drive extends RequestOptions {
  /** File of the sample of the server's store. */
  readonly sample: string;
  readonly seconds: number;
}

/** What the driver answers. */
export type Driven = { readonly rate: number; readonly meanBytes: number } | { readonly fault: string };

const materials = new Map<string, Material>();

async function drive({ sample, seconds, ...options }: Drive): Promise<Driven> {
  const material = materials.get(sample) ?? materialOf(readSample(sample));
  materials.set(sample, material);
  const make = requestMaker(material, options);
  const { status } = measured[options.operation];
  const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(options.port)));
  const started = performance.now();
  const end = started + seconds * 1000;
  let [answers, bytes] = [0, 0];
  const work = async (connection: Connection) => {
    while (performance.now() < end) {
      const reply = await connection.send(make());
      if (reply.status !== status) {
        throw new Error(`${options.operation} was answered ${reply.status}: ${reply.start}`);
      }
      answers += 1;
      bytes += reply.bytes;
    }
  };
  try {
    await Promise.all(open.map(work));
  } finally {
    for (const connection of open) connection.close();
  }
  return { rate: (answers * 1000) / (performance.now() - started), meanBytes: bytes / answers };
}

process.on('message', (message) => {
  const fault = (error: unknown): Driven => ({
    fault: error instanceof Error ? error.message : String(error),
  });
  void drive(message as Drive)
    .catch(fault)
    .then((driven) => process.send?.(driven));
});
