import { FhirError } from '../fhir/outcome.ts';
import { formatList } from '../text/language.ts';
import { defineMessages, type Message } from '../text/message.ts';

const messages = defineMessages('negotiation', {
  format: 'Only JSON is supported. Send _format=json or leave it out.',
  accept: 'Only FHIR R4 JSON is supported. Accept application/json or application/fhir+json.',
  acceptRelease: 'This server supports FHIR 4.0, but the Accept header asks for {release}.',
  acceptOtherRelease: 'This server supports FHIR 4.0, but the Accept header asks for another release.',
  bodyRelease: 'This server supports FHIR 4.0, but the body says {release}.',
  bodyOtherRelease: 'This server supports FHIR 4.0, but the body names another release.',
  contentType: 'Send Content-Type {types} in UTF-8.',
});

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

/** Returns the release of FHIR that a media range names; undefined if it does not have the form of one. */
function releaseOf({ parameters }: MediaRange): string | undefined {
  const release = parameters.get('fhirversion') ?? '';
  return /^\d{1,2}\.\d{1,2}(?:\.\d{1,2})?$/.test(release) ? release : undefined;
}

/** Rows 74 and 81. */
function refusedRelease(kind: 'not-acceptable' | 'media-type', message: Message, header: string): FhirError {
  return new FhirError(kind, { ...message, location: `http.${header}` });
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
      ...messages.format(),
      location: 'http._format',
    });
  }
  if (accept === undefined || accept.trim() === '' || jsonRanges.has(accept)) return;
  const ranges = accept.split(',').map(readRange);
  const wanted = ranges.filter(({ parameters }) => !/^0(?:\.0*)?$/.test(parameters.get('q') ?? '1'));
  if (wanted.some((range) => jsonRanges.has(range.type) && speaksVersion(range))) return;
  const other = wanted.find((range) => jsonRanges.has(range.type));
  if (other) {
    const release = releaseOf(other);
    const message =
      release === undefined ? messages.acceptOtherRelease() : messages.acceptRelease({ release });
    throw refusedRelease('not-acceptable', message, 'Accept');
  }
  throw new FhirError('not-acceptable', {
    ...messages.accept(),
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
  if (taken) {
    const release = releaseOf(range);
    const message = release === undefined ? messages.bodyOtherRelease() : messages.bodyRelease({ release });
    throw refusedRelease('media-type', message, 'Content-Type');
  }
  throw new FhirError(
    'media-type',
    {
      ...messages.contentType({ types: formatList(consumes, 'disjunction') }),
      location: 'http.Content-Type',
    },
    headers,
  );
}
