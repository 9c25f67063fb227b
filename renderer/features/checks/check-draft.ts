import {
  pickExpressions,
  type CheckDefinition,
  type CheckExpressions,
  type CustomCheck,
} from '../../../core/app/checks.ts';
import { parseLimit, formatLimit } from '../../../core/app/thresholds.ts';
import { firstType } from '../../../core/fhir/resource.ts';

export const newDraft = {
  id: '',
  title: '',
  applies: '',
  holds: '',
  points: '',
  warnAbove: '',
  failAbove: '',
  owner: '',
  note: '',
  type: firstType,
  category: 'completeness' as CheckDefinition['category'],
  severity: 'warning' as CheckDefinition['severity'],
  active: false,
  /** Version that was loaded; 0 for a new check. */
  version: 0,
};

/** A check while it is edited, with every field as text. */
export type CheckDraft = Readonly<typeof newDraft>;

/** Converts a check to a draft. */
export function toDraft(check: CustomCheck): CheckDraft {
  const { id, title, type, holds: holdsExpression, category, severity, active, version } = check;
  const { applies = '', points = '', owner = '', note = '', warnAbove, failAbove } = check;
  return {
    id,
    title,
    type,
    applies,
    holds: holdsExpression,
    points,
    category,
    severity,
    active,
    owner,
    note,
    version,
    warnAbove: formatLimit(warnAbove),
    failAbove: formatLimit(failAbove),
  };
}

/** Serializes a draft for the server, without empty members. */
export function serializeCheck(
  draft: CheckDraft,
): Omit<CheckDefinition, 'id'> & { readonly version: number } {
  const { title, type, holds: holdsExpression, category, severity, active, version } = draft;
  const optional = (name: 'applies' | 'points' | 'owner' | 'note') =>
    draft[name].trim() === '' ? {} : { [name]: draft[name].trim() };
  const parseBound = (name: 'warnAbove' | 'failAbove') => {
    const parsedBound = parseLimit(draft[name]);
    return parsedBound && parsedBound !== 'wrong' ? { [name]: parsedBound } : {};
  };
  return {
    title: title.trim(),
    type,
    holds: holdsExpression.trim(),
    category,
    severity,
    active,
    version,
    ...optional('applies'),
    ...optional('points'),
    ...optional('owner'),
    ...optional('note'),
    ...parseBound('warnAbove'),
    ...parseBound('failAbove'),
  };
}

/** Returns the expressions of a draft. */
export function pickCheckExpressions(draft: CheckDraft): CheckExpressions {
  return pickExpressions(serializeCheck(draft));
}

/** Derives an ID from a title. Other characters than letters and digits become hyphens. */
export function createCheckId(title: string): string {
  const plain = title.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return plain
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, 60)
    .replace(/-+$/, '');
}

/** Returns true if two drafts define the same check. Activation is changed separately and does not count. */
export function hasSameDefinition(leftDraft: CheckDraft, rightDraft: CheckDraft): boolean {
  return JSON.stringify({ ...leftDraft, active: false }) === JSON.stringify({ ...rightDraft, active: false });
}
