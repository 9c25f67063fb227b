import { ApiFailure, Unconfirmed, UnknownForm } from '../../core/api/failure.ts';
import type { OutcomeIssue } from '../../core/fhir/outcome.ts';
import { text } from './text.ts';

/** One issue of an outcome, with the FHIRPath of the element that it is about. */
export interface FailureIssue {
  readonly text: string;
  readonly expression?: string;
}

/** A failed request in words: its sentences, whether the server answered, the request id last. */
export interface Failure {
  readonly sentences: readonly string[];
  /** The issues that name an element of what was sent. */
  readonly issues?: readonly FailureIssue[];
  readonly status?: number;
  /** The connection whose server it is about; absent where it is the local one. */
  readonly connection?: string;
  readonly requestId?: string;
  /** Version that the server holds, where it said so (412). */
  readonly currentVersion?: number;
}

/** Turns what a request threw into words; the one place where an OperationOutcome becomes sentences. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Unconfirmed || error instanceof UnknownForm) return { sentences: [error.message] };
  if (!(error instanceof ApiFailure)) return { sentences: [text.failure.noAnswer] };
  const { outcome, status, currentVersion, host } = error;
  const sentences = (outcome?.issue ?? []).map((issue) => {
    const said = wordsOf(issue, host);
    const where = placeOf(issue);
    // A sentence that names its place needs no second one.
    return where === '' || said.includes(where) ? said : `${said} (${where})`;
  });
  const issues = (outcome?.issue ?? []).map((issue) => ({
    text: wordsOf(issue, host),
    ...(issue.expression?.[0] !== undefined && { expression: issue.expression[0] }),
  }));
  return {
    sentences: spokenBy(host, sentences.length > 0 ? sentences : [error.message]),
    status,
    ...(error.connection !== undefined && { connection: error.connection }),
    ...(issues.some(({ expression }) => expression !== undefined) && { issues }),
    ...(outcome?.id !== undefined && { requestId: outcome.id }),
    ...(currentVersion !== undefined && { currentVersion }),
  };
}

/** Where an issue lies: its element, or the parameter or header of the request (`http.date`) by its name. */
function placeOf({ expression, location }: OutcomeIssue): string {
  return expression?.[0] ?? location?.[0]?.replace(/^http\./, '') ?? '';
}

/** What an issue says: its sentence; of another server all that it said, whose reason may stand in either. */
function wordsOf({ details, diagnostics = '' }: OutcomeIssue, host: string | undefined): string {
  const said = details?.text ?? diagnostics;
  return host === undefined || said.includes(diagnostics) ? said : `${said} ${diagnostics}`;
}

/** Another server's words stand behind its name; what is said about it here names it already. */
function spokenBy(host: string | undefined, [first = '', ...others]: readonly string[]): readonly string[] {
  return host === undefined || first.includes(host) ? [first, ...others] : [`${host}: ${first}`, ...others];
}

/** Whether a new token for this page mends it; what another server refuses is mended in its connection. */
export function isTokenFailure({ status, connection }: Failure): boolean {
  return status === 401 && connection === undefined;
}
