import { useEffect } from 'react';
import { useCommandHandlers } from '../platform/commands.ts';
import { isBehind } from '../ui/focus.ts';

/** The parts of the window between which F6 moves, in this order; each is marked with `data-region`. */
const regionNames = ['top', 'views', 'tabs', 'main', 'inspector', 'practice', 'status'] as const;

const tabbable =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex]:not([tabindex="-1"])';

/** What had the focus in each region last. */
const lastFocused = new WeakMap<Element, HTMLElement>();

/** Lets the focus move between the regions. */
export function useRegions(): void {
  useEffect(trackFocus, []);
  useCommandHandlers({ 'region.next': () => moveRegion(1), 'region.previous': () => moveRegion(-1) });
}

/** Remembers where the focus was in each region, so that it comes back to it; returns how to stop. */
function trackFocus(): () => void {
  function onFocus({ target }: FocusEvent) {
    if (!(target instanceof HTMLElement)) return;
    const region = target.closest('[data-region]');
    if (region) lastFocused.set(region, target);
  }
  document.addEventListener('focusin', onFocus);
  return () => document.removeEventListener('focusin', onFocus);
}

/** Moves the focus to the next region that is shown, or to the one before. */
function moveRegion(direction: 1 | -1): void {
  const regions = regionNames.flatMap((name) => findVisibleRegion(name) ?? []);
  const { activeElement } = document;
  const currentRegion = activeElement?.closest('[data-region]');
  // What had the focus before anybody listened.
  if (currentRegion && activeElement instanceof HTMLElement) lastFocused.set(currentRegion, activeElement);
  const currentIndex = regions.findIndex((region) => region === currentRegion);
  const startIndex = currentIndex === -1 && direction === -1 ? 0 : currentIndex;
  for (let step = 1; step <= regions.length; step++) {
    const region = regions[(startIndex + direction * step + regions.length * 2) % regions.length];
    if (region && focusRegion(region)) return;
  }
}

/** Puts the focus into the main area: where it was there last, else on the first thing that takes it. */
export function focusMain(): void {
  const main = findVisibleRegion('main');
  if (main) focusRegion(main);
}

/** The inspector stands inside the main area, and more than one of it may be mounted behind the tab in front. */
function findVisibleRegion(name: string): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>(`[data-region=${name}]`)].find(isVisible);
}

function isVisible(element: HTMLElement): boolean {
  return !isBehind(element) && element.checkVisibility({ visibilityProperty: true });
}

function focusRegion(region: HTMLElement): boolean {
  const lastElement = lastFocused.get(region);
  const candidates = [
    // A tab or row that is not the current one any more has left the tab order.
    ...(lastElement?.matches(tabbable) ? [lastElement] : []),
    ...region.querySelectorAll<HTMLElement>('[aria-selected=true][tabindex="0"]'),
    ...region.querySelectorAll<HTMLElement>(tabbable),
    region,
  ];
  return candidates.some((element) => {
    if (!element.isConnected || !isVisible(element) || element.closest('[data-region]') !== region)
      return false;
    element.focus();
    return document.activeElement === element;
  });
}
