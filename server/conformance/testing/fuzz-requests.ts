/** Arbitrary requests: mostly near to what the service takes, and bent somewhere. */
import fc from 'fast-check';
import type { Question } from './ask.ts';
import { bodies } from './fuzz-bodies.ts';
import { at, types, type Type } from './records.ts';

const pick = <Value>(...values: readonly Value[]) => fc.constantFrom(...values);

const odd = pick(
  '%',
  '%zz',
  '%00',
  '%2e%2e',
  '%2F',
  '%e2%82',
  '%ff',
  '%F0%9F%92%A9',
  '..',
  '.',
  '~',
  '*',
  '$validate',
  '$x',
  '_history',
  '_search',
  '__proto__',
  'constructor',
  'toString',
  'x'.repeat(3000),
  '1',
  '0',
  '-1',
  'null',
  "'%20OR%201=1--",
  '%25',
  '+',
  ';a=b',
  ':',
  '@',
  '\\',
  '{id}',
  '%u0041',
  '%C0%AF',
  'a%0d%0aX:%20y',
);

const word = fc.oneof(
  odd,
  fc.string({ maxLength: 12, unit: 'grapheme' }).map((text) => encodeURIComponent(text.toWellFormed())),
);

const method = fc.oneof(
  { arbitrary: pick('GET', 'POST', 'PUT', 'PATCH'), weight: 12 },
  { arbitrary: pick('HEAD', 'OPTIONS', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY', 'LOCK', 'SEARCH'), weight: 1 },
);

const parameter = pick(
  '_id',
  '_lastUpdated',
  'subject',
  'patient',
  'encounter',
  'identifier',
  'status',
  'category',
  'date',
  'intent',
  'type',
  'title',
  'author',
  '_count',
  '_cursor',
  '_sort',
  '_summary',
  '_elements',
  '_total',
  '_since',
  '_format',
  '_pretty',
  'subject:Patient',
  'subject:missing',
  'status:not',
  'title:contains',
  'title:exact',
  'category:text',
  'subject.name',
  '_include',
  '_revinclude',
  '_has:Observation:patient:code',
  '_filter',
  '_text',
  'context',
  '__proto__',
);

const value = fc.oneof(
  pick(
    'sample',
    'Patient/sample',
    'urn:uuid:a',
    'http://a.example/Patient/1',
    'active',
    'final',
    'a|b',
    '|',
    '|b',
    'a|',
    'ge2026-01-01',
    'lt2026',
    'sa2026',
    'eq',
    '2026-02-30',
    '2026-01-01T00:00:00%2B01:00',
    '9999-12-31',
    '0000',
    '0',
    '1',
    '5',
    '1000',
    '1001',
    '-1',
    '1e3',
    '99999999999999999999',
    'true',
    'false',
    'count',
    'json',
    'xml',
    '-date',
    'title',
    '',
    ',',
    ',,,',
    '\\,',
    'a\\',
    '%5C',
    '*',
    'NULL',
    '%',
    '%00',
    'a,b,c',
  ),
  word,
);

const query = fc
  .array(fc.tuple(fc.oneof({ arbitrary: parameter, weight: 6 }, { arbitrary: word, weight: 1 }), value), {
    maxLength: 4,
  })
  .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.map(([name, text]) => `${name}=${text}`).join('&')}`));

const someType: fc.Arbitrary<Type> = pick(...types);

const path = (known: readonly string[]) => {
  const record = fc.oneof(
    { arbitrary: pick(...known), weight: 9 },
    { arbitrary: fc.tuple(someType, word).map(([type, id]) => at(type, id)), weight: 1 },
  );
  const near = fc.oneof(
    { arbitrary: someType.map((type) => at(type)), weight: 5 },
    { arbitrary: record, weight: 8 },
    { arbitrary: record.map((one) => `${one}/_history`), weight: 1 },
    {
      arbitrary: fc.tuple(record, fc.oneof(pick('1', '2'), word)).map((pair) => pair.join('/_history/')),
      weight: 1,
    },
    {
      arbitrary: fc
        .tuple(someType, pick('_search', '_history', '$validate'))
        .map(([type, one]) => at(type, one)),
      weight: 3,
    },
  );
  const far = fc.oneof(
    fc.array(word, { maxLength: 5 }).map((words) => `/${words.join('/')}`),
    fc.array(word, { maxLength: 4 }).map((words) => `/fhir-r4/v1/${words.join('/')}`),
    pick(
      '/',
      '//',
      '/fhir-r4',
      '/fhir-r4/v1',
      '/fhir-r4/v1/metadata',
      '/openapi.json',
      '/oauth2/token',
      '/app/tokens',
      '/.well-known/smart-configuration',
    ),
  );
  const clean = fc.tuple(fc.oneof({ arbitrary: near, weight: 9 }, { arbitrary: far, weight: 1 }), query);
  // The request line is ASCII without spaces; anything else is for the raw sockets.
  return clean.map(([one, two]) =>
    (one + two).replaceAll(/[^\x21-\x7e]/g, (char) => encodeURIComponent(char)),
  );
};

/** Characters that Node lets into a header. */
const headerText = fc
  .string({ maxLength: 30 })
  .map((text) => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, ''));
const etag = pick(
  'W/"1"',
  '"1"',
  '*',
  'W/"999"',
  'W/"1", W/"2"',
  '1',
  '',
  '""',
  ',',
  'W/"99999999999999999999"',
  '"\xe6"',
);

const headers = fc
  .record(
    {
      'Content-Type': fc.oneof(
        {
          arbitrary: pick('application/json', 'application/fhir+json', 'application/json-patch+json'),
          weight: 8,
        },
        {
          arbitrary: pick(
            'application/json; charset=utf-8',
            'application/x-www-form-urlencoded',
            'text/plain',
            'application/json; charset="',
            ';',
            '',
            'application/fhir+json; fhirVersion=9',
          ),
          weight: 1,
        },
        { arbitrary: headerText, weight: 1 },
      ),
      Accept: fc.oneof(
        pick('*/*', 'application/json', 'application/fhir+json', 'text/html', 'application/json;q=', ',,;;'),
        headerText,
      ),
      'If-Match': fc.oneof({ arbitrary: etag, weight: 5 }, headerText),
      'If-None-Match': fc.oneof({ arbitrary: etag, weight: 5 }, headerText),
      'If-None-Exist': fc.oneof(
        query.map((text) => text.slice(1).replaceAll(/[^\x20-\x7e]/g, '')),
        headerText,
      ),
      'If-Modified-Since': fc.oneof(pick('Thu, 01 Jan 1970 00:00:00 GMT', 'x', ''), headerText),
      Prefer: fc.oneof(
        pick(
          'return=minimal',
          'return=OperationOutcome',
          'handling=lenient',
          'return=x, handling=strict',
          ';;=,',
        ),
        headerText,
      ),
      Authorization: fc.oneof(pick('Bearer x', 'Bearer', 'Basic eDp5', ''), headerText),
      'X-Request-Id': headerText,
      'Content-Encoding': pick('gzip', 'identity', 'x'),
      Origin: pick('http://evil.example', 'null', ''),
    },
    { requiredKeys: [] },
  )
  // Half of the requests bring none of these, and few a token that is wrong, so that most get past the first checks.
  .chain((all) =>
    fc.tuple(fc.subarray(Object.entries(all), { maxLength: 2 }), fc.nat(19)).map(([chosen, dice]) => {
      const rare = ['Authorization', 'Origin', 'Content-Encoding'];
      const kept = chosen.filter(([name]) => dice === 0 || (dice < 10 && !rare.includes(name)));
      return { 'Content-Type': 'application/json', ...Object.fromEntries(kept) };
    }),
  );

/** Any request; `known` are paths of records that exist. */
export function requests(known: readonly string[]): fc.Arbitrary<Question> {
  return fc.tuple(method, path(known), headers, bodies).map(([verb, address, all, content]) => {
    const bare = verb === 'GET' || verb === 'HEAD' || verb === 'OPTIONS' || verb === 'TRACE';
    return { method: verb, path: address, headers: all, ...(!bare && { body: content }) };
  });
}
