import { detailsOf, type OperationOutcome } from '../fhir/outcome.ts';
import { defineMessages, type Message } from '../text/message.ts';

const messages = defineMessages('client', {
  unconfirmed: 'It is not known whether the change was saved.',
  unknownForm: 'The server’s answer could not be understood.',
  changed: 'Someone else has changed this record since it was loaded.',
  unnamedVersion:
    'Nothing was sent. The text names no version (meta.versionId), so someone else’s change could be overwritten. Reload the record.',
  refusedOwnName:
    'The server has this version, but refuses the name that it gave ({ifMatch}). Nothing was overwritten.',
});

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
export class UnconfirmedWriteError extends Error {
  override readonly name = 'UnconfirmedWriteError';

  constructor(outcome: OperationOutcome | undefined) {
    super(sentenceOf(outcome) ?? messages.unconfirmed().text);
  }
}

/** The server answered with a success, and what came is not what was asked for. */
export class UnexpectedFormatError extends Error {
  override readonly name = 'UnexpectedFormatError';

  constructor({ text }: Pick<Message, 'text'> = messages.unknownForm()) {
    super(text);
  }
}

function sentenceOf(outcome: OperationOutcome | undefined): string | undefined {
  const issue = outcome?.issue[0];
  return issue?.details?.text ?? issue?.diagnostics;
}

/** Whether the local server refused the page's own token; another server's refusal is the connection's matter. */
export function isTokenRejected(error: unknown): boolean {
  return error instanceof ApiFailure && error.status === 401 && error.connection === undefined;
}

/** What a write is refused for that compared the record before it. */
export const changedMeanwhile: OperationOutcome = {
  resourceType: 'OperationOutcome',
  issue: [
    {
      severity: 'error',
      code: 'conflict',
      details: detailsOf(messages.changed()),
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
      details: detailsOf(messages.unnamedVersion()),
    },
  ],
};

/** Returns the sentence for a server that refuses the very version that it has. */
export function refusedOwnName(ifMatch: string): Message {
  return messages.refusedOwnName({ ifMatch });
}
