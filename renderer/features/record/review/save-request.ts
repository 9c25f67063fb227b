/**
 * features/record/review is the step before every save: what changes, the verdict, and the request as it will be sent.
 * RecordPanel and the record's requests use it. Invariant: what is shown is what is sent.
 */
import { fhirPath, pathOf } from '../../../../core/api/contract.ts';
import { provenanceHeader, provenanceOf } from '../../../../core/api/provenance.ts';
import type { ConnectionSettings } from '../../../../core/app/connections.ts';
import { patchFromEdit, type EditPatch, type NoPatch } from '../../../../core/fhir/patch-from-edit.ts';
import { isUnstored } from '../../../../core/fhir/new-record.ts';
import { text as words } from '../../../ui/text.ts';
import { isUnsaved, type RecordState } from '../record-state.ts';
import { inspect } from '../../../platform/read-json.ts';
import { ifMatchFor } from '../../../platform/record-version.ts';

/** A save, ready to be sent. */
export interface SaveRequest {
  readonly method: 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** The replace operations that say the edit, or why there are none. */
export function patchOf({ base, text }: RecordState): EditPatch | NoPatch {
  const read = inspect(text);
  if (!base || !read.valid) return { reason: 'nothing', pointers: [] };
  return patchFromEdit(base.root, read.root);
}

/**
 * An edit as the patch composer takes it: its operations, none where nothing is edited, or why they cannot say it; that is
 * undefined where there is nothing to be said, as of a text that is no JSON.
 */
export function composable(
  state: RecordState,
): { readonly operations?: string } | { readonly refusal: string | undefined } {
  if (!isUnsaved(state)) return {};
  const edit = patchOf(state);
  if ('body' in edit) return { operations: edit.body };
  const { reason, pointers } = edit;
  return { refusal: reason === 'nothing' ? undefined : words.request.noPatch[reason](pointers.join(', ')) };
}

/**
 * What a save of this state sends: POST of a record that is not stored yet, PATCH where the steward wants it and it can
 * say the edit, else PUT.
 */
export function requestOf(state: RecordState, person?: string): SaveRequest {
  const { type, id, base, text } = state;
  const why = reasonOf(state, person);
  if (isUnstored(id))
    return {
      method: 'POST',
      path: pathOf(type),
      headers: [['Content-Type', 'application/json'], ...why],
      body: text,
    };
  const patch = state.method === 'patch' ? patchOf(state) : undefined;
  const body = patch && 'body' in patch ? patch.body : undefined;
  const match = base && ifMatchFor(base);
  return {
    method: body === undefined ? 'PUT' : 'PATCH',
    path: pathOf(type, id),
    headers: [
      ['Content-Type', 'application/json'],
      ...(match === undefined ? [] : [['If-Match', match] as const]),
      ...why,
    ],
    body: body ?? text,
  };
}

/** The header that says why, where a reason was written. */
function reasonOf({ reason }: RecordState, person: string | undefined): SaveRequest['headers'] {
  const words = reason?.text.trim() ?? '';
  if (!reason || words === '') return [];
  return [[provenanceHeader, provenanceOf(words, new Date(reason.at), person)]];
}

/** The same request as it reaches another server, whose address and media type of patches are its own. */
export function sentTo(
  { baseUrl, patchType }: Pick<ConnectionSettings, 'baseUrl' | 'patchType'>,
  request: SaveRequest,
): SaveRequest {
  const { method, path, headers } = request;
  return {
    ...request,
    path: baseUrl + path.slice(fhirPath.length),
    headers: headers.map(([name, value]) => [
      name,
      name === 'Content-Type' && method === 'PATCH' ? patchType : value,
    ]),
  };
}
