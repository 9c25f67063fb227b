/** Characters that some system forbids in file names, forbidden ends, and the escape character. */
const unsafe = /[<>:"/\\|?*%\p{Cc}]|^[ .]|[ .]$|\.(?=json$)/giu;

/** Device names. Windows reserves them in every folder, with any extension. */
const device = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=$|\.)/i;

/**
 * Returns a name for a file or folder that is valid on every system. Unsafe characters are percent-encoded
 * (`%2F`).
 */
export function safeName(name: string): string {
  const safe = name.replaceAll(unsafe, escape);
  return device.test(safe) ? escape(safe.slice(0, 1)) + safe.slice(1) : safe;
}

function escape(character: string): string {
  return `%${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** Returns a path in the form in which case-insensitive and normalizing file systems compare it. */
export function foldedPath(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** Returns a name as the workspace compares it: only ASCII letters ignore case. */
export function foldedName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
