import { Agent, request } from 'node:http';
import type { Server } from '../../bench/processes.ts';
import { FaultError } from '../fault-case.ts';

/** Durations of requests in milliseconds, each from its start to the last byte of its response. */
export class Timings {
  private readonly values: number[] = [];

  add(milliseconds: number): void {
    this.values.push(milliseconds);
  }

  get count(): number {
    return this.values.length;
  }

  /** Returns the longest duration of this share of requests (0 to 1), rounded to 0.1 ms. */
  quantile(share: number): number {
    const sortedValues = this.values.toSorted((left, right) => left - right);
    const index = Math.min(sortedValues.length - 1, Math.ceil(share * sortedValues.length) - 1);
    return Math.round((sortedValues[Math.max(0, index)] ?? NaN) * 10) / 10;
  }
}

export interface Reader {
  /**
   * Sends a GET with the owner's token on a kept connection. Returns its milliseconds. Rejects if it is not
   * 200.
   */
  time(path: string): Promise<number>;
  close(): void;
}

/** Opens a client with one connection. Uses node:http, which costs much less than fetch. */
export function openReader({ port, token }: Pick<Server, 'port' | 'token'>): Reader {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { Authorization: `Bearer ${token}` };
  return {
    time(path) {
      const startTime = performance.now();
      return new Promise((resolve, reject) => {
        const sentRequest = request({ host: '127.0.0.1', port, path, agent, headers }, (response) => {
          response.resume();
          response.once('error', reject);
          response.once('end', () => {
            if (response.statusCode === 200) resolve(performance.now() - startTime);
            else reject(new FaultError(`GET ${path} was answered ${response.statusCode}`));
          });
        });
        sentRequest.once('error', reject);
        sentRequest.end();
      });
    },
    close: () => agent.destroy(),
  };
}
