/**
 * Serves the page from its sources with hot reload, and the server from its sources, restarted after each
 * change. Vite forwards the addresses of the server, so that both have the same origin.
 */
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createServer } from 'vite';
import { configureBundle, root } from './bundles.ts';
import { ensureSchema } from './schema.ts';

ensureSchema();

const backendPort = 4180;
const backend = `http://127.0.0.1:${backendPort}`;

spawn(
  process.execPath,
  [
    '--watch',
    resolve(root, 'server/cli.ts'),
    'serve',
    '--port',
    String(backendPort),
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit' },
).once('exit', (code) => {
  process.exit(code ?? 1);
});

const proxyOptions = {
  target: backend,
  changeOrigin: true,
  // The server rejects foreign origins. This proxy is the same page at another port.
  headers: { Origin: backend },
};
const vite = await createServer({
  ...configureBundle('page'),
  logLevel: 'info',
  server: { host: '127.0.0.1', port: 5173, proxy: { '/fhir-r4': proxyOptions, '/app': proxyOptions } },
});
await vite.listen();
vite.printUrls();
console.log('Add the #code=… part of the server’s line to that address.');
