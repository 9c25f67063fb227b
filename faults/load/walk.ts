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

/** Yields the pages of a search or history: the versions of each page, such as `CarePlan/x/_history/2`. */
export async function* readPages(
  server: Pick<Server, 'port' | 'token'>,
  firstPath: string,
): AsyncGenerator<string[]> {
  for (let path: string | undefined = firstPath; path !== undefined;) {
    const { status, text } = await send(server, 'GET', path);
    if (status !== 200) throw new FaultError(`${path} was answered ${status}`);
    const { entry = [], link } = JSON.parse(text) as Bundle;
    yield entry.map(
      ({ resource }) => `${resource.resourceType}/${resource.id}/_history/${resource.meta.versionId}`,
    );
    const nextUrl = link.find(({ relation }) => relation === 'next')?.url;
    path = nextUrl?.slice(new URL(nextUrl).origin.length);
  }
}

/**
 * Returns which versions came twice and which expected ones did not come, as sentences. Ignores unexpected
 * ones.
 */
export function findGaps(
  description: string,
  visitedKeys: readonly string[],
  expectedKeys: ReadonlySet<string>,
): string[] {
  const uniqueKeys = new Set(visitedKeys);
  const missing = [...expectedKeys].filter((key) => !uniqueKeys.has(key));
  return [
    ...(visitedKeys.length > uniqueKeys.size
      ? [`${description}: ${visitedKeys.length - uniqueKeys.size} came twice`]
      : []),
    ...(missing.length > 0
      ? [`${description}: ${missing.length} were left out, such as ${missing[0] ?? ''}`]
      : []),
  ];
}
