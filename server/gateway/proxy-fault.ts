/** What failed at a proxy, in a sentence: the server behind it was not reached, and nothing was sent to it. */
import { RemoteFault, detailsOf, knownFault } from './remote-fault.ts';

export interface ProxyWay {
  /** Host and port of the proxy. */
  readonly proxy: string;
  /** The server that it was to lead to. */
  readonly host: string;
}

/** By the status with which a tunnel was refused. */
const refusals: Readonly<Record<number, (way: ProxyWay) => string>> = {
  403: ({ proxy, host }) => `The proxy ${proxy} does not let requests through to ${host} (403).`,
  407: ({ proxy }) => `The proxy ${proxy} does not take the user and password (407). Check them.`,
  502: ({ proxy, host }) => `The proxy ${proxy} cannot reach ${host} (502). Check the base URL.`,
  503: ({ proxy, host }) => `The proxy ${proxy} cannot reach ${host} now (503).`,
  504: ({ proxy, host }) => `The proxy ${proxy} had no answer of ${host} in time (504).`,
};

/** The fault of a proxy that answered something else than a tunnel. */
export function refusedTunnel(status: number, way: ProxyWay): RemoteFault {
  const text =
    refusals[status]?.(way) ?? `The proxy ${way.proxy} opens no way to ${way.host}. Check its address.`;
  return new RemoteFault('unreachable', text, false, 'proxy', status !== 407);
}

/** The fault behind an error of the way to a proxy, or of its answer. */
export function proxyFault(error: unknown, { proxy, host }: ProxyWay): RemoteFault {
  const { name, code } = detailsOf(error);
  if (name === 'AbortError' || name === 'TimeoutError') {
    const text = `The proxy ${proxy} opened no way to ${host} within the time limit of the connection.`;
    return new RemoteFault('unanswered', text, false, 'proxy');
  }
  if (code.startsWith('HPE_')) {
    const what =
      code === 'HPE_HEADER_OVERFLOW' ? 'with a head of more than 16 kB' : 'something that is not HTTP';
    const text = `The proxy ${proxy} answered ${what}. Check its address.`;
    return new RemoteFault('unreachable', text, false, 'proxy', false);
  }
  const known = knownFault(code);
  if (known) {
    const [step, sentence] = known;
    const text = sentence(proxy).replace('Check the base URL', "Check the proxy's address");
    return new RemoteFault(
      'unreachable',
      `The proxy is not reached. ${text}`,
      false,
      'proxy',
      step !== 'tls',
    );
  }
  const text = `The proxy ${proxy} closed the connection before it opened a way to ${host}.`;
  return new RemoteFault('unreachable', text, false, 'proxy');
}
