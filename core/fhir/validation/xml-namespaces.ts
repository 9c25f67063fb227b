const noPrefix: readonly string[] = [];

/** Tracks the namespaces in scope by prefix, including the empty prefix. Each step takes constant time. */
export class Namespaces {
  private readonly byPrefix = new Map<string, string[]>();
  /** Prefixes that each open element declares. */
  private readonly declared: (readonly string[])[] = [];

  get(prefix: string): string | undefined {
    return this.byPrefix.get(prefix)?.at(-1);
  }

  enter(attributes: ReadonlyMap<string, string>): void {
    const prefixes: string[] = [];
    for (const [key, value] of attributes) {
      if (key !== 'xmlns' && !key.startsWith('xmlns:')) continue;
      const prefix = key.slice('xmlns:'.length);
      const values = this.byPrefix.get(prefix);
      if (values) values.push(value);
      else this.byPrefix.set(prefix, [value]);
      prefixes.push(prefix);
    }
    this.declared.push(prefixes.length > 0 ? prefixes : noPrefix);
  }

  leave(): void {
    for (const prefix of this.declared.pop() ?? noPrefix) this.byPrefix.get(prefix)?.pop();
  }
}
