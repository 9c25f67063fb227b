import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatError, logLines, type LogFormat } from './log-lines.ts';
import { spawnCli } from './testing/run-cli.ts';

const facts = { method: 'GET', status: 200 };

function written(format: LogFormat): string[] {
  const lines: string[] = [];
  const log = logLines(
    format,
    (text) => lines.push(text),
    () => 0,
  );
  log('GET 200', facts);
  log('request 1 failed: TypeError\n    at answer');
  return lines;
}

test('a line of text is the sentence', () => {
  expect(written('text')).toEqual(['GET 200\n', 'request 1 failed: TypeError\n    at answer\n']);
});

test('a line of JSON is one object with its time, whatever the sentence holds', () => {
  const [request = '', fault = ''] = written('json');
  expect(JSON.parse(request)).toEqual({ time: '1970-01-01T00:00:00.000Z', ...facts });
  expect(fault.trimEnd()).not.toContain('\n');
  expect(JSON.parse(fault)).toEqual({
    time: '1970-01-01T00:00:00.000Z',
    message: 'request 1 failed: TypeError\n    at answer',
  });
});

test('serve writes each request as an object, without what the client sent', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'chartkeeper-log-'));
  const flags = ['--port', '0', '--data', folder, '--log-requests', '--log-format', 'json'];
  const child = spawnCli(['serve', ...flags]);
  try {
    for await (const line of linesOf(child.stdout)) {
      const origin = /^Chartkeeper listens on (\S+)$/.exec(line)?.[1];
      if (origin === undefined) continue;
      await fetch(`${origin}/fhir-r4/v1/CarePlan/canary-91`);
      break;
    }
    for await (const line of linesOf(child.stderr)) {
      const said = JSON.parse(line) as Record<string, unknown>;
      expect(said).toMatchObject({ method: 'GET', route: '/fhir-r4/v1/:type/:id', status: 401, token: '-' });
      expect(line).not.toContain('canary');
      break;
    }
  } finally {
    child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});

function linesOf(input: Readable | null) {
  if (!input) throw new Error('There is no pipe.');
  return createInterface({ input });
}

test.each<LogFormat>(['text', 'json'])(
  'writes no control character of a sentence or a fact: %s',
  (format) => {
    const lines: string[] = [];
    const log = logLines(
      format,
      (text) => lines.push(text),
      () => 0,
    );
    const forged = 'x\n2026-01-01T00:00:00Z forged\r\u001b[31m\u0085\u2028\u202e\u0000end';
    log(forged, { method: forged });
    log(forged);
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      const said =
        format === 'json' ? Object.values(JSON.parse(line) as object).join(' ') : line.slice(0, -1);
      expect(said).toContain('end');
      expect(said).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    }
  },
);

test('tells a fault by its name, code and frames, whatever its message and members hold', () => {
  const quoted = 'canary\n    at canary (file:///canary.ts:1:1)';
  const fault = Object.assign(new TypeError(quoted), { code: 'canary with a space' });
  expect(formatError(fault)).toMatch(/^TypeError\n {4}at /);
  expect(formatError(fault)).not.toContain('canary');
  expect(formatError(Object.assign(new Error(quoted), { name: 'a\ncanary', code: 'EIO' }))).toMatch(
    /^EIO\n {4}at /,
  );
});
