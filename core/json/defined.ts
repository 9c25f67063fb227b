/**
 * Returns the members that are not undefined, for types with `a?: string` under exactOptionalPropertyTypes.
 */
export function defined<T extends object>(members: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  const definedEntries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(definedEntries) as ReturnType<typeof defined<T>>;
}
