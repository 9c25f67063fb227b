/** A figure with its target. */
export interface MendLine {
  readonly title: string;
  readonly figure: string;
  readonly target: string;
  readonly isReached: boolean;
}
