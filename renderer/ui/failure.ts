import { ApiFailure, UnconfirmedWriteError, UnexpectedFormatError } from '../../core/api/failure.ts';
import type { OutcomeIssue } from '../../core/fhir/outcome.ts';
import { text } from './text.ts';

/** An issue of an outcome and the FHIRPath of its element. */
export interface FailureIssue {
  readonly text: string;
  readonly expression?: string;
}

/** A failed request as messages, with the status and the request id. */
export interface Failure {
  readonly sentences: readonly string[];
  readonly issues?: readonly FailureIssue[];
  readonly status?: number;
  /** Connection to the server; undefined for the local server. */
  readonly connection?: string;
  readonly requestId?: string;
  /** Current version on the server (412). */
  readonly currentVersion?: number;
}

/** Converts an error of a request to messages. OperationOutcomes are converted only here. */
export function toFailure(error: unknown): Failure {
  if (error instanceof UnconfirmedWriteError || error instanceof UnexpectedFormatError)
    return { sentences: [error.message] };
  if (!(error instanceof ApiFailure)) return { sentences: [text.failure.noAnswer] };
  const { outcome, status, currentVersion, host } = error;
  const sentences = (outcome?.issue ?? []).map((issue) => {
    const message = formatIssue(issue, host);
    const location = formatLocation(issue);
    // A message that contains the location does not repeat it.
    return location === '' || message.includes(location) ? message : `${message} (${location})`;
  });
  const issues = (outcome?.issue ?? []).map((issue) => ({
    text: formatIssue(issue, host),
    ...(issue.expression?.[0] !== undefined && { expression: issue.expression[0] }),
  }));
  return {
    sentences: withHost(host, sentences.length > 0 ? sentences : [error.message]),
    status,
    ...(error.connection !== undefined && { connection: error.connection }),
    ...(issues.some(({ expression }) => expression !== undefined) && { issues }),
    ...(outcome?.id !== undefined && { requestId: outcome.id }),
    ...(currentVersion !== undefined && { currentVersion }),
  };
}

/**
 * Returns the location of an issue: its element, or the parameter or header of the request (`http.date`).
 */
function formatLocation({ expression, location }: OutcomeIssue): string {
  return expression?.[0] ?? location?.[0]?.replace(/^http\./, '') ?? '';
}

/**
 * Returns the message of an issue. For another server, it includes the diagnostics, because the message or the
 * diagnostics may contain the reason.
 */
function formatIssue({ details, diagnostics = '' }: OutcomeIssue, host: string | undefined): string {
  const message = details?.text ?? diagnostics;
  return host === undefined || message.includes(diagnostics) ? message : `${message} ${diagnostics}`;
}

/** Prefixes the messages of another server with its host, unless the first message contains it. */
function withHost(
  host: string | undefined,
  [firstMessage = '', ...remainingMessages]: readonly string[],
): readonly string[] {
  return host === undefined || firstMessage.includes(host)
    ? [firstMessage, ...remainingMessages]
    : [`${host}: ${firstMessage}`, ...remainingMessages];
}

/**
 * Returns true if a new token for this page can help. A token for another server belongs to its connection.
 */
export function isTokenFailure({ status, connection }: Failure): boolean {
  return status === 401 && connection === undefined;
}
