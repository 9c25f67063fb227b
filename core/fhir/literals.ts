/** A literal reference as it stands in a record. */
export interface NamedLiteral {
  /** As issues name an element: `Composition.section[0].entry[1]`. */
  readonly path: string;
  readonly reference: string;
}

/** The literal references of a record, its contained resources included, in their order; none to what it contains. */
export function literalsIn(record: unknown): NamedLiteral[] {
  const found: NamedLiteral[] = [];
  const isMembers = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null;
  const visit = (value: unknown, path: string): void => {
    if (Array.isArray(value)) value.forEach((item, index) => visit(item, `${path}[${index}]`));
    else if (isMembers(value)) {
      const { reference } = value;
      if (typeof reference === 'string' && reference !== '' && !reference.startsWith('#'))
        found.push({ path, reference });
      for (const [name, member] of Object.entries(value)) visit(member, `${path}.${name}`);
    }
  };
  const type = isMembers(record) ? record.resourceType : undefined;
  visit(record, typeof type === 'string' ? type : '');
  return found;
}
