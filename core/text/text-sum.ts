/** Returns a sum of a text that tells texts apart which nobody chose. It is not safe against texts that were made for it. */
export function sumOfText(text: string): string {
  return `${sumWithSeed(text, 0x9e3779b9)} ${sumWithSeed(text, 0x85ebca6b)}`;
}

/** FNV-1a over both halves of each code unit, with 52 bits: two products of 26 bits. */
function sumWithSeed(text: string, seed: number): string {
  let [high, low] = [seed ^ text.length, seed >>> 3];
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 0x01000193);
    low = Math.imul(low ^ ((unit << 7) | (high >>> 25)), 0x5bd1e995);
  }
  return (high >>> 0).toString(36) + (low >>> 0).toString(36);
}
