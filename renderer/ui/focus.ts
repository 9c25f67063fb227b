/** Whether the focus is nowhere: on the page itself, or left behind in what cannot be reached. */
export function isFocusLost(): boolean {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body || isBehind(activeElement);
}

/** Whether an element stands where nobody reaches it: in a pane that is not in front, or behind the lock. */
export function isBehind(element: Element): boolean {
  return element.closest('[inert], [data-behind]') !== null;
}
