/** FHIRPath of the element that reference tokens name: `CarePlan.activity[0].detail.status`. */
export function expressionAt(type: string, tokens: readonly string[]): string {
  return tokens.reduce(
    (path, token) => (/^[0-9]+$/.test(token) ? `${path}[${token}]` : `${path}.${token}`),
    type,
  );
}
