/**
 * features/search finds records: the form, the result grid, the first start, recent and saved searches. The app shell
 * mounts it and tells it what to open with. Invariant: only what was submitted decides what is shown.
 */
import { criteriaOf, emptyCriteria, queryOf, sameSearch, type Criteria } from './criteria.ts';
import { changedParameter, newParameter, type Parameter } from './parameter-fields.ts';

export interface SearchState {
  readonly form: Criteria;
  readonly submitted?: Criteria;
  /** Searches before the shown one, the latest last. */
  readonly past: readonly Criteria[];
  /** Searches that were stepped back from, the next first. */
  readonly future: readonly Criteria[];
}

export type SearchAction =
  | { readonly type: 'changed'; readonly form: Partial<Criteria> }
  | { readonly type: 'parameterAdded'; readonly name: string }
  | { readonly type: 'parameterChanged'; readonly index: number; readonly change: Partial<Parameter> }
  | { readonly type: 'parameterRemoved'; readonly index: number }
  | { readonly type: 'submitted'; readonly criteria: Criteria }
  | { readonly type: 'stepped'; readonly by: -1 | 1 };

const mostSteps = 50;

export const initialSearch: SearchState = { form: emptyCriteria, past: [], future: [] };

/** The next state of the search; pure. */
export function searchReducer(state: SearchState, action: SearchAction): SearchState {
  const { form } = state;
  const changed = (change: Partial<Criteria>): SearchState => ({
    ...state,
    form: { ...form, ...change },
  });
  switch (action.type) {
    case 'changed':
      return changed(action.form);
    case 'parameterAdded':
      return changed({ more: [...form.more, newParameter(form.type, action.name)] });
    case 'parameterChanged':
      return changed({
        more: form.more.map((one, index) =>
          index === action.index ? changedParameter(form.type, one, action.change) : one,
        ),
      });
    case 'parameterRemoved':
      return changed({ more: form.more.filter((_, index) => index !== action.index) });
    case 'submitted':
      return submit(state, action.criteria);
    case 'stepped':
      return stepped(state, action.by);
  }
}

function submit(state: SearchState, asked: Criteria): SearchState {
  const criteria = criteriaOf(queryOf(asked));
  const { submitted, past } = state;
  // What was typed stays as it was typed, but for the white space of a pasted id.
  const { patient, encounter, exactPatient, exactEncounter } = asked;
  const typed = { patient: patient.trim(), encounter: encounter.trim(), exactPatient, exactEncounter };
  const form = { ...criteria, ...typed };
  if (submitted && sameSearch(submitted, criteria)) return { ...state, form };
  return {
    form,
    submitted: criteria,
    past: submitted ? [...past, submitted].slice(-mostSteps) : past,
    future: [],
  };
}

/** To the search before the shown one, or to the next of those that were stepped back from. */
function stepped(state: SearchState, by: -1 | 1): SearchState {
  const { past, submitted, future } = state;
  const all = [...past, ...(submitted ? [submitted] : []), ...future];
  const at = past.length + by;
  const target = all[at];
  if (!target) return state;
  return { form: target, submitted: target, past: all.slice(0, at), future: all.slice(at + 1) };
}
