/** Why no usable answer came from another server, in a sentence; the codes are Node's and OpenSSL's. */
import type { TestStepName } from '../../core/app/connections.ts';
import { FhirError, type FaultKind } from '../../core/fhir/outcome.ts';

/** Something keeps a connection from being used; the sentence says what to do. */
export abstract class ConnectionFault extends Error {
  abstract readonly kind: FaultKind;
  /** What of a test fails with it. */
  abstract readonly step: TestStepName;

  /** As the page gets it. */
  toFhirError(headers: Record<string, string> = {}, more = ''): FhirError {
    return new FhirError(
      this.kind,
      { text: more === '' ? this.message : `${this.message} ${more}` },
      headers,
    );
  }
}

/** No answer, or one that cannot be used. */
export class RemoteFault extends ConnectionFault {
  override readonly name = 'RemoteFault';
  readonly kind: 'unreachable' | 'unanswered' | 'unusable';
  /** Whether the whole request had gone out, so that the other server may have done it. */
  readonly sent: boolean;
  readonly step: TestStepName;
  /** Whether the same request may be answered later. */
  readonly passing: boolean;

  constructor(
    kind: RemoteFault['kind'],
    text: string,
    sent: boolean,
    step: TestStepName = 'fhir',
    passing = kind !== 'unusable' && step !== 'tls',
  ) {
    super(text);
    this.kind = kind;
    this.sent = sent;
    this.step = step;
    this.passing = passing;
  }
}

/** What the server answered, or would have done, cannot be used. */
export function unusable(text: string, sent = true): RemoteFault {
  return new RemoteFault('unusable', text, sent);
}

type Sentence = (host: string) => string;

const selfSigned: Sentence = (host) =>
  `The certificate of ${host} is signed by no authority that is known here. Name its authority's file in the connection.`;
const noWay: Sentence = (host) => `There is no way to ${host} in the network.`;
const unknown: Sentence = (host) =>
  `${host} does not take the client certificate of this connection. Ask who runs it which one it knows.`;
const demanded: Sentence = (host) =>
  `${host} demands a client certificate. Name one in the connection, signed by an authority that it knows.`;
const noTls: Sentence = (host) =>
  `${host} does not speak TLS as it is spoken here. Check the port and whether it serves https.`;

/** Faults before anything was sent, by code: the step that failed, and the sentence. */
const before: Readonly<Record<string, readonly [TestStepName, Sentence]>> = {
  ENOTFOUND: ['name', (host) => `No server has the name ${host}. Check the base URL and the network.`],
  EAI_AGAIN: ['name', (host) => `The name ${host} cannot be looked up now. Check the network.`],
  ECONNREFUSED: [
    'connection',
    (host) => `${host} refuses the connection: no server listens there, or a firewall stands before it.`,
  ],
  EHOSTUNREACH: ['connection', noWay],
  ENETUNREACH: ['connection', noWay],
  EADDRNOTAVAIL: ['connection', noWay],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['tls', selfSigned],
  SELF_SIGNED_CERT_IN_CHAIN: ['tls', selfSigned],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ['tls', selfSigned],
  UNABLE_TO_GET_ISSUER_CERT: ['tls', selfSigned],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ['tls', selfSigned],
  CERT_HAS_EXPIRED: ['tls', (host) => `The certificate of ${host} has expired.`],
  CERT_NOT_YET_VALID: [
    'tls',
    (host) => `The certificate of ${host} is not valid yet. Check the clock of this machine.`,
  ],
  CERT_REVOKED: ['tls', (host) => `The certificate of ${host} was revoked.`],
  ERR_TLS_CERT_ALTNAME_INVALID: ['tls', (host) => `The certificate of ${host} was made for another name.`],
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: ['tls', demanded],
  // TLS 1.2 says no more than that the handshake failed.
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: ['tls', demanded],
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: ['tls', unknown],
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN: ['tls', unknown],
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: ['tls', unknown],
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: ['tls', unknown],
  ERR_SSL_TLSV1_ALERT_DECRYPT_ERROR: ['tls', unknown],
  EPROTO: ['tls', noTls],
};

/** The step that failed and the sentence, of faults before anything was sent. */
export function knownFault(code: string): readonly [TestStepName, Sentence] | undefined {
  return before[code] ?? (code.startsWith('ERR_SSL') ? before.EPROTO : undefined);
}

/** The fault behind an error of a socket or of the HTTP parser. */
export function remoteFault(error: unknown, host: string, sent: boolean): RemoteFault {
  if (error instanceof RemoteFault) return error;
  const { name, code } = detailsOf(error);
  if (name === 'TimeoutError') {
    const text = `${host} did not answer within the time limit of the connection.`;
    return new RemoteFault('unanswered', text, sent, 'connection');
  }
  const known = knownFault(code);
  if (known) {
    const [step, sentence] = known;
    return new RemoteFault('unreachable', sentence(host), false, step);
  }
  if (code.startsWith('HPE_')) {
    return unusable(`${host} answered something that is not HTTP.`, sent);
  }
  if (code === 'ETIMEDOUT') {
    return new RemoteFault('unanswered', `${host} did not answer in time.`, sent, 'connection');
  }
  const text = `${host} closed the connection before its answer was complete.`;
  return new RemoteFault('unreachable', text, sent, 'connection');
}

/** Name and code of an error; empty where it has none. */
export function detailsOf(error: unknown): { readonly name: string; readonly code: string } {
  if (!(error instanceof Error)) return { name: '', code: '' };
  const code: unknown = Reflect.get(error, 'code');
  return { name: error.name, code: typeof code === 'string' ? code : '' };
}
