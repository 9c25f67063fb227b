/** What a profile demands of an element, compiled from the snapshot of its StructureDefinition. */
export interface ElementPlan {
  /** The profile that says so. */
  readonly profile: ProfileName;
  /** As ElementDefinition.id has it: `CarePlan.category:AssessPlan`. */
  readonly id: string;
  /** The member's name; of a choice without its type: `value` of `value[x]`. */
  readonly name: string;
  readonly isChoice: boolean;
  /** How often it stands, as far as that is not what R4 says already, by which it is judged anyway. */
  readonly min: number;
  readonly max: number;
  readonly types: readonly TypePlan[];
  /** Whether a type names profiles or targets. */
  readonly isTyped: boolean;
  readonly fixed: unknown;
  readonly pattern: unknown;
  readonly binding: BindingPlan | undefined;
  readonly maxLength: number | undefined;
  readonly least: unknown;
  readonly most: unknown;
  readonly constraints: readonly ConstraintPlan[];
  readonly slicing: SlicingPlan | undefined;
  /** All elements below it; those of a slice stand in {@link slices}. */
  children: readonly ElementPlan[];
  slices: readonly ElementPlan[];
  readonly sliceName: string | undefined;
  /** The element whose content this one has (`contentReference`). */
  content: ElementPlan | undefined;
  /** The children that say more than R4 does: what is walked. */
  active: readonly ElementPlan[];
  /** Whether a value of it has to be looked at. */
  isActive: boolean;
  /** What discriminators lead to in a slice, one for each; told when it is first asked for. */
  tests: readonly (SliceTest | undefined)[] | undefined;
  /** The elements below it, or in the profile of its values, that say what values can be compared with; told likewise. */
  parts: readonly ElementPlan[] | undefined;
}

/** What a discriminator looks at in a slice. */
export interface SliceTest {
  readonly plans: readonly ElementPlan[];
  /** Addresses of the extensions that the slice is of, where it is told by those. */
  readonly urls: readonly string[];
}

export interface ProfileName {
  /** With `|version` where it has one. */
  readonly canonical: string;
  /** Its id, by which findings are told apart. */
  readonly id: string;
}

export interface TypePlan {
  readonly code: string;
  /** Canonicals of profiles of which a value fulfils one. */
  readonly profiles: readonly string[];
  /** Of which the resource that is referred to fulfils one. */
  readonly targets: readonly TargetPlan[];
}

export interface TargetPlan {
  readonly canonical: string;
  /** Whether it is of a type itself, rather than of a profile on it. */
  readonly isOfR4: boolean;
}

export interface BindingPlan {
  readonly strength: 'required' | 'extensible';
  readonly valueSet: string;
}

/** An invariant (ElementDefinition.constraint), in FHIRPath. */
export interface ConstraintPlan {
  readonly key: string;
  readonly severity: 'error' | 'warning';
  readonly human: string;
  readonly expression: string;
}

export interface SlicingPlan {
  readonly discriminators: readonly DiscriminatorPlan[];
  readonly ordered: boolean;
  readonly rules: 'open' | 'closed' | 'openAtEnd';
}

export interface ProfilePlan extends ProfileName {
  /** The type that it is of: `CarePlan`, `Extension`. */
  readonly type: string;
  /** Absent where nothing of it can be judged. */
  readonly root: ElementPlan | undefined;
  /** What cannot be judged of it, and by which element. */
  readonly refused: readonly { readonly element: string; readonly needs: string }[];
}

export interface DiscriminatorPlan {
  readonly type: string;
  readonly path: string;
  /** Without a `resolve()` at its end; undefined where it has steps that cannot be taken. */
  readonly steps: readonly Step[] | undefined;
  /** Whether it looks at what is referred to. */
  readonly resolves: boolean;
}

export type Step =
  | { readonly is: 'name'; readonly name: string }
  | { readonly is: 'extension'; readonly url: string }
  | { readonly is: 'type'; readonly type: string };
