/** Changes that no test can notice, as the product does the same with them. They count as not noticed all the same. */
interface Reason {
  readonly file: string;
  /** The text that is changed, and what stands there instead. */
  readonly from: string;
  readonly to: string;
  readonly why: string;
}

const reasons: readonly Reason[] = [];

/** Why a change cannot be noticed; undefined where no reason is known. */
export function reasonOf(file: string, from: string, to: string): string | undefined {
  return reasons.find((one) => one.file === file && one.from === from && one.to === to)?.why;
}
