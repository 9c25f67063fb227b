import { isIn, lookAt, type Asked } from './discriminator.ts';
import { discriminatorOf } from './discriminator-path.ts';
import type { Item } from './items.ts';
import type { ElementPlan } from './plan.ts';
import { Trial, type Sink } from './report.ts';

/** The slice for what is in no other (FHIR R4 profiling.html#default-slice). */
const defaultSlice = '@default';

/** What judges the values of a slice. */
export interface Walker extends Asked {
  value(plan: ElementPlan, item: Item, report: Sink): void;
}

/** The values of a slice: those that are in it, and how many there are of which that cannot be told. */
interface Members {
  readonly slice: ElementPlan;
  readonly sure: Item[];
  open: number;
}

/** Slices of a choice by its type need no discriminator (`valueQuantity`). */
const byType = [discriminatorOf('type', '$this')];

/** Judges the values of an element that is sliced (FHIR R4 profiling.html#slicing). */
export function sliced(
  plan: ElementPlan,
  found: readonly Item[],
  parent: Item,
  report: Sink,
  walk: Walker,
): void {
  const members: Members[] = [];
  let others: ElementPlan | undefined;
  for (const slice of plan.slices) {
    if (slice.sliceName === defaultSlice) others = slice;
    else members.push({ slice, sure: [], open: 0 });
  }
  const { discriminators = [], rules = 'open', ordered = false } = plan.slicing ?? {};
  const isTold = discriminators.length > 0 || members.length === 0;
  if (!isTold && !members.every(({ slice }) => isOfType(slice))) {
    report.open(plan, parent, 'a discriminator for its slices');
    for (const item of found) walk.value(plan, item, report);
    return;
  }
  const told = isTold ? discriminators : byType;
  /** For each value the number of its slice, as far as it is in one. */
  const places: (number | undefined)[] = [];
  for (const item of found) {
    // What is said of the element holds in each of its slices.
    walk.value(plan, item, report);
    const looked = lookAt(item, told);
    let place: number | undefined;
    let isOpen = false;
    for (let at = 0; at < members.length; at += 1) {
      const own = members[at];
      if (!own) continue;
      const answer = isIn(own.slice, told, item, looked, walk);
      if (answer === true) {
        place ??= at;
        own.sure.push(item);
        walk.value(own.slice, item, report);
      } else if (answer === undefined) {
        isOpen = true;
        own.open += 1;
        openIfBroken(own.slice, item, report, walk);
      }
    }
    places.push(place);
    if (place !== undefined) continue;
    if (others) walk.value(others, item, report);
    if (rules !== 'closed' || others) continue;
    if (isOpen) report.open(plan, item, 'what tells its slice');
    else report.add('closed', plan, item);
  }
  for (const one of members) counted(one, parent, report);
  if (ordered) inOrder(plan, found, places, parent, report);
  if (rules === 'openAtEnd') atEnd(plan, found, places, parent, report);
}

/** Slices of a choice by its type need no discriminator (`valueQuantity`). */
function isOfType({ isChoice, types }: ElementPlan): boolean {
  return isChoice && types.length > 0;
}

/** A value that may be in a slice is undecided where the slice would find fault with it, and else in order either way. */
function openIfBroken(slice: ElementPlan, item: Item, report: Sink, walk: Walker): void {
  const trial = new Trial();
  walk.value(slice, item, trial);
  if (trial.isBroken) report.open(slice, item, 'what tells whether it is in the slice');
}

function counted({ slice, sure, open }: Members, parent: Item, report: Sink): void {
  const { min, max } = slice;
  const most = sure.length + open;
  if (most < min) report.add('min', slice, parent, String(min));
  else if (sure.length < min) report.open(slice, parent, 'what tells which are in the slice');
  if (sure.length > max) report.add('max', slice, sure[max] ?? parent, String(max));
  else if (most > max) report.open(slice, parent, 'what tells which are in the slice');
}

function inOrder(
  plan: ElementPlan,
  found: readonly Item[],
  places: readonly (number | undefined)[],
  parent: Item,
  report: Sink,
): void {
  let reached = 0;
  for (const [index, place] of places.entries()) {
    if (place === undefined) continue;
    if (place < reached) {
      const names = plan.slices.map(({ sliceName }) => sliceName).join(', ');
      report.add('order', plan, found[index] ?? parent, names);
      return;
    }
    reached = place;
  }
}

function atEnd(
  plan: ElementPlan,
  found: readonly Item[],
  places: readonly (number | undefined)[],
  parent: Item,
  report: Sink,
): void {
  const last = places.findLastIndex((place) => place !== undefined);
  const first = places.indexOf(undefined);
  if (first === -1 || first > last) return;
  report.add('order', plan, found[first] ?? parent, 'what is in no slice comes last');
}
