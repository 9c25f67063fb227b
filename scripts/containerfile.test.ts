/** Checks the description of the image as far as possible without an image builder or a registry. */
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
const finalStage = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));

/** Returns the values of an instruction in the final stage. */
const listValues = (instruction: string) =>
  finalStage
    .filter((line) => line.startsWith(`${instruction} `))
    .map((line) => line.slice(instruction.length + 1));

/** Source paths below the root of the project, and target paths below the folder of the image. */
const copies = listValues('COPY').map((line) => {
  const [source = '', target = ''] = line.replace('--from=build /build/', '').split(' ');
  return { source, target: normalize(target) };
});

const certificates = join(root, 'server/gateway/testing/certificates');

test('uses the Node version of the project in both stages', () => {
  expect(lines[0]).toBe(`ARG NODE=${packageJson.devDependencies.node}`);
  const bases = lines.filter((line) => line.startsWith('FROM '));
  expect(bases.map((line) => line.replace(' AS build', ''))).toEqual(
    Array(2).fill('FROM docker.io/library/node:${NODE}-bookworm-slim'),
  );
});

test('runs as an unprivileged user, with one writable folder and no secret', () => {
  expect(listValues('USER')).toEqual(['node']);
  expect(listValues('VOLUME')).toEqual(['/data']);
  expect(listValues('RUN')).toEqual(['mkdir -m 700 /data && chown node:node /data']);
  expect(finalStage.findIndex((line) => line.startsWith('USER '))).toBeLessThan(
    finalStage.findIndex((line) => line.startsWith('ENTRYPOINT ')),
  );
  const variableNames = listValues('ENV').flatMap((line) =>
    line.split(' ').map((assignment) => assignment.split('=')[0]),
  );
  expect(variableNames).toEqual(['NODE_ENV', 'CHARTKEEPER_DATA', 'CHARTKEEPER_LISTEN', 'CHARTKEEPER_PORT']);
});

test('includes the scripts of the build stage and their sources', () => {
  const [runLine = ''] = lines.filter((line) => line.startsWith('RUN npm ci'));
  const scripts = [...runLine.matchAll(/node (\S+)/g)].map(([, script = '']) => script);
  expect(scripts).toEqual(['scripts/build.ts', 'scripts/notices.ts', 'scripts/sbom.ts']);
  const includedPaths = readFileSync(join(root, '.containerignore'), 'utf8').split('\n');
  for (const path of [...scripts, 'package.json', 'package-lock.json']) {
    expect(existsSync(join(root, path))).toBe(true);
    expect(includedPaths).toContain(`!${path.split('/')[0]}`);
  }
});

/** Lays out the content of the image in a folder, without the parts that only `npm run dist` builds. */
function layOutImage(): string {
  const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-image-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const { source, target } of copies) {
    // Built by `npm run dist`, and not used by the server.
    if (/\.(?:txt|cdx\.json)$/.test(source)) continue;
    mkdirSync(dirname(join(folder, target)), { recursive: true });
    cpSync(join(root, source), join(folder, target), { recursive: true });
  }
  return folder;
}

test('serves over TLS with the copied files, reports health, and requires a certificate', async () => {
  if (isStale()) {
    console.warn('not run: dist/ is not of these sources');
    return;
  }
  const app = layOutImage();
  const data = join(app, 'data');
  mkdirSync(data);
  const key = join(app, 'key.pem');
  cpSync(join(certificates, 'loopback.key.pem'), key);
  chmodSync(key, 0o600);
  const entry = [...(JSON.parse(listValues('ENTRYPOINT')[0] ?? '[]') as string[]), 'serve'].slice(1);
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
  const exit = once(server, 'exit');
  if (!server.stdout) throw new Error('no standard output');
  const [line] = (await once(createInterface({ input: server.stdout }), 'line')) as [string];
  const port = /:(\d+)$/.exec(line)?.[1] ?? '';
  const [, command = '[]'] = (listValues('HEALTHCHECK')[0] ?? '').split(' CMD ');
  const [, ...health] = JSON.parse(command) as string[];
  const isHealthy = () =>
    spawnSync(process.execPath, health, { env: { CHARTKEEPER_PORT: port } }).status === 0;
  expect(isHealthy()).toBe(true);
  server.kill(listValues('STOPSIGNAL')[0] as NodeJS.Signals);
  expect(await exit).toEqual([0, null]);
  expect(isHealthy()).toBe(false);
});
