/**
 * The driver process: sends requests for a while and counts the responses. It communicates with the benchmark
 * by messages.
 */
import { Connection } from './connection.ts';
import { operationInfos } from './operations.ts';
import { connections } from './options.ts';
import { createMaterial, createRequestFactory, type Material, type RequestOptions } from './requests.ts';
import { readSample } from './sample.ts';

/** A request of the benchmark to the driver. */
export interface DriverRequest extends RequestOptions {
  /** File of the sample of the server's store. */
  readonly sample: string;
  readonly seconds: number;
  /** Ports of further servers of the same store and token. Connections are distributed over all servers. */
  readonly otherPorts?: readonly number[];
}

/** Result of the driver. */
export type DriverResult =
  | { readonly rate: number; readonly answers: number; readonly meanBytes: number }
  | { readonly fault: string };

const materials = new Map<string, Material>();

async function drive({ sample, seconds, otherPorts = [], ...options }: DriverRequest): Promise<DriverResult> {
  const material = materials.get(sample) ?? createMaterial(readSample(sample));
  materials.set(sample, material);
  const ports = [options.port, ...otherPorts];
  const createRequests = ports.map((port, index) =>
    createRequestFactory(material, { ...options, port, stream: options.stream * ports.length + index }),
  );
  const { status } = operationInfos[options.operation];
  const openConnections = await Promise.all(
    Array.from({ length: connections }, (_, index) =>
      Connection.open(ports[index % ports.length] ?? options.port),
    ),
  );
  const startTime = performance.now();
  const endTime = startTime + seconds * 1000;
  let [responseCount, byteCount] = [0, 0];
  const work = async (connection: Connection, index: number) => {
    const createRequest = createRequests[index % createRequests.length];
    if (!createRequest) return;
    while (performance.now() < endTime) {
      const response = await connection.send(createRequest());
      if (response.status !== status) {
        throw new Error(`${options.operation} was answered ${response.status}: ${response.start}`);
      }
      responseCount += 1;
      byteCount += response.bytes;
    }
  };
  try {
    await Promise.all(openConnections.map(work));
  } finally {
    for (const connection of openConnections) connection.close();
  }
  return {
    rate: (responseCount * 1000) / (performance.now() - startTime),
    answers: responseCount,
    meanBytes: byteCount / responseCount,
  };
}

process.on('message', (message) => {
  const toFailure = (error: unknown): DriverResult => ({
    fault: error instanceof Error ? error.message : String(error),
  });
  void drive(message as DriverRequest)
    .catch(toFailure)
    .then((result) => process.send?.(result));
});
