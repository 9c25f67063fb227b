import { defineMessages, type Message } from '../text/message.ts';

const messages = defineMessages('baseUrl', {
  missing: 'Enter the server’s base URL, such as https://fhir.example.org/fhir-r4/v1.',
  query: 'A base URL can’t have a query or a fragment (? or #).',
  user: 'A base URL can’t contain a user name or password. Choose an authentication method instead.',
  absolute: 'Enter an absolute https URL, such as https://fhir.example.org/fhir-r4/v1.',
  segments: 'The path of a base URL can’t have empty segments, dots or escapes.',
  https: 'Use https for other computers. http is only allowed for this one (127.0.0.1, localhost).',
});

/** Messages for the endpoint of a sign-in. */
const endpointMessages = defineMessages('endpoint', {
  missing: 'Enter the endpoint’s URL, such as https://auth.example.org/token.',
  query: 'An endpoint can’t have a fragment (#).',
  user: 'An endpoint can’t contain a user name or password. Choose an authentication method instead.',
  absolute: 'Enter an absolute https URL, such as https://auth.example.org/token.',
  segments: 'The path of an endpoint can’t have empty segments, dots or escapes.',
  https: 'Use https for other computers. http is only allowed for this one (127.0.0.1, localhost).',
});

type UrlProblemCode = keyof typeof messages;

/** Path of an address without one. */
const defaultBasePath = '/fhir-r4/v1';

const urlPattern =
  /^(https?):\/\/(\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::([0-9]{1,5}))?(\/[^?#\\]*)?$/i;
const segmentPattern = /^(?!\.{1,2}$)[A-Za-z0-9._~!$&'()*+,;=:@-]+$/;
const defaultPorts: Readonly<Record<string, string>> = { https: '443', http: '80' };

/**
 * Parses the base URL of a server.
 *
 * @returns The stored form (`https://host:port/path` without a trailing slash), or a problem.
 */
export function readBaseUrl(value: unknown): { readonly text: string } | { readonly problem: Message } {
  const result = readUrl(value);
  return 'text' in result ? result : { problem: messages[result.fault]() };
}

function readUrl(value: unknown): { readonly text: string } | { readonly fault: UrlProblemCode } {
  if (typeof value !== 'string' || value.trim() === '') {
    return { fault: 'missing' };
  }
  const text = value.trim();
  if (/[?#]/.test(text)) return { fault: 'query' };
  if (/^[a-z]+:\/\/[^/]*@/i.test(text)) {
    return { fault: 'user' };
  }
  const [, scheme, host, port, path] = urlPattern.exec(text) ?? [];
  if (scheme === undefined || host === undefined || Number(port ?? 1) > 65_535 || Number(port ?? 1) < 1) {
    return { fault: 'absolute' };
  }
  const segments = path?.split('/').slice(1) ?? [];
  if (segments.at(-1) === '') segments.pop();
  if (!segments.every((segment) => segmentPattern.test(segment))) {
    return { fault: 'segments' };
  }
  const protocol = scheme.toLowerCase();
  const name = host.toLowerCase();
  if (protocol === 'http' && !isLoopback(name)) {
    return { fault: 'https' };
  }
  const shownPort =
    port === undefined || Number(port) === Number(defaultPorts[protocol]) ? '' : `:${Number(port)}`;
  const basePath = segments.length === 0 ? defaultBasePath : `/${segments.join('/')}`;
  return { text: `${protocol}://${name}${shownPort}${basePath}` };
}

/** Returns true if a host name in lower case is this machine. */
export function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || /^127(?:\.(?:0|[1-9][0-9]{0,2})){3}$/.test(name);
}

/** Returns the problem of a sign-in endpoint; undefined if there is none. An endpoint may have a query. */
export function endpointProblem(value: string): Message | undefined {
  const result = readUrl(value.replace(/\?[^#]*$/, ''));
  return 'fault' in result ? endpointMessages[result.fault]() : undefined;
}
