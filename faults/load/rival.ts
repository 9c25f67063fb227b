/**
 * One of several processes that write to the same records of a server, each with the version that it last read:
 * forked by `rivals.ts`, which sends it its task and receives what became of each write.
 */
import { fhirPath } from '../../core/api/contract.ts';
import { Random } from '../../server/demo/random.ts';
import { send } from '../server.ts';

export interface RivalTask {
  readonly port: number;
  readonly token: string;
  readonly rival: number;
  /** Addresses of the records that all write, and of the own one. */
  readonly paths: readonly string[];
  readonly writes: number;
  readonly seed: number;
}

/** What became of one write. */
export interface Attempt {
  readonly path: string;
  readonly rival: number;
  /** The version in If-Match. */
  readonly match: number;
  readonly status: number;
  /** The version that was made, or that a 412 names as the current one. */
  readonly version: number;
  /** The answer's text, where the write was stored. */
  readonly text: string;
}

async function run({ port, token, rival, paths, writes, seed }: RivalTask): Promise<Attempt[]> {
  const server = { port, token };
  const random = new Random(seed, rival, 0);
  const known = new Map<string, number>();
  const attempts: Attempt[] = [];
  const versionIn = (headers: Headers) => Number(/"(\d+)"/.exec(headers.get('ETag') ?? '')?.[1] ?? 0);
  for (let write = 1; write <= writes; write += 1) {
    const path = random.pick(paths);
    const match = known.get(path) ?? versionIn((await send(server, 'GET', `${fhirPath}/${path}`)).headers);
    const title = `Rival ${rival}, write ${write}`;
    const body = JSON.stringify([{ op: 'replace', path: '/title', value: title }]);
    const answer = await send(server, 'PATCH', `${fhirPath}/${path}`, body, { 'If-Match': `W/"${match}"` });
    const version = versionIn(answer.headers);
    const text = answer.status === 200 ? answer.text : '';
    attempts.push({ path, rival, match, status: answer.status, version, text });
    // After a refusal the record is read again.
    if (answer.status === 200) known.set(path, version);
    else known.delete(path);
  }
  return attempts;
}

process.once('message', (task) => {
  void run(task as RivalTask).then((attempts) => {
    process.send?.(attempts, () => process.disconnect());
  });
});
