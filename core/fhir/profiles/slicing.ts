import { formatList } from '../../text/language.ts';
import { defineMessages } from '../../text/message.ts';
import { isIn, readDiscriminators, type DiscriminatorContext } from './discriminator.ts';
import { discriminatorOf } from './discriminator-path.ts';
import type { Item } from './items.ts';
import type { ElementPlan } from './plan.ts';
import { TrialSink, type ResultSink } from './report.ts';

const needs = defineMessages('needs', {
  discriminator: 'a discriminator for its slices',
  slice: 'the value that selects its slice',
  inSlice: 'the value that shows whether it is in the slice',
  membersOfSlice: 'the values that show which are in the slice',
});

/** Name of the slice for values outside all other slices (FHIR R4 profiling.html#default-slice). */
const defaultSlice = '@default';

/** Validates the values of a slice. */
export interface Walker extends DiscriminatorContext {
  value(plan: ElementPlan, item: Item, report: ResultSink): void;
}

/** The values in a slice, and the number of undecided values. */
interface Members {
  readonly slice: ElementPlan;
  readonly certain: Item[];
  undecidedCount: number;
}

/** Slices of a choice by type need no discriminator (`valueQuantity`). */
const byType = [discriminatorOf('type', '$this')];

/** Validates the values of a sliced element (FHIR R4 profiling.html#slicing). */
export function validateSlices(
  plan: ElementPlan,
  items: readonly Item[],
  parent: Item,
  report: ResultSink,
  walk: Walker,
): void {
  const members: Members[] = [];
  let defaultPlan: ElementPlan | undefined;
  for (const slice of plan.slices) {
    if (slice.sliceName === defaultSlice) defaultPlan = slice;
    else members.push({ slice, certain: [], undecidedCount: 0 });
  }
  const { discriminators = [], rules = 'open', ordered = false } = plan.slicing ?? {};
  const hasDiscriminators = discriminators.length > 0 || members.length === 0;
  if (!hasDiscriminators && !members.every(({ slice }) => isOfType(slice))) {
    report.addUndecided(plan, parent, needs.discriminator());
    for (const item of items) walk.value(plan, item, report);
    return;
  }
  const selectors = hasDiscriminators ? discriminators : byType;
  /** The index of each value's slice; undefined for none. */
  const sliceIndexes: (number | undefined)[] = [];
  for (const item of items) {
    // The rules of the element apply in each of its slices.
    walk.value(plan, item, report);
    const discriminatorItems = readDiscriminators(item, selectors);
    let sliceIndex: number | undefined;
    let isOpen = false;
    for (let index = 0; index < members.length; index += 1) {
      const member = members[index];
      if (!member) continue;
      const answer = isIn(member.slice, selectors, item, discriminatorItems, walk);
      if (answer === true) {
        sliceIndex ??= index;
        member.certain.push(item);
        walk.value(member.slice, item, report);
      } else if (answer === undefined) {
        isOpen = true;
        member.undecidedCount += 1;
        openIfBroken(member.slice, item, report, walk);
      }
    }
    sliceIndexes.push(sliceIndex);
    if (sliceIndex !== undefined) continue;
    if (defaultPlan) walk.value(defaultPlan, item, report);
    if (rules !== 'closed' || defaultPlan) continue;
    if (isOpen) report.addUndecided(plan, item, needs.slice());
    else report.addViolation('closed', plan, item);
  }
  for (const member of members) validateCount(member, parent, report);
  if (ordered) validateOrder(plan, items, sliceIndexes, parent, report);
  if (rules === 'openAtEnd') validateOpenEnd(plan, items, sliceIndexes, parent, report);
}

/** Returns true for a choice with types. Its slices need no discriminator. */
function isOfType({ isChoice, types }: ElementPlan): boolean {
  return isChoice && types.length > 0;
}

/** Reports an undecided slice only if the value would violate it. Otherwise the answer makes no difference. */
function openIfBroken(slice: ElementPlan, item: Item, report: ResultSink, walk: Walker): void {
  const trial = new TrialSink();
  walk.value(slice, item, trial);
  if (trial.isBroken) report.addUndecided(slice, item, needs.inSlice());
}

function validateCount(
  { slice, certain: sure, undecidedCount: open }: Members,
  parent: Item,
  report: ResultSink,
): void {
  const { min, max } = slice;
  const maxCount = sure.length + open;
  if (maxCount < min) report.addViolation('min', slice, parent, String(min));
  else if (sure.length < min) report.addUndecided(slice, parent, needs.membersOfSlice());
  if (sure.length > max) report.addViolation('max', slice, sure[max] ?? parent, String(max));
  else if (maxCount > max) report.addUndecided(slice, parent, needs.membersOfSlice());
}

function validateOrder(
  plan: ElementPlan,
  items: readonly Item[],
  sliceIndexes: readonly (number | undefined)[],
  parent: Item,
  report: ResultSink,
): void {
  let lastIndex = 0;
  for (const [index, sliceIndex] of sliceIndexes.entries()) {
    if (sliceIndex === undefined) continue;
    if (sliceIndex < lastIndex) {
      const names = formatList(
        plan.slices.map(({ sliceName = '' }) => sliceName),
        'unit',
      );
      report.addViolation('order', plan, items[index] ?? parent, names);
      return;
    }
    lastIndex = sliceIndex;
  }
}

function validateOpenEnd(
  plan: ElementPlan,
  items: readonly Item[],
  sliceIndexes: readonly (number | undefined)[],
  parent: Item,
  report: ResultSink,
): void {
  const lastInSlice = sliceIndexes.findLastIndex((place) => place !== undefined);
  const firstOutside = sliceIndexes.indexOf(undefined);
  if (firstOutside === -1 || firstOutside > lastInSlice) return;
  report.addViolation('order', plan, items[firstOutside] ?? parent);
}
