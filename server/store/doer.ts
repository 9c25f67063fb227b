import { authorshipIn, type Authorship } from '../../core/app/authorship.ts';

/** Who did something. */
export interface Doer {
  /** Name of the token or of the session. */
  readonly who: string;
  /** Who sat at the keyboard; absent where nobody is named. */
  readonly person?: string;
  /** Empty where no request asked. */
  readonly requestId: string;
}

/** Whom an entry of the audit trail names. */
export function byOf({ who, person }: Pick<Doer, 'who' | 'person'>): Pick<Doer, 'who' | 'person'> {
  return { who, ...(person !== undefined && { person }) };
}

/** Whom a version names that is written on the way. */
export function writingOf({ who, person, requestId }: Doer): Authorship & { readonly requestId: string } {
  return { ...authorshipIn({ author: who, person }), requestId };
}
