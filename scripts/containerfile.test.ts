/** The image's description, as far as it can be checked without a tool that makes images or a registry that has them. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { isStale } from './build.ts';
import { root } from './bundles.ts';
import packageJson from '../package.json' with { type: 'json' };

const lines = readFileSync(join(root, 'Containerfile'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));

/** What stands behind an instruction, in the stage that becomes the image. */
const valuesOf = (instruction: string) =>
  last.filter((line) => line.startsWith(`${instruction} `)).map((line) => line.slice(instruction.length + 1));

/** Paths from the root of the sources, and below the image's folder. */
const copies = valuesOf('COPY').map((line) => {
  const [from = '', to = ''] = line.replace('--from=build /build/', '').split(' ');
  return { from, to: normalize(to) };
});

const certificates = join(root, 'server/gateway/testing/certificates');

test('the image has the project’s Node, in both stages', () => {
  expect(lines[0]).toBe(`ARG NODE=${packageJson.devDependencies.node}`);
  const bases = lines.filter((line) => line.startsWith('FROM '));
  expect(bases.map((line) => line.replace(' AS build', ''))).toEqual(
    Array(2).fill('FROM docker.io/library/node:${NODE}-bookworm-slim'),
  );
});

test('it runs as a user without rights, with one folder to write to, and holds no secret', () => {
  expect(valuesOf('USER')).toEqual(['node']);
  expect(valuesOf('VOLUME')).toEqual(['/data']);
  expect(valuesOf('RUN')).toEqual(['mkdir -m 700 /data && chown node:node /data']);
  expect(last.findIndex((line) => line.startsWith('USER '))).toBeLessThan(
    last.findIndex((line) => line.startsWith('ENTRYPOINT ')),
  );
  const own = valuesOf('ENV').flatMap((line) => line.split(' ').map((one) => one.split('=')[0]));
  expect(own).toEqual(['NODE_ENV', 'CHARTKEEPER_DATA', 'CHARTKEEPER_LISTEN', 'CHARTKEEPER_PORT']);
});

test('what the build stage runs is there, and what is built from is let in', () => {
  const [run = ''] = lines.filter((line) => line.startsWith('RUN npm ci'));
  const scripts = [...run.matchAll(/node (\S+)/g)].map(([, script = '']) => script);
  expect(scripts).toEqual(['scripts/build.ts', 'scripts/notices.ts', 'scripts/sbom.ts']);
  const letIn = readFileSync(join(root, '.containerignore'), 'utf8').split('\n');
  for (const path of [...scripts, 'package.json', 'package-lock.json']) {
    expect(existsSync(join(root, path))).toBe(true);
    expect(letIn).toContain(`!${path.split('/')[0]}`);
  }
});

/** What the image would hold, in a folder; its last part that is not built yet is left out. */
function layOut(): string {
  const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-image-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const { from, to } of copies) {
    // Of `npm run dist`, and of no use to the server.
    if (/\.(?:txt|cdx\.json)$/.test(from)) continue;
    mkdirSync(dirname(join(folder, to)), { recursive: true });
    cpSync(join(root, from), join(folder, to), { recursive: true });
  }
  return folder;
}

test('what is copied is enough to serve over TLS, is called healthy while it does, and is refused without a certificate', async () => {
  if (isStale()) {
    console.warn('not run: dist/ is not of these sources');
    return;
  }
  const app = layOut();
  const data = join(app, 'data');
  mkdirSync(data);
  const key = join(app, 'key.pem');
  cpSync(join(certificates, 'loopback.key.pem'), key);
  chmodSync(key, 0o600);
  const entry = [...(JSON.parse(valuesOf('ENTRYPOINT')[0] ?? '[]') as string[]), 'serve'].slice(1);
  const start = (env: Record<string, string>): ChildProcess =>
    spawn(process.execPath, entry, {
      cwd: app,
      env: { CHARTKEEPER_DATA: data, CHARTKEEPER_LISTEN: '0.0.0.0', CHARTKEEPER_PORT: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  expect(await once(start({}), 'exit')).toEqual([1, null]);

  const server = start({
    CHARTKEEPER_TLS_CERT: join(certificates, 'loopback.cert.pem'),
    CHARTKEEPER_TLS_KEY: key,
  });
  const ended = once(server, 'exit');
  if (!server.stdout) throw new Error('no standard output');
  const [line] = (await once(createInterface({ input: server.stdout }), 'line')) as [string];
  const port = /:(\d+)$/.exec(line)?.[1] ?? '';
  const [, command = '[]'] = (valuesOf('HEALTHCHECK')[0] ?? '').split(' CMD ');
  const [, ...health] = JSON.parse(command) as string[];
  const isHealthy = () =>
    spawnSync(process.execPath, health, { env: { CHARTKEEPER_PORT: port } }).status === 0;
  expect(isHealthy()).toBe(true);
  server.kill(valuesOf('STOPSIGNAL')[0] as NodeJS.Signals);
  expect(await ended).toEqual([0, null]);
  expect(isHealthy()).toBe(false);
});
