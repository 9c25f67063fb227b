import { FaultError } from '../fault-case.ts';
import type { FaultServer } from '../server.ts';

/** Node flag for a server whose garbage can be collected on request. */
export const inspectFlag = '--inspect=127.0.0.1:0';

/** Connects to the inspector of a server to collect its garbage. Its memory then shows only the memory in use. */
export async function openCollector({ stderr }: Pick<FaultServer, 'stderr'>) {
  const address = /ws:\/\/\S+/.exec(stderr())?.[0];
  if (address === undefined) throw new FaultError('The server cannot be asked for its memory.');
  const socket = new WebSocket(address);
  await new Promise((resolve) => {
    socket.addEventListener('open', resolve, { once: true });
  });
  let lastId = 0;
  return {
    collect(): Promise<void> {
      const id = (lastId += 1);
      return new Promise((resolve) => {
        const handleMessage = ({ data }: MessageEvent) => {
          if ((JSON.parse(String(data)) as { readonly id?: number }).id !== id) return;
          socket.removeEventListener('message', handleMessage);
          resolve();
        };
        socket.addEventListener('message', handleMessage);
        socket.send(JSON.stringify({ id, method: 'HeapProfiler.collectGarbage' }));
      });
    },
    /** Must be called before the server ends, because it waits for its inspector. */
    close(): void {
      socket.close();
    },
  };
}
