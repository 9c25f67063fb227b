/**
 * Drafts: what was typed and is not saved, kept in the workspace database (`/app/drafts`). A draft belongs to one tab
 * of one window, so that two windows on one record keep two, and is never a version.
 */
import { isResourceType, type ResourceType } from '../fhir/resource.ts';

/** What the list of drafts tells of one. */
export interface DraftSummary {
  readonly id: string;
  readonly type: ResourceType;
  readonly recordId: string;
  /** What the record was called when the draft was saved. */
  readonly title: string;
  /** Version that the text was made on; absent where the server named none. */
  readonly baseVersion?: number;
  /** ETag of that version as the server gave it; absent where it gives none. */
  readonly baseEtag?: string;
  /** The window that writes it; another one has to claim it first. */
  readonly window: string;
  /** Instant of the last save. */
  readonly saved: string;
}

/** `GET /app/drafts/{id}`: the draft with its texts, character by character as they were. */
export interface Draft extends DraftSummary {
  readonly text: string;
  /** Text of the version that the draft was made on. */
  readonly base: string;
}

/** `PUT /app/drafts/{id}`: `base` may be left out while the base version stays the one that was sent before. */
export interface DraftSave {
  readonly type: ResourceType;
  readonly recordId: string;
  readonly title: string;
  readonly baseVersion?: number;
  readonly baseEtag?: string;
  readonly window: string;
  readonly text: string;
  readonly base?: string;
}

/** `POST /app/drafts/{id}/claim`: the window that goes on with the draft. */
export interface DraftClaim {
  readonly window: string;
}

/** Longest id of a draft or a window. */
const longestId = 64;

/** What the gateway hands on of an ETag. */
const longestEtag = 500;

export function isDraftId(value: unknown): value is string {
  return typeof value === 'string' && value.length <= longestId && /^[A-Za-z0-9-]+$/.test(value);
}

export function isDraftClaim(value: unknown): value is DraftClaim {
  return isObject(value) && isDraftId(value.window);
}

export function isDraftSave(value: unknown): value is DraftSave {
  return (
    isObject(value) &&
    isAbout(value) &&
    isDraftId(value.window) &&
    typeof value.text === 'string' &&
    (value.base === undefined || typeof value.base === 'string')
  );
}

function isDraftSummary(value: unknown): value is DraftSummary {
  return (
    isObject(value) &&
    isAbout(value) &&
    isDraftId(value.id) &&
    isDraftId(value.window) &&
    typeof value.saved === 'string'
  );
}

export function isDraftList(value: unknown): value is readonly DraftSummary[] {
  return Array.isArray(value) && value.every(isDraftSummary);
}

export function isDraft(value: unknown): value is Draft {
  return (
    isDraftSummary(value) &&
    'text' in value &&
    typeof value.text === 'string' &&
    'base' in value &&
    typeof value.base === 'string'
  );
}

function isAbout(value: Readonly<Record<string, unknown>>): boolean {
  const { type, recordId, title, baseVersion, baseEtag } = value;
  return (
    typeof type === 'string' &&
    isResourceType(type) &&
    typeof recordId === 'string' &&
    typeof title === 'string' &&
    (baseVersion === undefined || (typeof baseVersion === 'number' && Number.isInteger(baseVersion))) &&
    (baseEtag === undefined || (typeof baseEtag === 'string' && baseEtag.length <= longestEtag))
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
