import { describe, expect, test } from 'vitest';
import { readFlags } from './read-flags.ts';
import { defaultSettings } from '../settings.ts';
import { runCli } from '../testing/run-cli.ts';
import { flagTable } from './flags.ts';

test('uses the defaults without flags and variables', () => {
  const flags = readFlags({}, {});
  expect(flags).toMatchObject({ port: 4180, tokenFile: undefined, demo: false, seed: 1 });
  expect({ ...defaultSettings, ...flags }).toMatchObject(defaultSettings);
});

test('prefers a flag to its variable, and the variable to the default', () => {
  const env = { CHARTKEEPER_PORT: '1', CHARTKEEPER_SEED: '7', CHARTKEEPER_DEMO: 'false' };
  expect(readFlags({ port: '2' }, env)).toMatchObject({ port: 2, seed: 7, demo: false });
  expect(readFlags({ demo: true }, env).demo).toBe(true);
  expect(readFlags({}, { CHARTKEEPER_REQUIRE_IF_MATCH: '1' }).requireIfMatch).toBe(true);
});

test('reads several values from a repeated flag or a variable with commas', () => {
  expect(readFlags({ allowHost: ['a.example', 'B.example:1'] }, {}).allowHosts).toEqual([
    'a.example',
    'b.example:1',
  ]);
  const env = { CHARTKEEPER_ALLOW_ORIGIN: 'https://a.example, http://b.example:1/' };
  expect(readFlags({}, env).allowOrigins).toEqual(['https://a.example', 'http://b.example:1']);
});

test('removes the trailing slash of a public URL and keeps its path', () => {
  expect(readFlags({ publicUrl: 'https://fhir.example.org/' }, {}).publicUrl).toBe(
    'https://fhir.example.org',
  );
  expect(readFlags({ publicUrl: 'http://x:1/a/b' }, {}).publicUrl).toBe('http://x:1/a/b');
});

describe('rejects an invalid value and names its flag or variable', () => {
  test.each([
    ['port', '70000'],
    ['port', 'x'],
    ['seed', '-1'],
    ['data', ' '],
    ['clock', '2026-01-15'],
    ['clock', '2026-01-15T09:00:00'],
    ['clock', '2026-13-15T09:00:00Z'],
    ['publicUrl', 'fhir.example.org'],
    ['publicUrl', 'ftp://x'],
    ['publicUrl', 'https://x/?a'],
    ['publicUrl', 'https://user:pass@x'],
    ['validation', 'loose'],
    ['maxBody', '0'],
    ['rateLimit', '0'],
    ['allowHost', 'http://x'],
    ['allowOrigin', '*'],
    ['allowOrigin', 'https://x/path'],
    ['allowOrigin', 'null'],
  ])('%s %s', (name, value) => {
    const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const variable = `CHARTKEEPER_${flag.replaceAll('-', '_').toUpperCase()}`;
    expect(() => readFlags({ [name]: value }, {})).toThrow(new RegExp(`^--${flag}: .*\\.$`));
    expect(() => readFlags({}, { [variable]: value })).toThrow(new RegExp(`^${variable}: .*\\.$`));
  });

  test('exits with 1 and prints only the message', async () => {
    expect(await runCli(['serve', '--validation', 'loose'])).toEqual({
      code: 1,
      stdout: '',
      stderr: '--validation: Enter one of off, standard, or strict.\n',
    });
  });
});

test('--help names each flag with its variable and default', async () => {
  const { stdout } = await runCli(['serve', '--help']);
  const words = stdout.replaceAll(/\s+/g, ' ');
  for (const row of flagTable) {
    expect(words).toContain(row.argument === undefined ? row.name : `${row.name} <${row.argument}>`);
    expect(words).toContain(`[${row.variable}; default: ${row.default}]`);
  }
});

test('accepts no secret as a flag, because other accounts can read arguments', () => {
  const secret = flagTable.filter(({ name }) => /token|secret|key|password/.test(name));
  expect(secret.map(({ name, argument }) => [name, argument])).toEqual([
    ['--tls-key', 'FILE'],
    ['--token-file', 'FILE'],
    ['--secrets', 'FILE'],
    ['--audit-key-file', 'FILE'],
  ]);
});
