import { Agent, request } from 'node:http';
import type { Server } from '../../bench/processes.ts';
import { FaultError } from '../fault-case.ts';

/** Milliseconds of requests, each counted from its sending to its answer's last byte. */
export class Timings {
  private readonly values: number[] = [];

  add(milliseconds: number): void {
    this.values.push(milliseconds);
  }

  get count(): number {
    return this.values.length;
  }

  /** The time that this share of the requests (0 to 1) took at most, in tenths of a millisecond. */
  quantile(share: number): number {
    const sorted = this.values.toSorted((one, other) => one - other);
    const place = Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1);
    return Math.round((sorted[Math.max(0, place)] ?? NaN) * 10) / 10;
  }
}

export interface Reader {
  /** Sends a GET with the owner's token on a connection that stays open; its time. Rejects where it is not 200. */
  time(path: string): Promise<number>;
  close(): void;
}

/** A client of one connection; written on node:http, whose own cost is small beside that of fetch. */
export function openReader({ port, token }: Pick<Server, 'port' | 'token'>): Reader {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { Authorization: `Bearer ${token}` };
  return {
    time(path) {
      const started = performance.now();
      return new Promise((resolve, reject) => {
        const sent = request({ host: '127.0.0.1', port, path, agent, headers }, (answer) => {
          answer.resume();
          answer.once('error', reject);
          answer.once('end', () => {
            if (answer.statusCode === 200) resolve(performance.now() - started);
            else reject(new FaultError(`GET ${path} was answered ${answer.statusCode}`));
          });
        });
        sent.once('error', reject);
        sent.end();
      });
    },
    close: () => agent.destroy(),
  };
}
