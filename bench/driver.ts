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
  /** Ports of further servers of the same store and token, among which the connections are shared. */
  readonly others?: readonly number[];
}

/** What the driver answers. */
export type Driven =
  | { readonly rate: number; readonly answers: number; readonly meanBytes: number }
  | { readonly fault: string };

const materials = new Map<string, Material>();

async function drive({ sample, seconds, others = [], ...options }: Drive): Promise<Driven> {
  const material = materials.get(sample) ?? materialOf(readSample(sample));
  materials.set(sample, material);
  const ports = [options.port, ...others];
  const makers = ports.map((port, at) =>
    requestMaker(material, { ...options, port, stream: options.stream * ports.length + at }),
  );
  const { status } = measured[options.operation];
  const open = await Promise.all(
    Array.from({ length: connections }, (_, at) => Connection.open(ports[at % ports.length] ?? options.port)),
  );
  const started = performance.now();
  const end = started + seconds * 1000;
  let [answers, bytes] = [0, 0];
  const work = async (connection: Connection, at: number) => {
    const make = makers[at % makers.length];
    if (!make) return;
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
  return { rate: (answers * 1000) / (performance.now() - started), answers, meanBytes: bytes / answers };
}

process.on('message', (message) => {
  const fault = (error: unknown): Driven => ({
    fault: error instanceof Error ? error.message : String(error),
  });
  void drive(message as Drive)
    .catch(fault)
    .then((driven) => process.send?.(driven));
});
