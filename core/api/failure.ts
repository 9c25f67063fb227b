import type { OperationOutcome } from '../fhir/outcome.ts';

/** The server answered, and not with a success. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  readonly status: number;
  readonly outcome: OperationOutcome | undefined;
  /** Version the server holds now, where it said so (412). */
  readonly currentVersion: number | undefined;
  /** The connection whose server answered, or did not; absent where the local server spoke for itself. */
  readonly connection: string | undefined;
  /** Seconds until it may be asked again, where it said so (429, 503). */
  readonly retryAfter: number | undefined;
  /** The host of that server. */
  readonly host: string | undefined;

  constructor(
    status: number,
    outcome: OperationOutcome | undefined,
    currentVersion: number | undefined,
    connection?: string,
    retryAfter?: number,
    host?: string,
  ) {
    super(sentenceOf(outcome) ?? `The server answered ${status}.`);
    this.status = status;
    this.outcome = outcome;
    this.currentVersion = currentVersion;
    this.connection = connection;
    this.retryAfter = retryAfter;
    this.host = host;
  }
}

/** Another server got a write and no answer came back that tells whether it was done; the message says why. */
export class Unconfirmed extends Error {
  override readonly name = 'Unconfirmed';

  constructor(outcome: OperationOutcome | undefined) {
    super(sentenceOf(outcome) ?? 'It is not known whether the change was made.');
  }
}

/** The server answered with a success, and what came is not what was asked for. */
export class UnknownForm extends Error {
  override readonly name = 'UnknownForm';

  constructor(text = 'The server answered in a form that is not known here.') {
    super(text);
  }
}

function sentenceOf(outcome: OperationOutcome | undefined): string | undefined {
  const issue = outcome?.issue[0];
  return issue?.details?.text ?? issue?.diagnostics;
}

/** Whether the local server refused the page's own token; another server's refusal is the connection's matter. */
export function isTokenRefused(error: unknown): boolean {
  return error instanceof ApiFailure && error.status === 401 && error.connection === undefined;
}

/** What a write is refused for that compared the record before it. */
export const changedMeanwhile: OperationOutcome = {
  resourceType: 'OperationOutcome',
  issue: [
    {
      severity: 'error',
      code: 'conflict',
      details: { text: 'The record is no longer as it was read: another client has changed it.' },
    },
  ],
};

/** The reason why a write is not sent that cannot name the version it starts from. */
export const unnamedVersion: OperationOutcome = {
  resourceType: 'OperationOutcome',
  issue: [
    {
      severity: 'error',
      code: 'required',
      details: {
        text: 'Nothing was sent: the text that was changed names no version (meta.versionId), so a change by another client could be overwritten. Read the record again.',
      },
    },
  ],
};

/** Returns the sentence for a server that refuses the very version that it holds. */
export function refusedOwnName(ifMatch: string): string {
  return `The server holds this version, and refuses it under the name that it gave (${ifMatch}). Nothing was overwritten.`;
}
