/** Why no usable answer came from another server, in a sentence; the codes are Node's and OpenSSL's. */
import { FhirError } from '../../core/fhir/outcome.ts';

export type RemoteFaultKind = 'unreachable' | 'unanswered' | 'unusable';

/** No answer, or one that cannot be used. */
export class RemoteFault extends Error {
  override readonly name = 'RemoteFault';
  readonly kind: RemoteFaultKind;
  /** Whether the whole request had gone out, so that the other server may have done it. */
  readonly sent: boolean;
  /** Whether the same request may be answered later. */
  readonly passing: boolean;

  constructor(kind: RemoteFaultKind, text: string, sent: boolean, passing = kind !== 'unusable') {
    super(text);
    this.kind = kind;
    this.sent = sent;
    this.passing = passing;
  }

  /** As the page gets it. */
  toFhirError(headers: Record<string, string> = {}, more = ''): FhirError {
    return new FhirError(
      this.kind,
      { text: more === '' ? this.message : `${this.message} ${more}` },
      headers,
    );
  }
}

const selfSigned = (host: string) =>
  `The certificate of ${host} is signed by no authority that is known here. Name its authority's file in the connection.`;

/** Faults before anything was sent, by code. */
const before: Readonly<Record<string, (host: string) => string>> = {
  ENOTFOUND: (host) => `No server has the name ${host}. Check the base URL and the network.`,
  EAI_AGAIN: (host) => `The name ${host} cannot be looked up now. Check the network.`,
  ECONNREFUSED: (host) =>
    `${host} refuses the connection: no server listens there, or a firewall stands before it.`,
  EHOSTUNREACH: (host) => `There is no way to ${host} in the network.`,
  ENETUNREACH: (host) => `There is no way to ${host} in the network.`,
  EADDRNOTAVAIL: (host) => `There is no way to ${host} in the network.`,
  DEPTH_ZERO_SELF_SIGNED_CERT: selfSigned,
  SELF_SIGNED_CERT_IN_CHAIN: selfSigned,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: selfSigned,
  UNABLE_TO_GET_ISSUER_CERT: selfSigned,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: selfSigned,
  CERT_HAS_EXPIRED: (host) => `The certificate of ${host} has expired.`,
  CERT_NOT_YET_VALID: (host) =>
    `The certificate of ${host} is not valid yet. Check the clock of this machine.`,
  CERT_REVOKED: (host) => `The certificate of ${host} was revoked.`,
  ERR_TLS_CERT_ALTNAME_INVALID: (host) => `The certificate of ${host} was made for another name.`,
  EPROTO: (host) =>
    `${host} does not speak TLS as it is spoken here. Check the port and whether it serves https.`,
};

/** The fault behind an error of a socket or of the HTTP parser. */
export function remoteFault(error: unknown, host: string, sent: boolean): RemoteFault {
  if (error instanceof RemoteFault) return error;
  const { name, code } = detailsOf(error);
  if (name === 'TimeoutError') {
    return new RemoteFault(
      'unanswered',
      `${host} did not answer within the time limit of the connection.`,
      sent,
    );
  }
  const known = before[code] ?? (code.startsWith('ERR_SSL') ? before.EPROTO : undefined);
  if (known) return new RemoteFault('unreachable', known(host), false);
  if (code.startsWith('HPE_')) {
    return new RemoteFault('unusable', `${host} answered something that is not HTTP.`, sent);
  }
  if (code === 'ETIMEDOUT') {
    return new RemoteFault('unanswered', `${host} did not answer in time.`, sent);
  }
  return new RemoteFault(
    'unreachable',
    `${host} closed the connection before its answer was complete.`,
    sent,
  );
}

function detailsOf(error: unknown): { readonly name: string; readonly code: string } {
  if (!(error instanceof Error)) return { name: '', code: '' };
  const code: unknown = Reflect.get(error, 'code');
  return { name: error.name, code: typeof code === 'string' ? code : '' };
}
