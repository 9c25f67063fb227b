/** What cannot stand in a file's name on some system, what a name cannot end in, and the sign of the escapes. */
const unsafe = /[<>:"/\\|?*%\p{Cc}]|^[ .]|[ .]$|\.(?=json$)/giu;

/** Devices, which Windows finds in every folder, whatever stands behind a dot. */
const device = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=$|\.)/i;

/** A name as the name of a file or folder on every system; what is not safe is written as in an address (`%2F`). */
export function safeName(name: string): string {
  const safe = name.replaceAll(unsafe, escape);
  return device.test(safe) ? escape(safe.slice(0, 1)) + safe.slice(1) : safe;
}

function escape(sign: string): string {
  return `%${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** A path as systems compare it that tell neither cases nor compositions of letters apart. */
export function foldedPath(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** Names that are one in the workspace, which tells them apart by more than the case of plain letters. */
export function foldedName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
