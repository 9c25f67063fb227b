import { createContext, use } from 'react';
import type { BulkSource } from '../../core/app/bulk.ts';
import type { NamedPatient } from '../../core/app/session.ts';
import type { ViewId } from '../../core/app/views.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';

export interface RecordName {
  readonly type: ResourceType;
  readonly id: string;
}

export interface RecordToOpen extends RecordName {
  /** Title of the tab until the record is read. */
  readonly title: string;
  /** JSON Pointer (RFC 6901) of the element to reveal. */
  readonly pointer?: string;
  /** Rule that is violated at the pointer. Its fix is applied to the text, unsaved. */
  readonly fix?: string;
}

interface CurrentRecord extends RecordName {
  readonly title: string;
  readonly text: string;
}

/** Identifies a rule that records of a type violate. */
export interface RuleToList {
  readonly type: ResourceType;
  readonly rule: string;
}

/** Import batch whose issues are listed. */
export interface BatchToList {
  readonly batch: string;
  /** Name of the batch for the person. */
  readonly batchName: string;
}

/** Actions of the workbench for features. */
export interface WorkbenchActions {
  /** Opens a record in a tab, or activates its tab. */
  readonly openRecord: (record: RecordToOpen) => void;
  /** Opens a new record with a text that is not stored yet. */
  readonly beginRecord: (type: ResourceType, json: string) => void;
  /** Fills and runs the Search view and activates it. Pairs are search parameters. */
  readonly search: (pairs: readonly (readonly [name: string, value: string])[], type: ResourceType) => void;
  /** Opens the page of all records of a subject, or activates it. */
  readonly openPatient: (patient: NamedPatient) => void;
  /** Opens the tab of a view, or activates it. */
  readonly openView: (id: ViewId) => void;
  /** Opens the worklist with the issues of a rule, or of the records of an import batch. */
  readonly worklistOf: (selection: RuleToList | BatchToList) => void;
  readonly auditOf: (record: RecordName) => void;
  readonly composePatch: (record: RecordName) => void;
  /** Opens the bulk sheet over the records of a search or of a worklist group. */
  readonly replaceInAll: (source: BulkSource) => void;
  /** Returns the records in open tabs with their current texts, the active one first. */
  readonly loadedRecords: () => readonly CurrentRecord[];
  /** Opens the bulk sheet on a saved run, or asks there whether to undo it. */
  readonly openBulkRun: (id: string, options?: { readonly undo: true }) => void;
}

const noActions: WorkbenchActions = {
  openRecord: () => undefined,
  beginRecord: () => undefined,
  search: () => undefined,
  openPatient: () => undefined,
  openView: () => undefined,
  worklistOf: () => undefined,
  auditOf: () => undefined,
  composePatch: () => undefined,
  replaceInAll: () => undefined,
  loadedRecords: () => [],
  openBulkRun: () => undefined,
};

export const WorkbenchActionsContext = createContext<WorkbenchActions>(noActions);

/** Returns the actions of the workbench around this feature. */
export function useWorkbenchActions(): WorkbenchActions {
  return use(WorkbenchActionsContext);
}
