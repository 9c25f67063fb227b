import { isResourceType, type ResourceType } from '../../../core/fhir/resource.ts';
import type { Failure } from '../../ui/failure.ts';

export interface ExportForm {
  /** Empty for both types. */
  readonly type: ResourceType | '';
  /** Search parameters as in an address, joined with `&`. */
  readonly criteria: string;
}

export type ExportPhase =
  | { readonly name: 'idle' }
  | { readonly name: 'running' }
  | { readonly name: 'done'; readonly file: string }
  | { readonly name: 'none' }
  | { readonly name: 'stopped' }
  | { readonly name: 'failed'; readonly failure: Failure };

export interface ExportState {
  readonly form: ExportForm;
  readonly phase: ExportPhase;
  readonly records: number;
  readonly bytes: number;
}

export type ExportAction =
  | { readonly type: 'changed'; readonly form: Partial<ExportForm> }
  | { readonly type: 'started' }
  | { readonly type: 'progressed'; readonly records: number; readonly bytes: number }
  | { readonly type: 'ended'; readonly phase: ExportPhase };

export const initialExport: ExportState = {
  form: { type: '', criteria: '' },
  phase: { name: 'idle' },
  records: 0,
  bytes: 0,
};

/** The next state of the export; pure. While it runs, the form stays. */
export function exportReducer(state: ExportState, action: ExportAction): ExportState {
  const running = state.phase.name === 'running';
  switch (action.type) {
    case 'changed':
      return running ? state : { ...initialExport, form: { ...state.form, ...action.form } };
    case 'started':
      return { ...initialExport, form: state.form, phase: { name: 'running' } };
    case 'progressed':
      return running ? { ...state, records: action.records, bytes: action.bytes } : state;
    case 'ended':
      return running ? { ...state, phase: action.phase } : state;
  }
}

/** The query of the export; a `?` or an address' path before the criteria is taken off, a type in it wins. */
export function exportQuery({ type, criteria }: ExportForm): string {
  const typed = criteria.trim();
  const mark = typed.indexOf('?');
  const query = typed.slice(mark + 1);
  const named = typed.slice(0, Math.max(0, mark)).split('/').at(-1) ?? '';
  const wanted = isResourceType(named) ? named : type;
  return [...(wanted === '' ? [] : [`type=${wanted}`]), ...(query === '' ? [] : [query])].join('&');
}
