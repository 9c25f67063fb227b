/** Parts of random URLs and headers. */
import fc from 'fast-check';

export const pick = <Value>(...values: readonly Value[]) => fc.constantFrom(...values);

/** Picks one of the words in a text, separated by spaces. */
export const wordsOf = (text: string) => pick(...text.split(' '));

/** Segments and values that have caused errors in other servers. */
const oddWord = pick(
  ...'% %zz %00 %2e%2e %2F %e2%82 %ff %F0%9F%92%A9 %25 %u0041 %C0%AF .. . ~ * + ; : @ \\ {id} ;a=b'.split(
    ' ',
  ),
  ...'$validate $x _history _search __proto__ constructor toString 1 0 -1 null metadata'.split(' '),
  "'%20OR%201=1--",
  'a%0d%0aX:%20y',
  'x'.repeat(3000),
);

/** A segment or value, encoded correctly or oddly. */
export const word = fc.oneof(
  oddWord,
  fc.string({ maxLength: 12, unit: 'grapheme' }).map((text) => encodeURIComponent(text.toWellFormed())),
);

const parameter = wordsOf(
  '_id _lastUpdated subject patient encounter identifier status category date intent type title author ' +
    '_count _cursor _sort _summary _elements _total _since _format _pretty subject:Patient subject:missing ' +
    'status:not title:contains title:exact category:text subject.name _include _revinclude _filter _text context ' +
    '_has:Observation:patient:code __proto__',
);

const value = fc.oneof(
  wordsOf(
    'sample Patient/sample urn:uuid:a http://a.example/Patient/1 active final a|b | |b a| a|b|c ge2026-01-01 lt2026 ' +
      'sa2026 eq 2026-02-30 2026-01-01T00:00:00%2B01:00 9999-12-31 0000 0 1 5 1000 1001 -1 1e3 99999999999999999999 ' +
      'true false count json xml -date title , ,,, \\, a\\ %5C * NULL % %00 a,b,c status,title -_lastUpdated,_id',
  ),
  pick(''),
  word,
);

const pair = fc
  .tuple(fc.oneof({ arbitrary: parameter, weight: 8 }, { arbitrary: word, weight: 1 }), value)
  .map(([name, text]) => `${name}=${text}`);

/** A query string with its question mark, or an empty string. */
export const query = fc
  .array(pair, { maxLength: 3 })
  .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.join('&')}`));

/** Text of characters that Node allows in a header. */
const headerText = fc
  .string({ maxLength: 30 })
  .map((text) => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, ''));

const mostlyFrom = <Value>(typical: fc.Arbitrary<Value>) =>
  fc.oneof({ arbitrary: typical, weight: 5 }, { arbitrary: headerText, weight: 1 });

const etag = mostlyFrom(
  pick(
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
  ),
);

const headerPair = fc.oneof(
  fc.tuple(pick('If-Match', 'If-None-Match'), etag),
  fc.tuple(
    pick('If-None-Exist'),
    mostlyFrom(query.map((text) => text.slice(1).replaceAll(/[^\x20-\x7e]/g, ''))),
  ),
  fc.tuple(
    pick('If-Modified-Since'),
    mostlyFrom(pick('Thu, 01 Jan 1970 00:00:00 GMT', 'Fri, 01 Jan 2100 00:00:00 GMT', 'x', '')),
  ),
  fc.tuple(
    pick('Prefer'),
    mostlyFrom(
      pick(
        'return=minimal',
        'return=OperationOutcome',
        'handling=lenient',
        'return=x, handling=strict',
        ';;=,',
      ),
    ),
  ),
  fc.tuple(
    pick('Accept'),
    mostlyFrom(
      pick('*/*', 'application/json', 'application/fhir+json', 'text/html', 'application/json;q=', ',,;;'),
    ),
  ),
  fc.tuple(
    pick('Content-Type'),
    mostlyFrom(
      pick(
        'application/fhir+json',
        'application/json; charset=utf-8',
        'text/plain',
        'application/json; charset="',
        ';',
        '',
        'application/fhir+json; fhirVersion=9',
      ),
    ),
  ),
  fc.tuple(pick('Authorization'), mostlyFrom(pick('Bearer x', 'Bearer', 'Basic eDp5', ''))),
  fc.tuple(
    pick('Content-Encoding', 'Origin', 'X-Request-Id', 'Sec-Fetch-Site'),
    mostlyFrom(pick('gzip', 'null', 'cross-site')),
  ),
);

/** Headers in addition to the required headers of a request. */
export const headers = fc.oneof(
  { arbitrary: fc.constant<Record<string, string>>({}), weight: 5 },
  {
    arbitrary: fc.array(headerPair, { minLength: 1, maxLength: 2 }).map((list) => Object.fromEntries(list)),
    weight: 3,
  },
);
