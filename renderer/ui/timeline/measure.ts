let canvasContext: CanvasRenderingContext2D | null | undefined;

/** Returns the width of a text in pixels. */
export function measure(value: string): number {
  if (canvasContext === undefined) {
    canvasContext = document.createElement('canvas').getContext('2d');
    if (canvasContext) canvasContext.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  }
  return canvasContext?.measureText(value).width ?? value.length * 7;
}

/** Truncates a text to a width in pixels. */
export function cutTo(value: string, maxWidth: number): string {
  if (measure(value) <= maxWidth) return value;
  let end = value.length;
  while (end > 0 && measure(`${value.slice(0, end)}…`) > maxWidth) end -= 1;
  return end === 0 ? '' : `${value.slice(0, end).trimEnd()}…`;
}
