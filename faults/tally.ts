/** Numbers and words by label, such as `{ cycles: 200, 'acknowledged writes': 14210, lost: 0 }`. */
export type Figures = Readonly<Record<string, number | string>>;

/** Counts of a running case. The report of a failed case has them too. */
export class Tally {
  private readonly counts = new Map<string, number>();

  add(label: string, count: number): void {
    this.counts.set(label, (this.counts.get(label) ?? 0) + count);
  }

  get figures(): Figures {
    return Object.fromEntries(this.counts);
  }
}
