/**
 * Serves the page from its sources with hot reload, and beside it the server from its sources, started again after
 * each change. Vite passes the server's own addresses on, as the same origin.
 */
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createServer } from 'vite';
import { bundle, root } from './bundles.ts';
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

const proxied = {
  target: backend,
  changeOrigin: true,
  // The server refuses foreign origins; this proxy is the same page under another port.
  headers: { Origin: backend },
};
const vite = await createServer({
  ...bundle('page'),
  logLevel: 'info',
  server: { host: '127.0.0.1', port: 5173, proxy: { '/fhir-r4': proxied, '/app': proxied } },
});
await vite.listen();
vite.printUrls();
console.log('Add the #code=… part of the server’s line to that address.');
