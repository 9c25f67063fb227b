/** A promise of the product, and the tests and cases that prove it. */
export interface Claim {
  readonly claim: string;
  /** Tests by file and exact title. */
  readonly tests?: readonly (readonly [file: string, title: string])[];
  /** Cases of `npm run test:faults` by name. */
  readonly cases?: readonly string[];
}
