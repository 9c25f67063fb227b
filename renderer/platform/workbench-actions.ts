import { createContext, use } from 'react';
import type { BulkSource } from '../../core/app/bulk.ts';
import type { NamedPatient } from '../../core/app/session.ts';
import type { ViewId } from '../../core/app/views.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';

/** Names a record. */
export interface RecordName {
  readonly type: ResourceType;
  readonly id: string;
}

/** What opens a record. */
export interface RecordToOpen extends RecordName {
  /** What the tab is called until the record is read. */
  readonly title: string;
  /** JSON Pointer (RFC 6901) of the element to reveal. */
  readonly pointer?: string;
  /** A rule that is broken at the pointer: what mends it is put into the text, unsaved. */
  readonly fix?: string;
}

/** A record that is open in a tab. */
interface RecordInHand extends RecordName {
  readonly title: string;
  readonly text: string;
}

/** Names a rule that records of a type break. */
export interface RuleToList {
  readonly type: ResourceType;
  readonly rule: string;
}

/** What a feature can ask of the frame around it. */
export interface WorkbenchActions {
  /** Opens a record in a tab, or brings its tab to the front. */
  readonly openRecord: (record: RecordToOpen) => void;
  /** Begins a record with text that no server holds yet. */
  readonly beginRecord: (type: ResourceType, json: string) => void;
  /** Fills and runs the Search view, and brings it to the front; pairs are search parameters. */
  readonly search: (pairs: readonly (readonly [name: string, value: string])[], type: ResourceType) => void;
  /** Opens the page of all records of a subject, or brings it to the front. */
  readonly openPatient: (patient: NamedPatient) => void;
  /** Opens a view's tab, or brings it to the front. */
  readonly openView: (id: ViewId) => void;
  /** Lists the findings of a rule in the worklist. */
  readonly worklistOf: (rule: RuleToList) => void;
  /** Shows what the audit trail tells of a record. */
  readonly auditOf: (record: RecordName) => void;
  /** Opens the patch composer over a record. */
  readonly composePatch: (record: RecordName) => void;
  /** Opens the bulk sheet over the records of a search or of a worklist group. */
  readonly replaceInAll: (source: BulkSource) => void;
  /** The records that are open in tabs, as they stand there now; the one in front first. */
  readonly recordsInHand: () => readonly RecordInHand[];
  /** Opens the bulk sheet on a kept run, or asks there whether it is to be undone. */
  readonly openBulkRun: (id: string, how?: { readonly undo: true }) => void;
}

const none: WorkbenchActions = {
  openRecord: () => undefined,
  beginRecord: () => undefined,
  search: () => undefined,
  openPatient: () => undefined,
  openView: () => undefined,
  worklistOf: () => undefined,
  auditOf: () => undefined,
  composePatch: () => undefined,
  replaceInAll: () => undefined,
  recordsInHand: () => [],
  openBulkRun: () => undefined,
};

export const WorkbenchActionsContext = createContext<WorkbenchActions>(none);

/** What can be asked of the workbench that this feature is mounted in. */
export function useWorkbenchActions(): WorkbenchActions {
  return use(WorkbenchActionsContext);
}
