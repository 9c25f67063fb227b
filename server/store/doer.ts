/** Who did something to the store as a whole. */
export interface Doer {
  readonly who: string;
  /** Empty where no request asked. */
  readonly requestId: string;
}
