import { connect, type Socket } from 'node:net';
import { fhirPath } from '../../core/api/contract.ts';
import type { Server } from '../../bench/processes.ts';

/** What a slow client sends first; a byte at a time follows where that is anything, for as long as the server takes it. */
const kinds: Readonly<Record<string, (token: string) => string>> = {
  'headers that do not end': () => `GET ${fhirPath}/metadata HTTP/1.1\r\nHost: localhost\r\nX-Slow: `,
  'a body that does not end': (token) => post(`Authorization: Bearer ${token}\r\n`),
  'a body behind a refusal': () => post('Authorization: Bearer none\r\n'),
  silence: () => '',
};

function post(authorization: string): string {
  const headers = `Host: localhost\r\n${authorization}Content-Type: application/json\r\nContent-Length: 100000\r\n`;
  return `POST ${fhirPath}/CarePlan HTTP/1.1\r\n${headers}\r\n{"text":"`;
}

/** Milliseconds between two bytes of a client. */
const pause = 500;

export interface SlowClients {
  /** Milliseconds that each was held, by what it sent; those that are still held are missing. */
  readonly held: ReadonlyMap<string, readonly number[]>;
  readonly open: () => number;
  /** Ends those that are still open. */
  stop(): void;
}

/** Opens connections that send a byte now and then, and go on when the server says that it has enough. */
export function openSlowClients({ port, token }: Pick<Server, 'port' | 'token'>, count: number): SlowClients {
  const held = new Map<string, number[]>(Object.keys(kinds).map((kind) => [kind, []]));
  const names = Object.keys(kinds);
  const sockets = new Set<Socket>();
  const talking = new Set<Socket>();
  for (let index = 0; index < count; index += 1) {
    const kind = names[index % names.length] ?? '';
    const first = kinds[kind]?.(token) ?? '';
    // Who sends on notices the end of a connection by that; who is silent, by the server's word alone.
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: first !== '' });
    const opened = performance.now();
    sockets.add(socket);
    socket.once('connect', () => {
      if (first === '') return;
      socket.write(first);
      talking.add(socket);
    });
    socket.on('error', () => undefined).resume();
    socket.once('close', () => {
      sockets.delete(socket);
      talking.delete(socket);
      held.get(kind)?.push(performance.now() - opened);
    });
  }
  const timer = setInterval(() => {
    for (const socket of talking) if (socket.writable) socket.write('a');
  }, pause);
  return {
    held,
    open: () => sockets.size,
    stop() {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
    },
  };
}
