/** Hands content to the browser as a download under this name. */
export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The download has begun once this task is over; the content is then the browser's.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** `chartkeeper-CarePlan-2026-11-21.ndjson` */
export function fileName(what: string, extension: string, now = new Date()): string {
  const two = (part: number) => String(part).padStart(2, '0');
  const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  return `chartkeeper-${what}-${day}.${extension}`;
}
