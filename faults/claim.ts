/** A promise of the product, and what shows that it is kept. */
export interface Claim {
  readonly claim: string;
  /** Tests by file and title, as the titles stand there. */
  readonly tests?: readonly (readonly [file: string, title: string])[];
  /** Cases of `npm run test:faults` by name. */
  readonly cases?: readonly string[];
}
