import { connect, type Socket } from 'node:net';
import { fhirPath } from '../../core/api/contract.ts';
import type { Server } from '../../bench/processes.ts';

/**
 * First text of each kind of slow client. If it is not empty, single bytes follow until the server closes.
 */
const openings: Readonly<Record<string, (token: string) => string>> = {
  'headers that do not end': () => `GET ${fhirPath}/metadata HTTP/1.1\r\nHost: localhost\r\nX-Slow: `,
  'a body that does not end': (token) => formatPost(`Authorization: Bearer ${token}\r\n`),
  'a body behind a refusal': () => formatPost('Authorization: Bearer none\r\n'),
  silence: () => '',
};

function formatPost(authorization: string): string {
  const headers = `Host: localhost\r\n${authorization}Content-Type: application/json\r\nContent-Length: 100000\r\n`;
  return `POST ${fhirPath}/CarePlan HTTP/1.1\r\n${headers}\r\n{"text":"`;
}

/** Milliseconds between two bytes of a client. */
const intervalMs = 500;

export interface SlowClients {
  /** Milliseconds that each closed connection lasted, by kind. */
  readonly durationsMs: ReadonlyMap<string, readonly number[]>;
  readonly open: () => number;
  /** Closes the open connections. */
  stop(): void;
}

/** Opens connections that send a byte at intervals, even after the server has refused the request. */
export function openSlowClients({ port, token }: Pick<Server, 'port' | 'token'>, count: number): SlowClients {
  const durationsMs = new Map<string, number[]>(Object.keys(openings).map((kind) => [kind, []]));
  const names = Object.keys(openings);
  const sockets = new Set<Socket>();
  const sendingSockets = new Set<Socket>();
  for (let index = 0; index < count; index += 1) {
    const kind = names[index % names.length] ?? '';
    const opening = openings[kind]?.(token) ?? '';
    // A sending client notices a closed connection by its own writes. A silent one needs the FIN of the
    // server.
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: opening !== '' });
    const openTime = performance.now();
    sockets.add(socket);
    socket.once('connect', () => {
      if (opening === '') return;
      socket.write(opening);
      sendingSockets.add(socket);
    });
    socket.on('error', () => undefined).resume();
    socket.once('close', () => {
      sockets.delete(socket);
      sendingSockets.delete(socket);
      durationsMs.get(kind)?.push(performance.now() - openTime);
    });
  }
  const timer = setInterval(() => {
    for (const socket of sendingSockets) if (socket.writable) socket.write('a');
  }, intervalMs);
  return {
    durationsMs,
    open: () => sockets.size,
    stop() {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
    },
  };
}
