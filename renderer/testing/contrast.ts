/** Returns the contrast ratio of a text to its background, 1 to 21, from computed styles (WCAG 2.2). */
export function contrastOf(text: Element): number {
  const { color } = getComputedStyle(text);
  const [lighter = 0, darker = 0] = [luminance(color), luminance(findBackground(text))].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Returns the color of the first opaque background behind an element. */
function findBackground(element: Element | null): string {
  if (!element) return 'rgb(255, 255, 255)';
  const { backgroundColor } = getComputedStyle(element);
  return backgroundColor === 'rgba(0, 0, 0, 0)' ? findBackground(element.parentElement) : backgroundColor;
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map((digits) => {
    const share = Number(digits) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
