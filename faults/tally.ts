/** Numbers and words by what they count, such as `{ cycles: 200, 'acknowledged writes': 14210, lost: 0 }`. */
export type Figures = Readonly<Record<string, number | string>>;

/** What a case counts while it runs; what was counted stands in the report of a case that failed too. */
export class Tally {
  private readonly counts = new Map<string, number>();

  add(what: string, count: number): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + count);
  }

  get figures(): Figures {
    return Object.fromEntries(this.counts);
  }
}
