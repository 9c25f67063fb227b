import type { PluralForms } from '../../../../core/text/language.ts';
import type { definitions } from '../../../../core/types/generated/definitions.ts';

type Definition<Type> = Extract<(typeof definitions)[number], { readonly name: Type }>;

/** Search parameters of every type that records are counted by. */
export type CommonFilter = '_profile' | '_source' | '_tag';

/** Labels by the ids of rows of a definition. */
export type Labels<Id extends string = string> = Readonly<Record<Id, string>>;

/** Sentences that name records of one resource type. Whole messages for each type: languages inflect its name. */
export interface TypeSentences {
  /** Tab of a record that is not saved yet. */
  readonly newRecord: string;
  /** Group of the finder. */
  readonly group: string;
  /** Records of the type as a heading, a lane or a row label. */
  readonly plural: string;
  readonly count: PluralForms;
  readonly countByStatus: PluralForms;
  readonly matchCount: PluralForms;
  readonly show: PluralForms;
  readonly allCount: PluralForms;
  readonly allOfSearch: string;
  readonly exportedCount: PluralForms;
  readonly exportedPart: PluralForms;
  readonly showAll: string;
  readonly search: string;
  readonly visibleCount: string;
  readonly visibleMinCount: string;
  readonly otherForm: PluralForms;
  readonly otherEncounters: PluralForms;
  readonly otherType: PluralForms;
  readonly withoutParameters: PluralForms;
  readonly recentChanges: string;
  readonly notListed: string;
  readonly checking: string;
  readonly checked: PluralForms;
}

export interface TypeTexts<Type> extends TypeSentences {
  readonly columns: Labels<Definition<Type>['columns'][number]['id']>;
  readonly filters: Labels<Exclude<Definition<Type>['filters'][number], CommonFilter>>;
  readonly facts: Labels<Definition<Type>['facts'][number]['id']>;
  readonly questions: Labels<Definition<Type>['newRecord']['questions'][number]['id']>;
}
