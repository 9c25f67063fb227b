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

/** The server responded with an error status. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  readonly status: number;
  readonly outcome: OperationOutcome | undefined;
  /** Current version on the server, if the response named it (412). */
  readonly currentVersion: number | undefined;
  /** Connection whose server responded or failed to; absent for the local server. */
  readonly connection: string | undefined;
  /** Seconds until a retry, if the response named them (429, 503). */
  readonly retryAfter: number | undefined;
  /** Host of that server. */
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

/** A remote server received a write and no response confirmed it. The message has the reason. */
export class UnconfirmedWriteError extends Error {
  override readonly name = 'UnconfirmedWriteError';

  constructor(outcome: OperationOutcome | undefined) {
    super(sentenceOf(outcome) ?? messages.unconfirmed().text);
  }
}

/** The server responded with a success in an unexpected form. */
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

/**
 * Returns true if the local server rejected the page's token. The rejection of a remote server concerns its
 * connection.
 */
export function isTokenRejected(error: unknown): boolean {
  return error instanceof ApiFailure && error.status === 401 && error.connection === undefined;
}

/** Outcome of a rejected write whose record had changed before. */
export const concurrentChange: OperationOutcome = {
  resourceType: 'OperationOutcome',
  issue: [
    {
      severity: 'error',
      code: 'conflict',
      details: detailsOf(messages.changed()),
    },
  ],
};

/** Outcome of a write that is not sent because it cannot name its base version. */
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

/** Returns the message for a server that rejects its own version id. */
export function refusedOwnName(ifMatch: string): Message {
  return messages.refusedOwnName({ ifMatch });
}
