import { FhirError } from '../fhir/outcome.ts';

/** One media range of an Accept header, or the one media type of a Content-Type. */
interface MediaRange {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const jsonRanges = new Set([
  '*/*',
  'application/*',
  'application/json',
  'application/fhir+json',
  'application/json+fhir',
  'text/json',
]);

const formats = new Set([
  'json',
  'application/json',
  'application/fhir+json',
  'application/json+fhir',
  'text/json',
]);

/** FHIR R4 http.html#version-parameter: the release that the service speaks, or none named. */
function speaksVersion({ parameters }: MediaRange): boolean {
  return /^(?:4\.0(?:\.[01])?)?$/.test(parameters.get('fhirversion') ?? '');
}

function readRange(text: string): MediaRange {
  const [type = '', ...rest] = text.split(';').map((part) => part.trim());
  const parameters = rest.map((parameter): [string, string] => {
    const [name = '', value = ''] = parameter.split('=');
    return [name.trim().toLowerCase(), value.trim().replace(/^"|"$/g, '')];
  });
  return { type: type.toLowerCase(), parameters: new Map(parameters) };
}

/**
 * Checks that the answer, which is always JSON, is what the client takes: `_format` above the Accept header (FHIR R4
 * http.html#mime-type).
 *
 * @throws FhirError `not-acceptable`.
 */
export function checkAcceptable(accept: string | undefined, format: string | undefined): void {
  if (format !== undefined) {
    // A plus sign that was not escaped arrives as a space.
    if (formats.has(format.trim().toLowerCase().replaceAll(' ', '+'))) return;
    throw new FhirError('not-acceptable', {
      text: 'The service answers JSON only: send _format=json, or none.',
      location: 'http._format',
    });
  }
  if (accept === undefined || accept.trim() === '' || jsonRanges.has(accept)) return;
  const ranges = accept.split(',').map(readRange);
  const wanted = ranges.filter(({ parameters }) => !/^0(?:\.0*)?$/.test(parameters.get('q') ?? '1'));
  if (wanted.some((range) => jsonRanges.has(range.type) && speaksVersion(range))) return;
  throw new FhirError('not-acceptable', {
    text: 'The service answers FHIR R4 as JSON only: accept application/json or application/fhir+json.',
    location: 'http.Accept',
  });
}

/**
 * Checks that a body is of a type that the route takes, in UTF-8, of FHIR release 4.0 where it names one.
 *
 * @throws FhirError `media-type`, with what is taken instead.
 */
export function checkContentType(
  contentType: string | undefined,
  consumes: readonly string[],
  headers: Record<string, string> = {},
): void {
  const range = readRange(contentType ?? '');
  const utf8 = /^utf-?8$/i.test(range.parameters.get('charset') ?? 'utf-8');
  if (consumes.includes(range.type) && utf8 && speaksVersion(range)) return;
  throw new FhirError(
    'media-type',
    { text: `Send Content-Type ${consumes.join(' or ')}, in UTF-8.`, location: 'http.Content-Type' },
    headers,
  );
}
