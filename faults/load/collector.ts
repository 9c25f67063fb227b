import { FaultError } from '../fault-case.ts';
import type { FaultServer } from '../server.ts';

/** What a server is started with whose garbage is to be collected when asked. */
export const inspected = '--inspect=127.0.0.1:0';

/** Has a server collect its garbage: what it holds is then told from what its collector has not come to yet. */
export async function openCollector({ said }: Pick<FaultServer, 'said'>) {
  const address = /ws:\/\/\S+/.exec(said())?.[0];
  if (address === undefined) throw new FaultError('The server cannot be asked for its memory.');
  const socket = new WebSocket(address);
  await new Promise((resolve) => {
    socket.addEventListener('open', resolve, { once: true });
  });
  let asked = 0;
  return {
    collect(): Promise<void> {
      const id = (asked += 1);
      return new Promise((resolve) => {
        const hear = ({ data }: MessageEvent) => {
          if ((JSON.parse(String(data)) as { readonly id?: number }).id !== id) return;
          socket.removeEventListener('message', hear);
          resolve();
        };
        socket.addEventListener('message', hear);
        socket.send(JSON.stringify({ id, method: 'HeapProfiler.collectGarbage' }));
      });
    },
    /** To be called before the server ends: it waits for who inspects it. */
    close(): void {
      socket.close();
    },
  };
}
