/** What is put behind an address that has no path. */
const defaultBasePath = '/fhir-r4/v1';

const form =
  /^(https?):\/\/(\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::([0-9]{1,5}))?(\/[^?#\\]*)?$/i;
const segmentForm = /^(?!\.{1,2}$)[A-Za-z0-9._~!$&'()*+,;=:@-]+$/;
const defaultPorts: Readonly<Record<string, string>> = { https: '443', http: '80' };

/**
 * Reads the address of a server: as it is stored and compared, `https://host:port/path` without a slash at its end, or what
 * is wrong with it in a sentence.
 */
export function readBaseUrl(value: unknown): { readonly text: string } | { readonly problem: string } {
  if (typeof value !== 'string' || value.trim() === '') {
    return { problem: 'Enter the base URL of the server, such as https://fhir.example.org/fhir-r4/v1.' };
  }
  const text = value.trim();
  if (/[?#]/.test(text)) return { problem: 'A base URL has no query and no fragment (? or #).' };
  if (/^[a-z]+:\/\/[^/]*@/i.test(text)) {
    return { problem: 'A base URL holds no user name and no password; choose an authentication instead.' };
  }
  const [, scheme, host, port, path] = form.exec(text) ?? [];
  if (scheme === undefined || host === undefined || Number(port ?? 1) > 65_535 || Number(port ?? 1) < 1) {
    return { problem: 'An absolute https address is expected, such as https://fhir.example.org/fhir-r4/v1.' };
  }
  const segments = path?.split('/').slice(1) ?? [];
  if (segments.at(-1) === '') segments.pop();
  if (!segments.every((segment) => segmentForm.test(segment))) {
    return { problem: 'The path of a base URL holds plain segments: no empty ones, no dots, no escapes.' };
  }
  const protocol = scheme.toLowerCase();
  const name = host.toLowerCase();
  if (protocol === 'http' && !isLoopback(name)) {
    return {
      problem: 'Only https is used for another machine; http is for this one (127.0.0.1, localhost).',
    };
  }
  const shownPort =
    port === undefined || Number(port) === Number(defaultPorts[protocol]) ? '' : `:${Number(port)}`;
  const place = segments.length === 0 ? defaultBasePath : `/${segments.join('/')}`;
  return { text: `${protocol}://${name}${shownPort}${place}` };
}

/** Whether a host name, in lower case, is this machine. */
export function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || /^127(?:\.(?:0|[1-9][0-9]{0,2})){3}$/.test(name);
}

/** What is wrong with the address of an endpoint of sign-in, which may carry a query; undefined where nothing is. */
export function endpointProblem(value: string): string | undefined {
  const read = readBaseUrl(value.replace(/\?[^#]*$/, ''));
  return 'problem' in read ? read.problem.replace('base URL', 'endpoint') : undefined;
}
