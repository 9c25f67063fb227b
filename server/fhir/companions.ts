/** Keeps what an import brings beside the records, where nobody had it erased. */
import type { NamedResource } from '../../core/fhir/companion.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { CompanionFate, Doer, Erased, SharedStore } from '../store/store.ts';
import { nothingErased, otherSource } from './faults.ts';
import { doHere, type Run } from './jobs.ts';

export interface CompanionParts {
  readonly store: Pick<SharedStore, 'companions'>;
  readonly run?: Run;
  readonly erased?: Pick<Erased, 'has'>;
}

/** A resource of an import that is no record. */
export interface CompanionRequest extends Doer {
  readonly type: string;
  readonly text: string;
  /** The address under which it stood in its Bundle. */
  readonly fullUrl?: string | undefined;
  /** Says what would become of it, and stores nothing. */
  readonly dryRun?: boolean;
}

export interface KeptCompanion extends NamedResource {
  readonly result: Exclude<CompanionFate, 'refused'>;
}

/** Keeps companions. */
export function createCompanions({ store, run = doHere, erased = nothingErased }: CompanionParts) {
  return {
    /**
     * Keeps a resource beside the records, in the place of one of its type, id and source.
     *
     * @throws FhirError where it cannot be read or named; `exists` where another source’s has its type and id; `gone` where it, or whom it is about, was erased.
     */
    async keepCompanion({
      type,
      text,
      fullUrl,
      dryRun = false,
      ...doer
    }: CompanionRequest): Promise<KeptCompanion> {
      const companion = await run('companion', [type, text, fullUrl]);
      const { id, subjects } = companion;
      if (erased.has({ type, id })) throw new FhirError('gone', { text: `This ${type} was erased.` });
      if (subjects.some((one) => one.type !== undefined && erased.has({ type: one.type, id: one.id })))
        throw new FhirError('gone', { text: `Whom this ${type} is about was erased.` });
      const { companions } = store;
      const result = await (dryRun ? companions.fateOf(companion) : companions.keep(companion, doer));
      if (result === 'refused') throw otherSource({ type, id });
      return { result, type, id };
    },
  };
}
