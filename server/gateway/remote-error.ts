/** Errors of connections to other servers, by the codes of Node and OpenSSL. */
import type { TestStepName } from '../../core/app/connections.ts';
import type { FhirErrorCode } from '../../core/fhir/outcome.ts';
import { defineMessages, type Message } from '../../core/text/message.ts';

/** A connection cannot be used. The message says what to do. */
export abstract class ConnectionError extends Error {
  abstract readonly kind: FhirErrorCode;
  /** Step of a connection test that fails with this error. */
  abstract readonly step: TestStepName;
  readonly sentence: Message;

  constructor(sentence: Message) {
    super(sentence.text);
    this.sentence = sentence;
  }
}

/** The server sent no response or an unusable one. */
export class RemoteError extends ConnectionError {
  override readonly name = 'RemoteError';
  readonly kind: 'unreachable' | 'unanswered' | 'unusable';
  /** True if the whole request was sent. The other server may have processed it. */
  readonly sent: boolean;
  readonly step: TestStepName;
  /** True if a retry may succeed. */
  readonly passing: boolean;

  constructor(
    kind: RemoteError['kind'],
    sentence: Message,
    sent: boolean,
    step: TestStepName = 'fhir',
    passing = kind !== 'unusable' && step !== 'tls',
  ) {
    super(sentence);
    this.kind = kind;
    this.sent = sent;
    this.step = step;
    this.passing = passing;
  }
}

/** Returns the error for an unusable response. */
export function unusable(sentence: Message, sent = true): RemoteError {
  return new RemoteError('unusable', sentence, sent);
}

const messages = defineMessages('gateway.remote', {
  unknownHost: 'Unknown host {host}. Check the base URL and the network.',
  unresolvedHost: 'Couldn’t resolve {host} right now. Check the network.',
  connectionRefused: '{host} refused the connection. No server is listening there, or a firewall blocks it.',
  noRoute: 'There is no network route to {host}.',
  unknownAuthority:
    'The certificate of {host} is from an unknown authority. Add the authority’s CA file to the connection.',
  certificateExpired: 'The certificate of {host} has expired.',
  certificateNotYetValid: 'The certificate of {host} is not valid yet. Check this computer’s clock.',
  certificateRevoked: 'The certificate of {host} was revoked.',
  certificateOfOtherHost: 'The certificate of {host} is for another host name.',
  clientCertificateRequired:
    '{host} requires a client certificate. Add one that it accepts to the connection.',
  clientCertificateRejected:
    '{host} rejected this connection’s client certificate. Ask its administrator which ones it accepts.',
  noCommonTls: '{host} doesn’t support the TLS versions used here. Check the port and whether it uses https.',
  timeout: '{host} didn’t answer within the timeout.',
  late: '{host} didn’t answer in time.',
  notHttp: '{host} returned something that is not HTTP.',
  closed: '{host} closed the connection before its answer was complete.',
});

/** Errors before anything was sent, by code of Node or OpenSSL: the failed step and the message. */
const before = {
  ENOTFOUND: ['name', 'unknownHost'],
  EAI_AGAIN: ['name', 'unresolvedHost'],
  ECONNREFUSED: ['connection', 'connectionRefused'],
  EHOSTUNREACH: ['connection', 'noRoute'],
  ENETUNREACH: ['connection', 'noRoute'],
  EADDRNOTAVAIL: ['connection', 'noRoute'],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['tls', 'unknownAuthority'],
  SELF_SIGNED_CERT_IN_CHAIN: ['tls', 'unknownAuthority'],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ['tls', 'unknownAuthority'],
  UNABLE_TO_GET_ISSUER_CERT: ['tls', 'unknownAuthority'],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ['tls', 'unknownAuthority'],
  CERT_HAS_EXPIRED: ['tls', 'certificateExpired'],
  CERT_NOT_YET_VALID: ['tls', 'certificateNotYetValid'],
  CERT_REVOKED: ['tls', 'certificateRevoked'],
  ERR_TLS_CERT_ALTNAME_INVALID: ['tls', 'certificateOfOtherHost'],
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: ['tls', 'clientCertificateRequired'],
  // TLS 1.2 reports only a failed handshake.
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: ['tls', 'clientCertificateRequired'],
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: ['tls', 'clientCertificateRejected'],
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN: ['tls', 'clientCertificateRejected'],
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: ['tls', 'clientCertificateRejected'],
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: ['tls', 'clientCertificateRejected'],
  ERR_SSL_TLSV1_ALERT_DECRYPT_ERROR: ['tls', 'clientCertificateRejected'],
  EPROTO: ['tls', 'noCommonTls'],
} as const satisfies Readonly<Record<string, readonly [TestStepName, keyof typeof messages]>>;

type KnownFault = (typeof before)[keyof typeof before];

/** Message keys of errors that prevent a connection. */
export type ReachFault = KnownFault[1];

/** Returns the failed step and the message key of an error before anything was sent. */
export function knownFault(code: string): KnownFault | undefined {
  if (Object.hasOwn(before, code)) return before[code as keyof typeof before];
  return code.startsWith('ERR_SSL') ? before.EPROTO : undefined;
}

/** Returns the error for a failure of a socket or of the HTTP parser. */
export function remoteFault(error: unknown, host: string, sent: boolean): RemoteError {
  if (error instanceof RemoteError) return error;
  const { name, code } = detailsOf(error);
  if (name === 'TimeoutError') {
    return new RemoteError('unanswered', messages.timeout({ host }), sent, 'connection');
  }
  const knownError = knownFault(code);
  if (knownError) {
    const [step, messageKey] = knownError;
    return new RemoteError('unreachable', messages[messageKey]({ host }), false, step);
  }
  if (code.startsWith('HPE_')) return unusable(messages.notHttp({ host }), sent);
  if (code === 'ETIMEDOUT') {
    return new RemoteError('unanswered', messages.late({ host }), sent, 'connection');
  }
  return closedEarly(host, sent, 'connection');
}

/** Returns the error for a connection that closed before its response was complete. */
export function closedEarly(host: string, sent: boolean, step: TestStepName): RemoteError {
  return new RemoteError('unreachable', messages.closed({ host }), sent, step);
}

/** Returns name and code of an error; empty strings if missing. */
export function detailsOf(error: unknown): { readonly name: string; readonly code: string } {
  if (!(error instanceof Error)) return { name: '', code: '' };
  const code: unknown = Reflect.get(error, 'code');
  return { name: error.name, code: typeof code === 'string' ? code : '' };
}
