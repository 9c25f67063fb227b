/** A sandboxed preload script cannot ask for the application's version: it is told by a renderer argument. */
const PREFIX = '--chartkeeper-version=';

/** Returns the argument that tells the preload script the application's version. */
export function versionArgument(version: string): string {
  return `${PREFIX}${version}`;
}

/** Returns the version among a renderer's arguments, or an empty string. */
export function readVersion(argv: readonly string[]): string {
  return argv.find((argument) => argument.startsWith(PREFIX))?.slice(PREFIX.length) ?? '';
}
