let canvasContext: CanvasRenderingContext2D | null | undefined;

/** Returns the width of a text in pixels. */
export function measure(value: string): number {
  if (canvasContext === undefined) {
    canvasContext = document.createElement('canvas').getContext('2d');
    if (canvasContext) canvasContext.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  }
  return canvasContext?.measureText(value).width ?? value.length * 7;
}
