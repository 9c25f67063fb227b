/**
 * features/search finds records: form, result grid, first start, recent and saved searches. The app shell mounts it
 * and opens searches. Invariant: only the submitted criteria decide which results appear.
 */
import { criteriaOf, emptyCriteria, queryOf, sameSearch, type Criteria } from './criteria.ts';
import { changedParameter, newParameter, type Parameter } from './parameter-fields.ts';

export interface SearchState {
  readonly form: Criteria;
  readonly submittedCriteria?: Criteria;
  /** Searches before the visible search, latest last. */
  readonly past: readonly Criteria[];
  /** Searches after the visible search, next first. */
  readonly future: readonly Criteria[];
}

export type SearchAction =
  | { readonly type: 'changed'; readonly form: Partial<Criteria> }
  | { readonly type: 'parameterAdded'; readonly name: string }
  | { readonly type: 'parameterChanged'; readonly index: number; readonly change: Partial<Parameter> }
  | { readonly type: 'parameterRemoved'; readonly index: number }
  | { readonly type: 'submitted'; readonly criteria: Criteria }
  | { readonly type: 'stepped'; readonly delta: -1 | 1 };

const maxSteps = 50;

export const initialSearch: SearchState = { form: emptyCriteria, past: [], future: [] };

/** Returns the next state of the search. */
export function searchReducer(state: SearchState, action: SearchAction): SearchState {
  const { form } = state;
  const withForm = (change: Partial<Criteria>): SearchState => ({
    ...state,
    form: { ...form, ...change },
  });
  switch (action.type) {
    case 'changed':
      return withForm(action.form);
    case 'parameterAdded':
      return withForm({ parameters: [...form.parameters, newParameter(form.type, action.name)] });
    case 'parameterChanged':
      return withForm({
        parameters: form.parameters.map((parameter, index) =>
          index === action.index ? changedParameter(form.type, parameter, action.change) : parameter,
        ),
      });
    case 'parameterRemoved':
      return withForm({ parameters: form.parameters.filter((_, index) => index !== action.index) });
    case 'submitted':
      return submit(state, action.criteria);
    case 'stepped':
      return moveBy(state, action.delta);
  }
}

function submit(state: SearchState, formCriteria: Criteria): SearchState {
  const criteria = criteriaOf(queryOf(formCriteria));
  const { submittedCriteria: previousCriteria, past } = state;
  // The form keeps the typed text, without white space around pasted IDs.
  const { patient, encounter, exactPatient, exactEncounter } = formCriteria;
  const typedCriteria = {
    patient: patient.trim(),
    encounter: encounter.trim(),
    exactPatient,
    exactEncounter,
  };
  const form = { ...criteria, ...typedCriteria };
  if (previousCriteria && sameSearch(previousCriteria, criteria)) return { ...state, form };
  return {
    form,
    submittedCriteria: criteria,
    past: previousCriteria ? [...past, previousCriteria].slice(-maxSteps) : past,
    future: [],
  };
}

/** Moves to the previous or next search. */
function moveBy(state: SearchState, delta: -1 | 1): SearchState {
  const { past, submittedCriteria: currentCriteria, future } = state;
  const searches = [...past, ...(currentCriteria ? [currentCriteria] : []), ...future];
  const index = past.length + delta;
  const target = searches[index];
  if (!target) return state;
  return {
    form: target,
    submittedCriteria: target,
    past: searches.slice(0, index),
    future: searches.slice(index + 1),
  };
}
