/** Why no usable answer came from another server, in a sentence; the codes are Node's and OpenSSL's. */
import type { TestStepName } from '../../core/app/connections.ts';
import type { FhirErrorCode } from '../../core/fhir/outcome.ts';
import { defineMessages, type Message } from '../../core/text/message.ts';

/** Something keeps a connection from being used; the sentence says what to do. */
export abstract class ConnectionError extends Error {
  abstract readonly kind: FhirErrorCode;
  /** What of a test fails with it. */
  abstract readonly step: TestStepName;
  readonly sentence: Message;

  constructor(sentence: Message) {
    super(sentence.text);
    this.sentence = sentence;
  }
}

/** No answer, or one that cannot be used. */
export class RemoteError extends ConnectionError {
  override readonly name = 'RemoteError';
  readonly kind: 'unreachable' | 'unanswered' | 'unusable';
  /** Whether the whole request had gone out, so that the other server may have done it. */
  readonly sent: boolean;
  readonly step: TestStepName;
  /** Whether the same request may be answered later. */
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

/** What the server answered, or would have done, cannot be used. */
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

/** Faults before anything was sent, by code of Node or OpenSSL: the step that failed, and the message. */
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
  // TLS 1.2 says no more than that the handshake failed.
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: ['tls', 'clientCertificateRequired'],
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: ['tls', 'clientCertificateRejected'],
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN: ['tls', 'clientCertificateRejected'],
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: ['tls', 'clientCertificateRejected'],
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: ['tls', 'clientCertificateRejected'],
  ERR_SSL_TLSV1_ALERT_DECRYPT_ERROR: ['tls', 'clientCertificateRejected'],
  EPROTO: ['tls', 'noCommonTls'],
} as const satisfies Readonly<Record<string, readonly [TestStepName, keyof typeof messages]>>;

type KnownFault = (typeof before)[keyof typeof before];

/** Names of the faults that keep a host from being reached. */
export type ReachFault = KnownFault[1];

/** Returns the step that failed and the name of the fault, for faults before anything was sent. */
export function knownFault(code: string): KnownFault | undefined {
  if (Object.hasOwn(before, code)) return before[code as keyof typeof before];
  return code.startsWith('ERR_SSL') ? before.EPROTO : undefined;
}

/** The fault behind an error of a socket or of the HTTP parser. */
export function remoteFault(error: unknown, host: string, sent: boolean): RemoteError {
  if (error instanceof RemoteError) return error;
  const { name, code } = detailsOf(error);
  if (name === 'TimeoutError') {
    return new RemoteError('unanswered', messages.timeout({ host }), sent, 'connection');
  }
  const known = knownFault(code);
  if (known) {
    const [step, fault] = known;
    return new RemoteError('unreachable', messages[fault]({ host }), false, step);
  }
  if (code.startsWith('HPE_')) return unusable(messages.notHttp({ host }), sent);
  if (code === 'ETIMEDOUT') {
    return new RemoteError('unanswered', messages.late({ host }), sent, 'connection');
  }
  return closedEarly(host, sent, 'connection');
}

/** Returns the fault for a connection that ended before its answer was complete. */
export function closedEarly(host: string, sent: boolean, step: TestStepName): RemoteError {
  return new RemoteError('unreachable', messages.closed({ host }), sent, step);
}

/** Name and code of an error; empty where it has none. */
export function detailsOf(error: unknown): { readonly name: string; readonly code: string } {
  if (!(error instanceof Error)) return { name: '', code: '' };
  const code: unknown = Reflect.get(error, 'code');
  return { name: error.name, code: typeof code === 'string' ? code : '' };
}
