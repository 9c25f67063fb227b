import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatError, logLines, type LogFormat } from './log-lines.ts';
import { spawnCli } from './testing/run-cli.ts';

const fields = { method: 'GET', status: 200 };

function writeLines(format: LogFormat): string[] {
  const lines: string[] = [];
  const log = logLines(
    format,
    (text) => lines.push(text),
    () => 0,
  );
  log('GET 200', fields);
  log('request 1 failed: TypeError\n    at answer');
  return lines;
}

test('writes the sentence as a text line', () => {
  expect(writeLines('text')).toEqual(['GET 200\n', 'request 1 failed: TypeError\n    at answer\n']);
});

test('writes one JSON object with its time for any sentence', () => {
  const [request = '', errorLine = ''] = writeLines('json');
  expect(JSON.parse(request)).toEqual({ time: '1970-01-01T00:00:00.000Z', ...fields });
  expect(errorLine.trimEnd()).not.toContain('\n');
  expect(JSON.parse(errorLine)).toEqual({
    time: '1970-01-01T00:00:00.000Z',
    message: 'request 1 failed: TypeError\n    at answer',
  });
});

test('serve logs each request as an object without text of the client', async () => {
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
      const logObject = JSON.parse(line) as Record<string, unknown>;
      expect(logObject).toMatchObject({
        method: 'GET',
        route: '/fhir-r4/v1/:type/:id',
        status: 401,
        token: '-',
      });
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
  'writes no control character of a sentence or a field: %s',
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
      const message =
        format === 'json' ? Object.values(JSON.parse(line) as object).join(' ') : line.slice(0, -1);
      expect(message).toContain('end');
      expect(message).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    }
  },
);

test('formats an error by name, code and frames, without its message', () => {
  const quoted = 'canary\n    at canary (file:///canary.ts:1:1)';
  const error = Object.assign(new TypeError(quoted), { code: 'canary with a space' });
  expect(formatError(error)).toMatch(/^TypeError\n {4}at /);
  expect(formatError(error)).not.toContain('canary');
  expect(formatError(Object.assign(new Error(quoted), { name: 'a\ncanary', code: 'EIO' }))).toMatch(
    /^EIO\n {4}at /,
  );
});
