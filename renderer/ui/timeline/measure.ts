let pen: CanvasRenderingContext2D | null | undefined;

/** Pixels that a text takes beside a bar. */
export function measure(words: string): number {
  if (pen === undefined) {
    pen = document.createElement('canvas').getContext('2d');
    if (pen) pen.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  }
  return pen?.measureText(words).width ?? words.length * 7;
}

/** A text cut to the pixels that there are. */
export function cutTo(words: string, room: number): string {
  if (measure(words) <= room) return words;
  let end = words.length;
  while (end > 0 && measure(`${words.slice(0, end)}…`) > room) end -= 1;
  return end === 0 ? '' : `${words.slice(0, end).trimEnd()}…`;
}
