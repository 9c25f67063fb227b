import fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { curlOf, type CurlRequest } from './curl.ts';

const request: CurlRequest = {
  method: 'GET',
  url: 'http://127.0.0.1:4180/fhir-r4/v1/CarePlan?subject=17&title:contains=a%20b',
  headers: { Accept: 'application/json' },
};

test('formats a search readably', () => {
  expect(curlOf(request)).toBe(
    [
      'curl --globoff --request GET',
      `--url '${request.url}'`,
      '--header "Authorization: Bearer $TOKEN"',
      `--header 'Accept: application/json'`,
    ].join(' \\\n  '),
  );
});

test('omits a token from the headers', () => {
  const command = curlOf({ ...request, headers: { authorization: 'Bearer secret', Accept: 'x' } });
  expect(command).not.toContain('secret');
  expect(command.match(/authorization/gi)).toHaveLength(1);
});

test('uses --head for HEAD', () => {
  expect(curlOf({ ...request, method: 'HEAD' })).toContain('curl --globoff --head');
});

/** Returns the arguments that a shell passes to curl. */
function argumentsOf(command: string): string[] {
  const script = `curl() { for one in "$@"; do printf '%s\\0' "$one"; done; }\n${command}`;
  const env = { TOKEN: 'the-token', PATH: process.env.PATH };
  return execFileSync('sh', ['-c', script], { env, encoding: 'utf8' }).split('\0').slice(0, -1);
}

const hostile = [
  `'; touch /tmp/x; '`,
  '$(touch /tmp/x) `id` $TOKEN ${HOME} !!',
  'a\\\nb\\',
  '"\'"\'',
  '@/etc/passwd',
  '-o /tmp/x',
  '{a,b}[1-3]*?~#&|<>',
  '\u202e\u00e9\ud83d\ude00\t',
];

test.each(hostile)('passes literal text through the shell: %j', (text) => {
  const curlArguments = argumentsOf(
    curlOf({ method: 'PATCH', url: text, headers: { 'X-Note': text }, body: text }),
  );
  expect(curlArguments.slice(0, 7)).toEqual([
    '--globoff',
    '--request',
    'PATCH',
    '--url',
    text,
    '--header',
    'Authorization: Bearer the-token',
  ]);
  expect(curlArguments[8]).toBe(`X-Note: ${text.replaceAll('\n', ' ').trim()}`);
  expect(curlArguments.slice(-2)).toEqual(['--data-raw', text]);
});

test('passes any body through the shell unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const body = text.replaceAll('\0', '');
      expect(argumentsOf(curlOf({ ...request, body })).at(-1)).toBe(body);
    }),
    { numRuns: 50 },
  );
});

test('passes headers that curl would read as a file or remove', () => {
  const curlArguments = argumentsOf(curlOf({ ...request, headers: { '@/etc/passwd': 'x', 'X-Empty': '' } }));
  expect(curlArguments).toContain('/etc/passwd: x');
  expect(curlArguments).toContain('X-Empty;');
});
