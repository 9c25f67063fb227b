/** A proxy between a server and its database that resets connections at a chosen moment. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';

/** Moment of a reset: before the request reaches the database, or after its response, which is dropped. */
export type Moment = 'before' | 'behind';

export interface CutNetwork {
  readonly port: number;
  /** Inspects bytes that the server sends; returns the moment of the reset, or undefined for none. */
  watch: (bytes: Buffer, connection: object) => Moment | undefined;
  /** False resets open connections on their next bytes and rejects new ones. */
  open: boolean;
  /** Resets all connections. */
  cut(): void;
  close(): Promise<void>;
}

/** Starts a proxy to the database of an address `postgres://…@127.0.0.1:PORT/…`. */
export async function cutNetwork(address: string): Promise<CutNetwork> {
  const [sockets, target] = [new Set<Socket>(), Number(new URL(address).port)];
  const network: CutNetwork = {
    port: 0,
    watch: () => undefined,
    open: true,
    cut,
    close,
  };
  const listener = createServer((server) => {
    if (!network.open) {
      server.resetAndDestroy();
      return;
    }
    const database = connect(target, '127.0.0.1');
    const reset = () => {
      server.resetAndDestroy();
      database.resetAndDestroy();
    };
    let isResponseForwarded = true;
    for (const socket of [server, database]) {
      sockets.add(socket);
      socket.on('error', reset);
      socket.on('close', () => {
        sockets.delete(socket);
        reset();
      });
    }
    server.on('data', (bytes) => {
      const moment = network.open ? network.watch(bytes, server) : 'before';
      if (moment === 'before') reset();
      else database.write(bytes);
      if (moment === 'behind') isResponseForwarded = false;
    });
    database.on('data', (bytes) => (isResponseForwarded ? server.write(bytes) : reset()));
  });

  function cut(): void {
    for (const socket of sockets) socket.resetAndDestroy();
  }

  async function close(): Promise<void> {
    cut();
    listener.close();
    await once(listener, 'close');
  }

  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return Object.assign(network, { port: (listener.address() as AddressInfo).port });
}

/** Returns the address of the same database by way of the proxy. */
export function through({ port }: CutNetwork, address: string): string {
  const url = new URL(address);
  url.port = String(port);
  return url.href;
}
