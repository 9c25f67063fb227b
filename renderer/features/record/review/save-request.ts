/**
 * The step before every save: changes, save preview and request. RecordPanel and the record's requests use
 * it.
 * Invariant: the request on the screen is the request that is sent.
 */
import { fhirPath, pathOf } from '../../../../core/api/contract.ts';
import { provenanceHeader, provenanceOf } from '../../../../core/api/provenance.ts';
import type { ConnectionSettings } from '../../../../core/app/connections.ts';
import { patchFromEdit, type EditPatch, type NoPatch } from '../../../../core/fhir/patch-from-edit.ts';
import { isNewRecord } from '../../../../core/fhir/new-record.ts';
import { text as words } from '../../../ui/text.ts';
import { isUnsaved, type RecordState } from '../record-state.ts';
import { inspect } from '../../../platform/read-json.ts';
import { ifMatchFor } from '../../../platform/record-version.ts';

/** A save request that is ready to send. */
export interface SaveRequest {
  readonly method: 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** Returns the replace operations of the edit, or the reason why there are none. */
export function patchOf({ base, text }: RecordState): EditPatch | NoPatch {
  const inspected = inspect(text);
  if (!base || !inspected.valid) return { reason: 'nothing', pointers: [] };
  return patchFromEdit(base.root, inspected.root);
}

/**
 * Returns the edit for the patch composer: its operations, nothing if the text is unedited, or the reason why
 * operations can't express it. The reason is undefined for text that is not JSON.
 */
export function composable(
  state: RecordState,
): { readonly operations?: string } | { readonly refusal: string | undefined } {
  if (!isUnsaved(state)) return {};
  const edit = patchOf(state);
  if ('body' in edit) return { operations: edit.body };
  const { reason, pointers } = edit;
  return { refusal: reason === 'nothing' ? undefined : words.request.noPatch[reason](pointers) };
}

/**
 * Returns the request that saves this state: POST for a new record, PATCH if selected and possible, otherwise
 * PUT.
 */
export function requestOf(state: RecordState, person?: string): SaveRequest {
  const { type, id, base, text } = state;
  const provenanceHeaders = listProvenanceHeaders(state, person);
  if (isNewRecord(id))
    return {
      method: 'POST',
      path: pathOf(type),
      headers: [['Content-Type', 'application/json'], ...provenanceHeaders],
      body: text,
    };
  const patch = state.method === 'patch' ? patchOf(state) : undefined;
  const body = patch && 'body' in patch ? patch.body : undefined;
  const ifMatch = base && ifMatchFor(base);
  return {
    method: body === undefined ? 'PUT' : 'PATCH',
    path: pathOf(type, id),
    headers: [
      ['Content-Type', 'application/json'],
      ...(ifMatch === undefined ? [] : [['If-Match', ifMatch] as const]),
      ...provenanceHeaders,
    ],
    body: body ?? text,
  };
}

/** Returns the provenance header if a reason was entered. */
function listProvenanceHeaders({ reason }: RecordState, person: string | undefined): SaveRequest['headers'] {
  const reasonText = reason?.text.trim() ?? '';
  if (!reason || reasonText === '') return [];
  return [[provenanceHeader, provenanceOf(reasonText, new Date(reason.writtenAt), person)]];
}

/** Returns the request as another server receives it, with its address and patch media type. */
export function toRemoteRequest(
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
