import { connect, type Socket } from 'node:net';

export interface DriverResponse {
  readonly status: number;
  /** Length of the body. */
  readonly bytes: number;
  /** The start of the body, for an error message. */
  readonly start: string;
}

interface Pending {
  readonly resolve: (reply: DriverResponse) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A keep-alive connection with one pending request. It uses sockets, because node:http costs the driver more
 * than a response costs the bare handler. The benchmark would measure the driver instead of the servers.
 */
export class Connection {
  private readonly socket: Socket;
  private pending: Pending | undefined;
  private head: Buffer = Buffer.alloc(0);
  private status = 0;
  private start = '';
  private length = 0;
  private missing = 0;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk) => {
      try {
        this.receive(chunk);
      } catch (error) {
        socket.destroy(error instanceof Error ? error : undefined);
      }
    });
    socket.on('error', (error) => this.pending?.reject(error));
    socket.on('close', () => this.pending?.reject(new Error('The server closed a connection.')));
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('error', reject);
      socket.once('connect', () => {
        resolve(new Connection(socket));
      });
    });
  }

  /** Sends a complete request as text. Rejects if the connection ends before the response. */
  send(request: string): Promise<DriverResponse> {
    return new Promise((resolve, reject) => {
      this.pending = { resolve, reject };
      this.socket.write(request);
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private receive(chunk: Buffer): void {
    if (this.missing > 0) {
      this.missing -= chunk.length;
    } else {
      this.head = this.head.length === 0 ? chunk : Buffer.concat([this.head, chunk]);
      const end = this.head.indexOf('\r\n\r\n');
      if (end === -1) return;
      this.readHeaders(this.head.toString('latin1', 0, end));
      const body = this.head.subarray(end + 4);
      this.start = this.status < 400 ? '' : body.toString('utf8', 0, 500);
      this.missing = this.length - body.length;
      this.head = Buffer.alloc(0);
    }
    if (this.missing < 0) throw new Error('An answer is longer than it said.');
    if (this.missing === 0) {
      const { pending, status, length, start } = this;
      this.pending = undefined;
      pending?.resolve({ status, bytes: length, start });
    }
  }

  private readHeaders(headerText: string): void {
    const length = /\r\ncontent-length: *(\d+)/i.exec(headerText)?.[1];
    if (length === undefined) throw new Error('An answer has no Content-Length.');
    this.length = Number(length);
    this.status = Number(headerText.slice(9, 12));
  }
}
