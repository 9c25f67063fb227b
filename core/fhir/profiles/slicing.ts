import { isIn, type Answer, type Asked } from './discriminator.ts';
import type { Item } from './items.ts';
import type { ElementPlan } from './plan.ts';
import { Report } from './report.ts';

/** The slice for what is in no other (FHIR R4 profiling.html#default-slice). */
const defaultSlice = '@default';

/** What judges the values of a slice. */
export interface Walker extends Asked {
  value(plan: ElementPlan, item: Item, report: Report): void;
}

/** The values of a slice: those that are in it, and those of which that cannot be told. */
interface Members {
  readonly sure: Item[];
  readonly open: Item[];
}

/** Judges the values of an element that is sliced (FHIR R4 profiling.html#slicing). */
export function sliced(
  plan: ElementPlan,
  found: readonly Item[],
  parent: Item,
  report: Report,
  walk: Walker,
): void {
  const slices = plan.slices.filter(({ sliceName }) => sliceName !== defaultSlice);
  const others = plan.slices.find(({ sliceName }) => sliceName === defaultSlice);
  const members = new Map<ElementPlan, Members>(slices.map((slice) => [slice, { sure: [], open: [] }]));
  const { discriminators = [], rules = 'open', ordered = false } = plan.slicing ?? {};
  /** For each value the number of its slice, as far as it is in one. */
  const places: (number | undefined)[] = [];
  if (discriminators.length === 0 && slices.length > 0 && !slices.every(isOfType)) {
    report.open(plan, parent.tokens, 'a discriminator for its slices');
    for (const item of found) walk.value(plan, item, report);
    return;
  }
  for (const item of found) {
    // What is said of the element holds in each of its slices.
    walk.value(plan, item, report);
    let place: number | undefined;
    let isOpen = false;
    for (const [at, slice] of slices.entries()) {
      const answer = isOf(slice, item, discriminators, walk);
      if (answer === true) {
        place ??= at;
        members.get(slice)?.sure.push(item);
        walk.value(slice, item, report);
      } else if (answer === undefined) {
        isOpen = true;
        members.get(slice)?.open.push(item);
        openIfBroken(slice, item, report, walk);
      }
    }
    places.push(place);
    if (place !== undefined) continue;
    if (others) walk.value(others, item, report);
    if (rules !== 'closed' || others) continue;
    if (isOpen) report.open(plan, item.tokens, 'what tells its slice');
    else report.add('closed', plan, item.tokens);
  }
  for (const slice of slices) counted(slice, members.get(slice), parent, report);
  if (ordered) inOrder(plan, found, places, report);
  if (rules === 'openAtEnd') atEnd(plan, found, places, report);
}

/** Slices of a choice by its type need no discriminator (`valueQuantity`). */
function isOfType({ isChoice, types }: ElementPlan): boolean {
  return isChoice && types.length > 0;
}

function isOf(
  slice: ElementPlan,
  item: Item,
  discriminators: readonly { readonly type: string; readonly path: string }[],
  walk: Walker,
): Answer {
  if (discriminators.length === 0) return isIn(slice, { type: 'type', path: '$this' }, item, walk);
  let answer: Answer = true;
  for (const one of discriminators) {
    const own = isIn(slice, one, item, walk);
    if (own === false) return false;
    if (own === undefined) answer = undefined;
  }
  return answer;
}

/** A value that may be in a slice is undecided where the slice would find fault with it, and else in order either way. */
function openIfBroken(slice: ElementPlan, item: Item, report: Report, walk: Walker): void {
  const trial = new Report('');
  walk.value(slice, item, trial);
  if (trial.isBroken) report.open(slice, item.tokens, 'what tells whether it is in the slice');
}

function counted(slice: ElementPlan, members: Members | undefined, { tokens }: Item, report: Report): void {
  const { min, max } = slice;
  const sure = members?.sure ?? [];
  const most = sure.length + (members?.open.length ?? 0);
  if (most < min) report.add('min', slice, tokens, String(min));
  else if (sure.length < min) report.open(slice, tokens, 'what tells which are in the slice');
  if (sure.length > max) report.add('max', slice, sure[max]?.tokens ?? tokens, String(max));
  else if (most > max) report.open(slice, tokens, 'what tells which are in the slice');
}

function inOrder(
  plan: ElementPlan,
  found: readonly Item[],
  places: readonly (number | undefined)[],
  report: Report,
): void {
  let reached = 0;
  for (const [index, place] of places.entries()) {
    if (place === undefined) continue;
    if (place < reached) {
      const names = plan.slices.map(({ sliceName }) => sliceName).join(', ');
      report.add('order', plan, found[index]?.tokens ?? [], names);
      return;
    }
    reached = place;
  }
}

function atEnd(
  plan: ElementPlan,
  found: readonly Item[],
  places: readonly (number | undefined)[],
  report: Report,
): void {
  const last = places.findLastIndex((place) => place !== undefined);
  const first = places.indexOf(undefined);
  if (first === -1 || first > last) return;
  report.add('order', plan, found[first]?.tokens ?? [], 'what is in no slice comes last');
}
