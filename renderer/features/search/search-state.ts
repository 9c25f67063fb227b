/**
 * features/search finds records: the form, the result grid, the first start and the searches of this session.
 * The app shell mounts it and tells it what to open with. Invariant: only what was submitted decides what is shown.
 */
import type { ResourceType } from '../../../core/fhir/resource.ts';

/** What a search asks for; empty text asks nothing. */
export interface Criteria {
  readonly type: ResourceType;
  readonly patient: string;
  readonly encounter: string;
}

export interface SearchState {
  readonly form: Criteria;
  readonly submitted?: Criteria;
  /** The form was sent without the patient that this type needs. */
  readonly patientMissing: boolean;
  /** Searches of this session, newest first. */
  readonly recent: readonly Criteria[];
}

export type SearchAction =
  | { readonly type: 'changed'; readonly form: Partial<Criteria> }
  | { readonly type: 'submitted'; readonly criteria: Criteria };

const mostRecent = 10;

export const initialSearch: SearchState = {
  form: { type: 'CarePlan', patient: '', encounter: '' },
  patientMissing: false,
  recent: [],
};

/** The next state of the search; pure. */
export function searchReducer(state: SearchState, action: SearchAction): SearchState {
  switch (action.type) {
    case 'changed':
      return { ...state, form: { ...state.form, ...action.form }, patientMissing: false };
    case 'submitted': {
      const criteria = trimmed(action.criteria);
      if (needsPatient(criteria)) return { ...state, form: action.criteria, patientMissing: true };
      const others = state.recent.filter((one) => keyOf(one) !== keyOf(criteria));
      return {
        form: criteria,
        submitted: criteria,
        patientMissing: false,
        recent: [criteria, ...others].slice(0, mostRecent),
      };
    }
  }
}

/** Criteria without the white space that a pasted id brings along. */
export function trimmed({ type, patient, encounter }: Criteria): Criteria {
  return { type, patient: patient.trim(), encounter: encounter.trim() };
}

/** Whether the service would refuse this search: CarePlans are searched by patient. */
export function needsPatient({ type, patient }: Criteria): boolean {
  return type === 'CarePlan' && patient.trim() === '';
}

/** Identifies a search among the recent ones. */
export function keyOf({ type, patient, encounter }: Criteria): string {
  return JSON.stringify([type, patient, encounter]);
}

/** The query of a search, as name and value pairs. */
export function queryOf({ patient, encounter }: Criteria, pageSize: number): [string, string][] {
  return [
    ['subject', patient],
    ['encounter', encounter],
    ['_count', String(pageSize)],
  ];
}
