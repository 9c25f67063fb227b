/**
 * Undoes an import batch as one run. Records that are new with the batch are removed, others go back to the version before,
 * each with its audit entry. Records that changed since stay. Supporting resources follow unless something else refers to them.
 *
 * A run that was interrupted is continued by the next one: what is undone already counts no more.
 */
import { setImmediate } from 'node:timers/promises';
import { etagOf } from '../../core/api/precondition.ts';
import { maxNamedRecords, type UndoResult } from '../../core/app/batches.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { parseReference } from '../../core/fhir/reference.ts';
import { authorshipIn } from '../../core/app/authorship.ts';
import { items, type JsonNode } from '../../core/json/node.ts';
import { scan } from '../../core/json/scan.ts';
import type { NamedResource } from '../../core/fhir/supporting-resource.ts';
import type { ChangedVersion } from '../fhir/changes.ts';
import type { RecordService } from '../fhir/service.ts';
import { toAuthorship } from '../store/actor.ts';
import type { FoundReference, WrittenResource, WrittenVersion } from '../store/import-batches.ts';
import type { Actor, SharedStore } from '../store/store.ts';

export interface UndoDependencies {
  readonly store: Pick<SharedStore, 'batches' | 'read' | 'remove' | 'startBulk' | 'supportingResources'>;
  readonly service: Pick<RecordService, 'revert'>;
  readonly clock: () => number;
  /** Address of this server's records. */
  readonly base: () => string;
  /** Called after records were removed. */
  readonly onRemoved: (records: readonly ChangedVersion[]) => Promise<void>;
}

export interface UndoOptions {
  readonly batch: string;
  readonly dryRun: boolean;
  readonly reason?: string | undefined;
  readonly actor: Actor;
}

/** Records and resources that are undone together. Other requests run in between. */
const portion = 40;

/** References to a resource that are resolved. With more, it counts as referred to. */
const maxReferences = 50;

/** Undoes a batch, or returns what an undo would do. */
export async function undoBatch(dependencies: UndoDependencies, options: UndoOptions): Promise<UndoResult> {
  const endBulk = dependencies.store.startBulk();
  try {
    const run = new Undo(dependencies, options);
    await run.undoRecords();
    await run.undoResources();
    const { actor, batch, reason, dryRun } = options;
    const { who, person } = actor;
    if (!dryRun)
      await dependencies.store.batches.setUndone(batch, { now: dependencies.clock(), who, person, reason });
    return run.result;
  } finally {
    endBulk();
  }
}

class Undo {
  private readonly counts = {
    removed: 0,
    restored: 0,
    changed: 0,
    resourcesRemoved: 0,
    resourcesRestored: 0,
    resourcesKept: 0,
  };
  private readonly changedRecords: { type: string; id: string; version: number }[] = [];
  /** Keys of supporting resources to which records of the batch that stay refer. */
  private readonly referencedKeys = new Set<string>();
  private readonly dependencies: UndoDependencies;
  private readonly options: UndoOptions;

  constructor(dependencies: UndoDependencies, options: UndoOptions) {
    this.dependencies = dependencies;
    this.options = options;
  }

  get result(): UndoResult {
    return { ...this.counts, changedRecords: this.changedRecords };
  }

  async undoRecords(): Promise<void> {
    const { batches } = this.dependencies.store;
    for (let after = 0; ;) {
      const versions = await batches.listVersions(this.options.batch, after, portion);
      const lastVersion = versions.at(-1);
      if (!lastVersion) return;
      after = lastVersion.position;
      await this.undoVersions(versions);
      await setImmediate();
    }
  }

  private async undoVersions(versions: readonly WrittenVersion[]): Promise<void> {
    const { dryRun } = this.options;
    const presentVersions = versions.filter(({ current }) => current !== undefined);
    const unchanged = presentVersions.filter(({ version, current }) => version === current);
    const newVersions = unchanged.filter(({ previous }) => previous === undefined);
    const removed = dryRun ? newVersions : await this.remove(newVersions);
    this.counts.removed += removed.length;
    const undone = new Set(removed);
    for (const version of unchanged) {
      if (version.previous === undefined || !(dryRun || (await this.putBack(version, version.previous))))
        continue;
      this.counts.restored += 1;
      undone.add(version);
    }
    for (const version of presentVersions) if (!undone.has(version)) await this.keepChanged(version);
  }

  /** Removes records. Returns those that nobody has changed in the meantime. */
  private async remove(versions: readonly WrittenVersion[]): Promise<readonly WrittenVersion[]> {
    const { store, clock, onRemoved } = this.dependencies;
    const { actor, reason } = this.options;
    if (versions.length === 0) return [];
    const now = clock();
    const removals = versions.map(({ type, id, version }) => ({ ...actor, type, id, version, reason, now }));
    const results = await store.remove(removals);
    const removed = versions.filter((_, index) => results[index]);
    const { who: author, person } = actor;
    const change = { lastUpdated: new Date(now).toISOString(), ...authorshipIn({ author, person }) };
    if (removed.length > 0)
      await onRemoved(removed.map(({ type, id, version }) => ({ type, id, version, ...change })));
    return removed;
  }

  /** Stores the version before again. Returns false if somebody has changed the record in the meantime. */
  private async putBack({ type, id, version }: WrittenVersion, previous: number): Promise<boolean> {
    const { actor, reason } = this.options;
    const authorship = { ...toAuthorship(actor), ...(reason !== undefined && { reason }) };
    try {
      await this.dependencies.service.revert({
        ...authorship,
        type,
        id,
        version: previous,
        ifMatch: etagOf(version),
      });
      return true;
    } catch (error) {
      if (error instanceof FhirError && ['stale', 'gone', 'not-found'].includes(error.kind)) return false;
      throw error;
    }
  }

