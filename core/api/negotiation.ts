import { FhirError } from '../fhir/outcome.ts';

/** One media range of an Accept header, or the one media type of a Content-Type. */
interface MediaRange {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const jsonTypes = ['application/json', 'application/fhir+json', 'application/json+fhir', 'text/json'];
const jsonRanges = new Set(['*/*', 'application/*', ...jsonTypes]);
const formats = new Set(['json', ...jsonTypes]);

/** FHIR R4 http.html#version-parameter: the release that the service speaks, or none named. */
function speaksVersion({ parameters }: MediaRange): boolean {
  return /^(?:4\.0(?:\.[01])?)?$/.test(parameters.get('fhirversion') ?? '');
}

/** Rows 74 and 81: what asks for another release of FHIR hears which one is spoken here. */
function otherRelease(
  kind: 'not-acceptable' | 'media-type',
  named: MediaRange,
  what: string,
  header: string,
): FhirError {
  const version = named.parameters.get('fhirversion') ?? '';
  const said = /^\d{1,2}\.\d{1,2}(?:\.\d{1,2})?$/.test(version) ? version : 'another release';
  return new FhirError(kind, {
    text: `This server speaks FHIR 4.0; ${what} ${said}.`,
    location: `http.${header}`,
  });
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
  const other = wanted.find((range) => jsonRanges.has(range.type));
  if (other) throw otherRelease('not-acceptable', other, 'the Accept header asks for', 'Accept');
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
  const taken = consumes.includes(range.type) && utf8;
  if (taken && speaksVersion(range)) return;
  if (taken) throw otherRelease('media-type', range, 'the body says', 'Content-Type');
  throw new FhirError(
    'media-type',
    { text: `Send Content-Type ${consumes.join(' or ')}, in UTF-8.`, location: 'http.Content-Type' },
    headers,
  );
}
