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

/** Path of a base URL that was entered without a path. */
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
export function parseBaseUrl(value: unknown): { readonly text: string } | { readonly problem: Message } {
  const result = normalizeUrl(value);
  return 'text' in result ? result : { problem: messages[result.problemCode]() };
}

function normalizeUrl(value: unknown): { readonly text: string } | { readonly problemCode: UrlProblemCode } {
  if (typeof value !== 'string' || value.trim() === '') {
    return { problemCode: 'missing' };
  }
  const text = value.trim();
  if (/[?#]/.test(text)) return { problemCode: 'query' };
  if (/^[a-z]+:\/\/[^/]*@/i.test(text)) {
    return { problemCode: 'user' };
  }
  const [, scheme, host, port, path] = urlPattern.exec(text) ?? [];
  if (scheme === undefined || host === undefined || Number(port ?? 1) > 65_535 || Number(port ?? 1) < 1) {
    return { problemCode: 'absolute' };
  }
  const segments = path?.split('/').slice(1) ?? [];
  if (segments.at(-1) === '') segments.pop();
  if (!segments.every((segment) => segmentPattern.test(segment))) {
    return { problemCode: 'segments' };
  }
  const protocol = scheme.toLowerCase();
  const hostName = host.toLowerCase();
  if (protocol === 'http' && !isLoopback(hostName)) {
    return { problemCode: 'https' };
  }
  const portSuffix =
    port === undefined || Number(port) === Number(defaultPorts[protocol]) ? '' : `:${Number(port)}`;
  const basePath = segments.length === 0 ? defaultBasePath : `/${segments.join('/')}`;
  return { text: `${protocol}://${hostName}${portSuffix}${basePath}` };
}

/** Returns true if a lower-case host name denotes this machine. */
export function isLoopback(hostName: string): boolean {
  return (
    hostName === 'localhost' || hostName === '[::1]' || /^127(?:\.(?:0|[1-9][0-9]{0,2})){3}$/.test(hostName)
  );
}

/** Returns the problem of a sign-in endpoint; undefined if there is none. Its query is not checked. */
export function findEndpointProblem(value: string): Message | undefined {
  const result = normalizeUrl(value.replace(/\?[^#]*$/, ''));
  return 'problemCode' in result ? endpointMessages[result.problemCode]() : undefined;
}
