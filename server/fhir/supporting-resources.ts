/** Stores supporting resources of an import unless they were erased. */
import type { NamedResource } from '../../core/fhir/supporting-resource.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { SupportingWriteResult, Actor, ErasedRecords, SharedStore, StoredLine } from '../store/store.ts';
import { noErasures } from './service-errors.ts';
import { doHere, type Run } from './drafts.ts';

const messages = defineMessages('companion', {
  erased: 'This {type} was erased.',
  subjectErased: 'The patient of this {type} was erased.',
});

export interface SupportingResourceDependencies {
  readonly store: Pick<SharedStore, 'supportingResources'>;
  readonly run?: Run;
  readonly erasures?: Pick<ErasedRecords, 'has'>;
}

/** A resource of an import that is no record. */
export interface SupportingResourceRequest extends Actor {
  readonly type: string;
  readonly text: string;
  /** Address of the resource in its Bundle. */
  readonly fullUrl?: string | undefined;
  /** Batch of the import. */
  readonly batch: string;
  /** Line of the batch about the resource. */
  readonly batchLine?: StoredLine | undefined;
  /** Returns the result without storing anything. */
  readonly dryRun?: boolean;
}

export interface ImportedSupportingResource extends NamedResource {
  readonly result: SupportingWriteResult;
  readonly source: string;
  readonly text: string;
}

/** Creates the service for supporting resources. */
export function createSupportingResources({
  store,
  run = doHere,
  erasures = noErasures,
}: SupportingResourceDependencies) {
  return {
    /**
     * Stores a supporting resource in place of one with the same source, type and id.
     *
     * @throws FhirError if it cannot be read or named; `gone` if it or its subject was erased.
     */
    async storeSupportingResource({
      type,
      text,
      fullUrl,
      batch,
      batchLine,
      dryRun = false,
      ...actor
    }: SupportingResourceRequest): Promise<ImportedSupportingResource> {
      const supportingResource = await run('companion', [type, text, fullUrl]);
      const { id, subjects, source = batch } = supportingResource;
      if (erasures.has({ type, id, source })) throw new FhirError('gone', messages.erased({ type }));
      if (
        subjects.some(
          (subject) =>
            subject.type !== undefined && erasures.has({ type: subject.type, id: subject.id, source }),
        )
      )
        throw new FhirError('gone', messages.subjectErased({ type }));
      const { supportingResources } = store;
      const result = await (dryRun
        ? supportingResources.previewWrite(supportingResource, batch)
        : supportingResources.store(supportingResource, batch, actor, batchLine));
      return { result, type, id, source, text: supportingResource.text };
    },
  };
}