  private async keepChanged({ type, id }: WrittenVersion): Promise<void> {
    const { store, base } = this.dependencies;
    const record = await store.read(type, id);
    if (!record) return;
    this.counts.changed += 1;
    if (this.changedRecords.length < maxNamedRecords)
      this.changedRecords.push({ type, id, version: record.version });
    if (!('text' in record)) return;
    const context = { ownAddress: base(), record: { type, id } };
    for (const reference of listReferences(scan(record.text).root)) {
      const resource = await store.supportingResources.resolve(reference, context).catch(() => undefined);
      if (typeof resource === 'object') this.referencedKeys.add(keyOf(resource));
    }
  }

  async undoResources(): Promise<void> {
    const { batch, dryRun, actor } = this.options;
    const { batches, supportingResources } = this.dependencies.store;
    const resources: WrittenResource[] = [];
    for (let before = Number.MAX_SAFE_INTEGER; ;) {
      const page = await batches.listResources(batch, before, portion);
      const lastResource = page.at(-1);
      if (!lastResource) break;
      before = lastResource.position;
      // Texts are read again if they are needed.
      resources.push(
        ...page.map(({ text, ...resource }) => (text === undefined ? resource : { ...resource, text: '' })),
      );
    }
    const kept = await this.findKept(resources.filter(({ text }) => text !== undefined));
    this.counts.resourcesKept = kept.size;
    const undone = resources.filter((resource) => !kept.has(keyOf(resource)));
    for (const { hasFormer, text } of undone) {
      if (text === undefined) continue;
      this.counts[hasFormer ? 'resourcesRestored' : 'resourcesRemoved'] += 1;
    }
    if (dryRun) return;
    for (let start = 0; start < undone.length; start += portion) {
      await supportingResources.undo(batch, undone.slice(start, start + portion), actor);
      await setImmediate();
    }
  }

  /** Returns the keys of resources that stay, because something that stays refers to them. */
  private async findKept(resources: readonly WrittenResource[]): Promise<ReadonlySet<string>> {
    const byName = Map.groupBy(resources, nameOf);
    const byAddress = Map.groupBy(resources, ({ fullUrl = '' }) => fullUrl);
    const kept = new Set<string>();
    const pending: WrittenResource[] = [];
    const keep = (resource: WrittenResource) => {
      if (kept.has(keyOf(resource))) return;
      kept.add(keyOf(resource));
      pending.push(resource);
    };
    for (const resource of resources) {
      // A former text suits records of other batches, which referred to it before.
      const isReferenced =
        this.referencedKeys.has(keyOf(resource)) ||
        (!resource.hasFormer && (await this.isReferredTo(resource)));
      if (isReferenced) keep(resource);
    }
    // Resources that stay may refer to others of the batch.
    for (let resource = pending.pop(); resource; resource = pending.pop()) {
      const stored = await this.dependencies.store.supportingResources.read(resource).catch(() => undefined);
      if (typeof stored !== 'object') continue;
      for (const reference of listReferences(scan(stored.text).root)) {
        const { type = '', id = '', base } = parseReference(reference) ?? {};
        const targets = base === undefined ? byName.get(nameOf({ type, id })) : byAddress.get(reference);
        for (const target of targets ?? []) keep(target);
      }
    }
    return kept;
  }

  private async isReferredTo(resource: WrittenResource): Promise<boolean> {
    const { batches } = this.dependencies.store;
    const { type, id, fullUrl } = resource;
    const ids = [...new Set([id, parseReference(fullUrl ?? '')?.id ?? id])];
    const references = await batches.listReferences(this.options.batch, { type, ids }, maxReferences);
    if (references.length >= maxReferences) return true;
    for (const reference of references) if (await this.leadsTo(reference, resource)) return true;
    return false;
  }

  /** Returns true if a reference leads to a resource, or to one that nobody can tell from it. */
  private async leadsTo(
    { from, reference, source }: FoundReference,
    resource: WrittenResource,
  ): Promise<boolean> {
    const { store, base } = this.dependencies;
    const { supportingResources } = store;
    if (source !== undefined) {
      const { type, id } = resource;
      if (source === resource.source) return true;
      return (await supportingResources.read({ type, id, source }).catch(() => 'ambiguous')) === undefined;
    }
    const context = { ownAddress: base(), record: from };
    const target = await supportingResources.resolve(reference, context).catch(() => 'ambiguous' as const);
    return target === 'ambiguous' || (target !== undefined && keyOf(target) === keyOf(resource));
  }
}

function nameOf({ type, id }: NamedResource): string {
  return `${type}/${id}`;
}

function keyOf({ type, id, source }: NamedResource & { readonly source: string }): string {
  return JSON.stringify([source, type, id]);
}

/** Returns the literal references of a resource. */
function listReferences(root: JsonNode): string[] {
  const references: string[] = [];
  const visit = (node: JsonNode): void => {
    if (node.kind === 'array') items(node).forEach(visit);
    if (node.kind !== 'object') return;
    for (const { key, value } of node.members) {
      if (key === 'reference' && value.kind === 'string') references.push(value.value);
      else visit(value);
    }
  };
  visit(root);
  return references;
}
