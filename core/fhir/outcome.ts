import * as v from 'valibot';
import type { MessageParameters } from '../text/language.ts';
import type { Message } from '../text/message.ts';
import { defined } from '../json/defined.ts';
import type { Shape } from '../json/shape.ts';

/** Every error of the service with its HTTP status and its issue code (FHIR R4 valueset-issue-type). */
export const faults = {
  malformed: { status: 400, code: 'structure' },
  invalid: { status: 400, code: 'invalid' },
  value: { status: 400, code: 'value' },
  required: { status: 400, code: 'required' },
  'not-accepted': { status: 400, code: 'not-supported' },
  content: { status: 400, code: 'invalid' },
  'too-deep': { status: 400, code: 'too-long' },
  'too-costly': { status: 400, code: 'too-costly' },
  login: { status: 401, code: 'login' },
  'unknown-token': { status: 401, code: 'unknown' },
  'expired-token': { status: 401, code: 'expired' },
  forbidden: { status: 403, code: 'forbidden' },
  'unknown-path': { status: 404, code: 'not-supported' },
  'not-found': { status: 404, code: 'not-found' },
  method: { status: 405, code: 'not-supported' },
  'not-acceptable': { status: 406, code: 'not-supported' },
  'too-slow': { status: 408, code: 'timeout' },
  gone: { status: 410, code: 'deleted' },
  'multiple-matches': { status: 412, code: 'multiple-matches' },
  stale: { status: 412, code: 'conflict' },
  exists: { status: 409, code: 'conflict' },
  'backup-damaged': { status: 409, code: 'conflict' },
  'too-large': { status: 413, code: 'too-long' },
  'media-type': { status: 415, code: 'not-supported' },
  unprocessable: { status: 422, code: 'processing' },
  'not-offered': { status: 422, code: 'not-supported' },
  'business-rule': { status: 422, code: 'business-rule' },
  expectation: { status: 417, code: 'not-supported' },
  'headers-too-large': { status: 431, code: 'too-long' },
  throttled: { status: 429, code: 'throttled' },
  'not-confirmed': { status: 428, code: 'business-rule' },
  'not-built': { status: 501, code: 'not-supported' },
  exception: { status: 500, code: 'exception' },
  damaged: { status: 500, code: 'exception' },
  unusable: { status: 502, code: 'processing' },
  unreachable: { status: 502, code: 'transient' },
  busy: { status: 503, code: 'lock-error' },
  crowded: { status: 503, code: 'throttled' },
  rebuilding: { status: 503, code: 'transient' },
  'disk-fault': { status: 503, code: 'no-store' },
  unanswered: { status: 504, code: 'timeout' },
  'disk-full': { status: 507, code: 'no-store' },
} as const;

export type FhirErrorCode = keyof typeof faults;

/** Message for a person: the problem, and the next step. It never repeats a value. */
export interface Problem extends Message {
  /** Issue code if the problems of one error differ; otherwise the error's own applies. */
  readonly code?: string;
  /** Technical detail: an operation's index, a line and column, an invariant's key. */
  readonly diagnostics?: string;
  /** FHIRPath of the element, for problems of the body. */
  readonly expression?: string;
  /** `http.<header or parameter>`, for problems outside the body. */
  readonly location?: string;
}

/** The only error of the domain. Its kind decides status and issue code. */
export class FhirError extends Error {
  override readonly name = 'FhirError';
  readonly kind: FhirErrorCode;
  readonly problems: readonly Problem[];
  /** Further response headers of this error, such as `Allow` or the current `ETag`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;

  constructor(
    kind: FhirErrorCode,
    problems: Problem | readonly Problem[],
    headers: Record<string, string> = {},
    status: number = faults[kind].status,
  ) {
    const list = 'text' in problems ? [problems] : problems;
    super(list[0]?.text ?? kind);
    this.kind = kind;
    this.problems = list;
    this.headers = headers;
    this.status = status;
  }

  /** Returns the same error as 422: a valid patch with an invalid result. */
  asUnprocessable(): FhirError {
    return new FhirError(this.kind, this.problems, this.headers, faults.unprocessable.status);
  }
}

/** Code system of `messageCode`, and the address of the extension with one parameter. */
export const messageSystem = 'urn:chartkeeper:message';
const parameterExtension = 'urn:chartkeeper:message-parameter';

/** The code of a sentence. Each parameter is an extension with an id and a value. */
const MessageCoding = v.object({
  system: v.exactOptional(v.string()),
  code: v.exactOptional(v.string()),
  extension: v.exactOptional(
    v.array(
      v.object({
        url: v.string(),
        id: v.exactOptional(v.string()),
        valueString: v.exactOptional(v.string()),
        valueDecimal: v.exactOptional(v.number()),
      }),
    ),
  ),
});
type MessageCoding = Shape<typeof MessageCoding>;

const OutcomeIssue = v.object({
  severity: v.string(),
  code: v.string(),
  details: v.exactOptional(
    v.object({ text: v.exactOptional(v.string()), coding: v.exactOptional(v.array(MessageCoding)) }),
  ),
  diagnostics: v.exactOptional(v.string()),
  expression: v.exactOptional(v.array(v.string())),
  location: v.exactOptional(v.array(v.string())),
});
export type OutcomeIssue = Shape<typeof OutcomeIssue>;

/** The members of an OperationOutcome that are read. */
export const OperationOutcome = v.object({
  resourceType: v.literal('OperationOutcome'),
  id: v.exactOptional(v.string()),
  issue: v.array(OutcomeIssue),
});
export type OperationOutcome = Shape<typeof OperationOutcome>;

function toList(text: string | undefined): readonly string[] | undefined {
  return text === undefined ? undefined : [text];
}

/** Issues of one OperationOutcome. */
export const maxIssues = 100;

/**
 * Converts an error to an OperationOutcome (FHIR R4 operationoutcome.html).
 *
 * @param id - Id of the request; absent within a Bundle.
 */
export function toOutcome(error: FhirError, id?: string): OperationOutcome {
  return {
    resourceType: 'OperationOutcome',
    ...(id !== undefined && { id }),
    issue: error.problems.slice(0, maxIssues).map((problem) => ({
      severity: 'error',
      code: problem.code ?? faults[error.kind].code,
      details: detailsOf(problem),
      ...defined({
        diagnostics: problem.diagnostics,
        expression: toList(problem.expression),
        location: toList(problem.location),
      }),
    })),
  };
}

/** Returns the details of an issue: the sentence in English and its code. */
export function detailsOf({ text, messageCode, parameters }: Message): NonNullable<OutcomeIssue['details']> {
  return { coding: codeMessage(messageCode, parameters), text };
}

function codeMessage(code: string, parameters: MessageParameters = {}): readonly MessageCoding[] {
  // An element without a value is not valid FHIR.
  const parametersWithValue = Object.entries(parameters).filter(([, value]) => value !== '');
  const extension = parametersWithValue.map(([id, value]) => ({
    id,
    url: parameterExtension,
    ...(typeof value === 'number' ? { valueDecimal: value } : { valueString: value }),
  }));
  return [{ ...(extension.length > 0 && { extension }), system: messageSystem, code }];
}
