/** The network between a server and its database, for tests: connections are passed through, and reset at a moment of choice. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';

/** When a connection is reset: before the database has what is sent, or once it has answered that, unheard. */
export type Moment = 'before' | 'behind';

export interface CutNetwork {
  readonly port: number;
  /** Looks at what a server sends on a connection, and says whether that is reset over it. */
  watch: (sent: Buffer, connection: object) => Moment | undefined;
  /** Whether connections are let through, those that are there and new ones. */
  open: boolean;
  /** Resets all connections. */
  cut(): void;
  close(): Promise<void>;
}

/** A network to the database of an address `postgres://…@127.0.0.1:PORT/…`. */
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
    let heard = true;
    for (const socket of [server, database]) {
      sockets.add(socket);
      socket.on('error', reset);
      socket.on('close', () => {
        sockets.delete(socket);
        reset();
      });
    }
    server.on('data', (sent) => {
      const moment = network.open ? network.watch(sent, server) : 'before';
      if (moment === 'before') reset();
      else database.write(sent);
      if (moment === 'behind') heard = false;
    });
    database.on('data', (answered) => (heard ? server.write(answered) : reset()));
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

/** The address of the same database through a network. */
export function through({ port }: CutNetwork, address: string): string {
  const url = new URL(address);
  url.port = String(port);
  return url.href;
}
