/** A literal reference and its element. */
export interface NamedLiteral {
  /** In the form of an issue's expression: `Composition.section[0].entry[1]`. */
  readonly path: string;
  readonly reference: string;
}

/**
 * Returns the literal references of a record and of its contained resources in order, except those to contained
 * resources.
 */
export function literalsIn(record: unknown): NamedLiteral[] {
  const literals: NamedLiteral[] = [];
  const isMembers = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null;
  const visit = (value: unknown, path: string): void => {
    if (Array.isArray(value)) value.forEach((item, index) => visit(item, `${path}[${index}]`));
    else if (isMembers(value)) {
      const { reference } = value;
      if (typeof reference === 'string' && reference !== '' && !reference.startsWith('#'))
        literals.push({ path, reference });
      for (const [name, member] of Object.entries(value)) visit(member, `${path}.${name}`);
    }
  };
  const type = isMembers(record) ? record.resourceType : undefined;
  visit(record, typeof type === 'string' ? type : '');
  return literals;
}
