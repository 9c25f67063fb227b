/**
 * Lists the content of a database through the program's own readers. Equal lists before and after a migration prove that no
 * data was lost. The fixtures in server/store/sqlite/fixtures have such lists.
 */
import { createHash } from 'node:crypto';
import { authorshipIn } from '../../core/app/authorship.ts';
import { emptySession } from '../../core/app/session.ts';
import { resourceTypes } from '../../core/fhir/resource.ts';
import { localServer } from '../workspace/server-key.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { OrDamaged, RecordStore, StoredVersion } from '../store/store.ts';

/** Returns every version with the SHA-256 of its text, and the issues of the current versions. */
export async function recordsIn(store: RecordStore): Promise<unknown> {
  const pages = resourceTypes.map(async (type) => {
    const versions = [...(await store.history(type, {}, 10_000)).versions];
    const ids = [...new Set(versions.map(({ id }) => id))];
    const current = ids.map(async (id) => {
      const record = await store.read(type, id);
      return {
        id,
        version: record?.version,
        sha256: record && sumOf(record),
        issues: (await store.readForUpdate(type, id))?.issues,
      };
    });
    return {
      type,
      versions: versions.map((row) => {
        const { id, version, lastUpdated, operation } = row;
        return { id, version, lastUpdated, operation, ...authorshipIn(row), sha256: sumOf(row) };
      }),
      current: await Promise.all(current),
    };
  });
  return Promise.all(pages);
}

/** @throws FhirError if the text is damaged. */
function sumOf(version: OrDamaged<StoredVersion>): string {
  if ('fault' in version) throw version.fault;
  return createHash('sha256').update(version.text).digest('hex');
}

/** Returns all content of a workspace. */
export async function workIn(workspace: Workspace): Promise<unknown> {
  const drafts = await workspace.drafts.list(localServer);
  const runs = await workspace.bulk.list(localServer);
  return {
    preferences: await workspace.preferences(),
    session: (await workspace.session(localServer)) ?? emptySession,
    tokens: await workspace.tokens.list(),
    drafts: await Promise.all(drafts.map(({ id }) => workspace.drafts.read(localServer, id))),
    recents: await workspace.searches.recents(localServer),
    searches: await workspace.searches.saved(localServer),
    people: workspace.people.list(),
    bulk: await Promise.all(
      runs.map(async (run) => ({ ...run, ...(await workspace.bulk.targets(run.id, -1)) })),
    ),
    connections: await workspace.connections.list(),
    activity: await workspace.activity.list({}, { count: 100 }),
  };
}
