/** One figure with what it has to be. */
export interface MendLine {
  readonly what: string;
  readonly figure: string;
  readonly target: string;
  readonly reached: boolean;
}
