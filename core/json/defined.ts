/** The members that are not undefined: for `{ a?: string }`, which under exactOptionalPropertyTypes takes none that is. */
export function defined<T extends object>(members: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  const found = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(found) as ReturnType<typeof defined<T>>;
}
