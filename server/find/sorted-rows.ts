/** Writes one row of a full-text table. */
type Write = (row: number, words: string) => void;

/**
 * Rows of a full-text table that wait to be written in the order of their numbers: FTS5 writes down what it holds in
 * memory each time a number comes that is not behind the last, which costs more than the row.
 */
export class SortedRows {
  private readonly removeRow: Write;
  private readonly putRow: Write;
  private readonly removed = new Map<number, string>();
  private readonly added = new Map<number, string>();

  constructor(removeRow: Write, putRow: Write) {
    this.removeRow = removeRow;
    this.putRow = putRow;
  }

  put(row: number, words: string): void {
    this.added.set(row, words);
  }

  /** `words` as they were put. */
  remove(row: number, words: string): void {
    if (!this.added.delete(row)) this.removed.set(row, words);
  }

  /** A number that was freed may be given again: what is removed goes first. */
  write(): void {
    inOrder(this.removed, this.removeRow);
    inOrder(this.added, this.putRow);
  }
}

function inOrder(rows: Map<number, string>, write: Write): void {
  for (const [row, words] of [...rows].sort(([one], [other]) => one - other)) write(row, words);
  rows.clear();
}
