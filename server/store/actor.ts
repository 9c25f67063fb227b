import { authorshipIn, type Authorship } from '../../core/app/authorship.ts';

/** Performs an operation. */
export interface Actor {
  /** Name of the token or session. */
  readonly who: string;
  /** Name of the person. Absent if nobody is named. */
  readonly person?: string;
  /** Empty without a request. */
  readonly requestId: string;
}

/** Returns the actor's members of an audit entry. */
export function toAuditActor({ who, person }: Pick<Actor, 'who' | 'person'>): Pick<Actor, 'who' | 'person'> {
  return { who, ...(person !== undefined && { person }) };
}

/** Returns the authorship of a version that the server writes. */
export function toAuthorship({ who, person, requestId }: Actor): Authorship & { readonly requestId: string } {
  return { ...authorshipIn({ author: who, person }), requestId };
}
