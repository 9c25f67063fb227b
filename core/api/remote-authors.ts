import type { Authorship } from '../app/authorship.ts';
import { items, member, stringMember, type JsonNode } from '../json/node.ts';

/** What a server says of the writing of one version, or of what was written at one instant. */
interface Told extends Authorship {
  /** The version id, where the Provenance names the version. */
  readonly versionId?: string;
  /** Milliseconds at which it was recorded. */
  readonly recorded: number;
}

/**
 * Who wrote the versions of a record and why, by the Provenances in a Bundle (FHIR R4 provenance.html): one that names the
 * version, else one that was recorded at the version's own instant. Nothing is guessed: undefined where none says it.
 */
export function authorsIn(
  bundle: JsonNode,
  { type, id }: { readonly type: string; readonly id: string },
): (version: { readonly versionId: string; readonly lastUpdated: string }) => Authorship | undefined {
  const told = items(member(bundle, 'entry')).flatMap((entry) => {
    const resource = member(entry, 'resource');
    if (!resource || stringMember(resource, 'resourceType') !== 'Provenance') return [];
    return items(member(resource, 'target')).flatMap((target) => toldOf(resource, target, `${type}/${id}`));
  });
  return ({ versionId, lastUpdated }) => {
    const found =
      told.find((one) => one.versionId === versionId) ??
      told.find((one) => one.versionId === undefined && one.recorded === Date.parse(lastUpdated));
    return found && { author: found.author, ...(found.reason !== undefined && { reason: found.reason }) };
  };
}

function toldOf(provenance: JsonNode, target: JsonNode, record: string): readonly Told[] {
  const reference = stringMember(target, 'reference') ?? '';
  // Relative, or below whatever address the server has for itself.
  const [, found, versionId] =
    /(?:^|\/)([A-Za-z]+\/[A-Za-z0-9.-]+)(?:\/_history\/([^/]+))?$/.exec(reference) ?? [];
  const author = authorOf(items(member(provenance, 'agent')));
  if (found !== record || author === undefined) return [];
  const reason = reasonOf(items(member(provenance, 'reason')));
  return [
    {
      author,
      recorded: Date.parse(stringMember(provenance, 'recorded') ?? ''),
      ...(versionId !== undefined && { versionId }),
      ...(reason !== '' && { reason }),
    },
  ];
}

/** The agent who is the author, else the first that is named. */
function authorOf(agents: readonly JsonNode[]): string | undefined {
  const named = agents.flatMap((agent) => {
    const who = member(agent, 'who');
    const name = stringMember(who, 'display') ?? stringMember(who, 'reference');
    if (name === undefined) return [];
    const codes = items(member(member(agent, 'type'), 'coding')).map((coding) =>
      stringMember(coding, 'code'),
    );
    return [{ name, isAuthor: codes.includes('author') }];
  });
  return (named.find(({ isAuthor }) => isAuthor) ?? named[0])?.name;
}

function reasonOf(reasons: readonly JsonNode[]): string {
  const words = reasons.map(
    (reason) =>
      stringMember(reason, 'text') ??
      items(member(reason, 'coding'))
        .map((coding) => stringMember(coding, 'display') ?? stringMember(coding, 'code') ?? '')
        .join(', '),
  );
  return words.filter((one) => one !== '').join('; ');
}
