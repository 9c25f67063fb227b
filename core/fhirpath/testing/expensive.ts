/**
 * Honest FHIRPath that costs much, so that a guard against costly expressions is tested without an input that would hang
 * other software as well: for each descendant of a record, all of its descendants are counted.
 */
export const expensiveExpression = '%resource.descendants().all(%resource.descendants().count() > 0)';

/** Notes on which {@link expensiveExpression} takes seconds, with some 4,000 descendants; on a small record it takes none. */
export const manyNotes = Array.from({ length: 1333 }, (_, n) => ({ id: `n${n}`, text: 'x' }));

/** An expression within all limits that takes its time to parse: the value that `name` is, looked for 640 times. */
export function longToParse(name: string): string {
  return name + '[0]'.repeat(640);
}
