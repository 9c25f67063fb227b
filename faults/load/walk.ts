import type { Server } from '../../bench/processes.ts';
import { FaultError } from '../fault-case.ts';
import { send } from '../server.ts';

interface Bundle {
  readonly entry?: readonly {
    readonly resource: {
      readonly resourceType: string;
      readonly id: string;
      readonly meta: { readonly versionId: string };
    };
  }[];
  readonly link: readonly { readonly relation: string; readonly url: string }[];
}

/** The pages of a search or history from an address on: the versions of each page, such as `CarePlan/x/_history/2`. */
export async function* pagesOf(
  server: Pick<Server, 'port' | 'token'>,
  first: string,
): AsyncGenerator<string[]> {
  for (let path: string | undefined = first; path !== undefined;) {
    const { status, text } = await send(server, 'GET', path);
    if (status !== 200) throw new FaultError(`${path} was answered ${status}`);
    const { entry = [], link } = JSON.parse(text) as Bundle;
    yield entry.map(
      ({ resource }) => `${resource.resourceType}/${resource.id}/_history/${resource.meta.versionId}`,
    );
    const next = link.find(({ relation }) => relation === 'next')?.url;
    path = next?.slice(new URL(next).origin.length);
  }
}

/** What a walk met twice and what it did not meet, in sentences; strangers are none of its business. */
export function gaps(what: string, met: readonly string[], wanted: ReadonlySet<string>): string[] {
  const seen = new Set(met);
  const missing = [...wanted].filter((one) => !seen.has(one));
  return [
    ...(met.length > seen.size ? [`${what}: ${met.length - seen.size} came twice`] : []),
    ...(missing.length > 0 ? [`${what}: ${missing.length} were left out, such as ${missing[0] ?? ''}`] : []),
  ];
}
