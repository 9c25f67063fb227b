import {
  questionOf,
  type CheckDefinition,
  type CheckQuestion,
  type StewardCheck,
} from '../../../core/app/checks.ts';
import { boundOf, boundText } from '../../../core/app/thresholds.ts';
import { firstType } from '../../../core/fhir/resource.ts';

export const newDraft = {
  ...{ id: '', title: '', applies: '', holds: '', points: '' },
  ...{ warnAbove: '', failAbove: '', owner: '', note: '' },
  type: firstType,
  category: 'completeness' as CheckDefinition['category'],
  severity: 'warning' as CheckDefinition['severity'],
  active: false,
  /** The version that it was read as; 0 for a new one. */
  version: 0,
};

/** A check as it is being written: every field as a text. */
export type CheckDraft = Readonly<typeof newDraft>;

export function draftOf(check: StewardCheck): CheckDraft {
  const { id, title, type, holds, category, severity, active, version } = check;
  const { applies = '', points = '', owner = '', note = '', warnAbove, failAbove } = check;
  return {
    ...{ id, title, type, applies, holds, points, category, severity, active, owner, note, version },
    ...{ warnAbove: boundText(warnAbove), failAbove: boundText(failAbove) },
  };
}

/** The same as it is sent; what is left empty is left out. */
export function writtenOf(draft: CheckDraft): Omit<CheckDefinition, 'id'> & { readonly version: number } {
  const { title, type, holds, category, severity, active, version } = draft;
  const optional = (name: 'applies' | 'points' | 'owner' | 'note') =>
    draft[name].trim() === '' ? {} : { [name]: draft[name].trim() };
  const bound = (name: 'warnAbove' | 'failAbove') => {
    const read = boundOf(draft[name]);
    return read && read !== 'wrong' ? { [name]: read } : {};
  };
  return {
    ...{ title: title.trim(), type, holds: holds.trim(), category, severity, active, version },
    ...{ ...optional('applies'), ...optional('points'), ...optional('owner'), ...optional('note') },
    ...{ ...bound('warnAbove'), ...bound('failAbove') },
  };
}

/** What is asked of a record. */
export function askedBy(draft: CheckDraft): CheckQuestion {
  return questionOf(writtenOf(draft));
}

/** An id made of a title; what is no letter or digit becomes a hyphen. */
export function idOf(title: string): string {
  const plain = title.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return plain
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, 60)
    .replace(/-+$/, '');
}

/** Whether two say the same. */
export function sameDraft(one: CheckDraft, other: CheckDraft): boolean {
  return JSON.stringify({ ...one, active: false }) === JSON.stringify({ ...other, active: false });
}
