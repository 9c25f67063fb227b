/**
 * One of several processes that write to the same records of a server, each at the version that it last read.
 * `rivals.ts` forks it, sends its task and receives the outcome of each write.
 */
import { fhirPath } from '../../core/api/contract.ts';
import { Random } from '../../server/demo/random.ts';
import { send } from '../server.ts';

export interface RivalTask {
  readonly port: number;
  readonly token: string;
  readonly rival: number;
  /** Addresses of the records: some shared by all rivals, one private. */
  readonly paths: readonly string[];
  readonly writes: number;
  readonly seed: number;
}

/** Outcome of one write. */
export interface Attempt {
  readonly path: string;
  readonly rival: number;
  /** The version in If-Match. */
  readonly match: number;
  readonly status: number;
  /** The created version, or the current version that a 412 names. */
  readonly version: number;
  /** Text of the response if the write was stored, otherwise empty. */
  readonly text: string;
}

async function run({ port, token, rival, paths, writes, seed }: RivalTask): Promise<Attempt[]> {
  const server = { port, token };
  const random = new Random(seed, rival, 0);
  const knownVersions = new Map<string, number>();
  const attempts: Attempt[] = [];
  const parseVersion = (headers: Headers) => Number(/"(\d+)"/.exec(headers.get('ETag') ?? '')?.[1] ?? 0);
  for (let write = 1; write <= writes; write += 1) {
    const path = random.pick(paths);
    const match =
      knownVersions.get(path) ?? parseVersion((await send(server, 'GET', `${fhirPath}/${path}`)).headers);
    const title = `Rival ${rival}, write ${write}`;
    const body = JSON.stringify([{ op: 'replace', path: '/title', value: title }]);
    const response = await send(server, 'PATCH', `${fhirPath}/${path}`, body, { 'If-Match': `W/"${match}"` });
    const version = parseVersion(response.headers);
    const text = response.status === 200 ? response.text : '';
    attempts.push({ path, rival, match, status: response.status, version, text });
    // The record is read again after a refusal.
    if (response.status === 200) knownVersions.set(path, version);
    else knownVersions.delete(path);
  }
  return attempts;
}

process.once('message', (task) => {
  void run(task as RivalTask).then((attempts) => {
    process.send?.(attempts, () => process.disconnect());
  });
});
