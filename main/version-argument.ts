/**
 * A sandboxed preload script cannot read the version of the application, so a renderer argument passes it.
 */
const PREFIX = '--chartkeeper-version=';

/** Returns the argument that passes the version to the preload script. */
export function versionArgument(version: string): string {
  return `${PREFIX}${version}`;
}

/** Returns the version from the arguments of a renderer, or an empty string. */
export function readVersion(argv: readonly string[]): string {
  return argv.find((argument) => argument.startsWith(PREFIX))?.slice(PREFIX.length) ?? '';
}
