import type { Message } from '../../text/message.ts';

/** Rules of a profile for an element, compiled from the snapshot of its StructureDefinition. */
export interface ElementPlan {
  /** The profile with these rules. */
  readonly profile: ProfileName;
  /** ElementDefinition.id, such as `CarePlan.category:AssessPlan`. */
  readonly id: string;
  /** Name of the member. A choice has no type: `value` for `value[x]`. */
  readonly name: string;
  readonly isChoice: boolean;
  /** Minimum count. 0 if R4 already requires it. */
  readonly min: number;
  readonly max: number;
  readonly types: readonly TypePlan[];
  /** True if a type names profiles or targets. */
  readonly isTyped: boolean;
  readonly fixed: unknown;
  readonly pattern: unknown;
  readonly binding: BindingPlan | undefined;
  readonly maxLength: number | undefined;
  readonly minValue: unknown;
  readonly maxValue: unknown;
  readonly constraints: readonly ConstraintPlan[];
  readonly slicing: SlicingPlan | undefined;
  /** All children. The children of a slice are in {@link slices}. */
  children: readonly ElementPlan[];
  slices: readonly ElementPlan[];
  readonly sliceName: string | undefined;
  /** The element that defines the content (`contentReference`). */
  content: ElementPlan | undefined;
  /** The children with rules beyond R4. The walk visits only these. */
  active: readonly ElementPlan[];
  /** True if the walk must visit its values. */
  isActive: boolean;
  /** Elements that discriminators select in a slice, one entry each. Computed on first use. */
  tests: readonly (SliceTest | undefined)[] | undefined;
  /** Children, own or of the profile, with rules that values can be compared with. Computed on first use. */
  parts: readonly ElementPlan[] | undefined;
}

/** Elements that a discriminator compares in a slice. */
export interface SliceTest {
  readonly plans: readonly ElementPlan[];
  /** URLs of the slice's extensions, if these select it. */
  readonly urls: readonly string[];
}

export interface ProfileName {
  /** Includes `|version` if there is one. */
  readonly canonical: string;
  /** Id, which distinguishes its findings. */
  readonly id: string;
}

export interface TypePlan {
  readonly code: string;
  /** Canonicals of profiles. A value fulfils one of them. */
  readonly profiles: readonly string[];
  /** Allowed targets. The referenced resource fulfils one of them. */
  readonly targets: readonly TargetPlan[];
}

export interface TargetPlan {
  readonly canonical: string;
  /** True for a type, false for a profile of it. */
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
  /** The constrained type: `CarePlan`, `Extension`. */
  readonly type: string;
  /** Undefined if no rule can be evaluated. */
  readonly root: ElementPlan | undefined;
  /** Rules that are not supported, by element. */
  readonly unsupported: readonly { readonly element: string; readonly needs: Message }[];
}

export interface DiscriminatorPlan {
  readonly type: string;
  readonly path: string;
  /** Excludes a final `resolve()`. Undefined if a step is not supported. */
  readonly steps: readonly Step[] | undefined;
  /** True if it compares the referenced resource. */
  readonly resolves: boolean;
}

export type Step =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'extension'; readonly url: string }
  | { readonly kind: 'type'; readonly type: string };
