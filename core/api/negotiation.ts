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

/** Media range of an Accept header, or the media type of a Content-Type. */
interface MediaRange {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const jsonTypes = ['application/json', 'application/fhir+json', 'application/json+fhir', 'text/json'];
const jsonRanges = new Set(['*/*', 'application/*', ...jsonTypes]);
const formats = new Set(['json', ...jsonTypes]);

/** Returns true if the release is 4.0 or not named (FHIR R4 http.html#version-parameter). */
function isSupportedRelease({ parameters }: MediaRange): boolean {
  return /^(?:4\.0(?:\.[01])?)?$/.test(parameters.get('fhirversion') ?? '');
}

/** Returns the FHIR release of a media range; undefined if it is malformed. */
function releaseOf({ parameters }: MediaRange): string | undefined {
  const release = parameters.get('fhirversion') ?? '';
  return /^\d{1,2}\.\d{1,2}(?:\.\d{1,2})?$/.test(release) ? release : undefined;
}

/** Creates the error of an unsupported release (rows 74 and 81). */
function createReleaseError(
  kind: 'not-acceptable' | 'media-type',
  message: Message,
  header: string,
): FhirError {
  return new FhirError(kind, { ...message, location: `http.${header}` });
}

function readRange(text: string): MediaRange {
  const [type = '', ...parameterTexts] = text.split(';').map((part) => part.trim());
  const parameters = parameterTexts.map((parameter): [string, string] => {
    const [name = '', value = ''] = parameter.split('=');
    return [name.trim().toLowerCase(), value.trim().replace(/^"|"$/g, '')];
  });
  return { type: type.toLowerCase(), parameters: new Map(parameters) };
}

/**
 * Checks that the client accepts JSON. `_format` overrides the Accept header (FHIR R4 http.html#mime-type).
 *
 * @throws FhirError `not-acceptable`.
 */
export function checkAcceptable(accept: string | undefined, format: string | undefined): void {
  if (format !== undefined) {
    // An unescaped plus sign arrives as a space.
    if (formats.has(format.trim().toLowerCase().replaceAll(' ', '+'))) return;
    throw new FhirError('not-acceptable', {
      ...messages.format(),
      location: 'http._format',
    });
  }
  if (accept === undefined || accept.trim() === '' || jsonRanges.has(accept)) return;
  const ranges = accept.split(',').map(readRange);
  const acceptedRanges = ranges.filter(({ parameters }) => !/^0(?:\.0*)?$/.test(parameters.get('q') ?? '1'));
  if (acceptedRanges.some((range) => jsonRanges.has(range.type) && isSupportedRelease(range))) return;
  const otherRelease = acceptedRanges.find((range) => jsonRanges.has(range.type));
  if (otherRelease) {
    const release = releaseOf(otherRelease);
    const message =
      release === undefined ? messages.acceptOtherRelease() : messages.acceptRelease({ release });
    throw createReleaseError('not-acceptable', message, 'Accept');
  }
  throw new FhirError('not-acceptable', {
    ...messages.accept(),
    location: 'http.Accept',
  });
}

/**
 * Checks that the media type of a body is supported, in UTF-8, and not of another FHIR release.
 *
 * @throws FhirError `media-type`, with the supported types.
 */
export function checkContentType(
  contentType: string | undefined,
  consumes: readonly string[],
  headers: Record<string, string> = {},
): void {
  const range = readRange(contentType ?? '');
  const utf8 = /^utf-?8$/i.test(range.parameters.get('charset') ?? 'utf-8');
  const isSupportedType = consumes.includes(range.type) && utf8;
  if (isSupportedType && isSupportedRelease(range)) return;
  if (isSupportedType) {
    const release = releaseOf(range);
    const message = release === undefined ? messages.bodyOtherRelease() : messages.bodyRelease({ release });
    throw createReleaseError('media-type', message, 'Content-Type');
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

/** Preferences of a Prefer header (RFC 7240, FHIR R4 http.html#ops). Unknown ones are ignored. */
export interface Preferences {
  readonly return?: 'minimal' | 'representation' | 'OperationOutcome';
  readonly handling?: 'strict' | 'lenient';
}

const returns = ['minimal', 'representation', 'OperationOutcome'] as const;
const handlings = ['strict', 'lenient'] as const;

/** Parses a Prefer header. The first preference of a name counts. */
export function parsePrefer(header: string | undefined): Preferences {
  if (header === undefined) return {};
  const values = new Map<string, string>();
  for (const part of header.split(/[,;]/)) {
    const [name = '', value = ''] = part.split('=').map((text) => text.trim().replace(/^"|"$/g, ''));
    if (!values.has(name.toLowerCase())) values.set(name.toLowerCase(), value);
  }
  const returnPreference = returns.find(
    (candidate) => candidate.toLowerCase() === values.get('return')?.toLowerCase(),
  );
  const handling = handlings.find((candidate) => candidate === values.get('handling')?.toLowerCase());
  return { ...(returnPreference && { return: returnPreference }), ...(handling && { handling }) };
}

/** Returns the Preference-Applied header (RFC 7240 section 3) of the applied preferences. */
export function preferenceApplied(applied: Preferences): Record<string, string> {
  const text = Object.entries(applied)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(', ');
  return text === '' ? {} : { 'Preference-Applied': text };
}
