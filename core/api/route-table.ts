/** One method of one path. */
export interface Routed {
  readonly method: string;
  /** Literal segments, `:name` for any other one, and `*` at the end for whatever follows, nothing included. */
  readonly path: string;
}

/** What one path answers. */
export interface PathItem<Route> {
  readonly path: string;
  /** By method; HEAD is answered where GET is. */
  readonly routes: ReadonlyMap<string, Route>;
  /** Its methods, as an `Allow` header names them (RFC 9110 section 10.2.1). */
  readonly allow: string;
  /** Which of its segments stand for parameters. */
  readonly parameters: readonly { readonly place: number; readonly name: string }[];
}

export interface Match<Route> {
  readonly item: PathItem<Route>;
  /**
   * What stands for the parameters of the path, decoded.
   *
   * @throws URIError where a percent escape cannot be decoded.
   */
  params(): Record<string, string>;
}

interface Node<Route> {
  readonly literals: Map<string, Node<Route>>;
  parameter?: Node<Route>;
  /** The path that ends here. */
  item?: PathItem<Route>;
  /** The path that ends here with `*`. */
  rest?: PathItem<Route>;
}

/**
 * Compiles routes into a tree of segments, in which an address is found by a step for each of its segments, however
 * many routes there are. A literal segment goes before a parameter; a slash at the end of an address counts as none.
 */
export function routeTable<Route extends Routed>(
  routes: readonly Route[],
): (address: string) => Match<Route> | undefined {
  const root: Node<Route> = { literals: new Map() };
  for (const [path, own] of Map.groupBy(routes, (route) => route.path)) add(root, itemOf(path, own));
  return (address) => {
    const segments = segmentsOf(address).map(operationOf);
    const item = find(root, segments, 0);
    return item && { item, params: () => paramsOf(item.parameters, segments) };
  };
}

function itemOf<Route extends Routed>(path: string, own: readonly Route[]): PathItem<Route> {
  const routes = new Map(
    own.flatMap((route) =>
      (route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]).map((method) => [method, route] as const),
    ),
  );
  const parameters = segmentsOf(path).flatMap((segment, place) =>
    segment.startsWith(':') ? [{ place, name: segment.slice(1) }] : [],
  );
  return { path, routes, allow: [...new Set([...routes.keys(), 'OPTIONS'])].join(', '), parameters };
}

function add<Route>(root: Node<Route>, item: PathItem<Route>): void {
  let node = root;
  for (const segment of segmentsOf(item.path)) {
    if (segment === '*') {
      node.rest = item;
      return;
    }
    const known = segment.startsWith(':') ? node.parameter : node.literals.get(segment);
    const next: Node<Route> = known ?? { literals: new Map() };
    if (segment.startsWith(':')) node.parameter = next;
    else node.literals.set(segment, next);
    node = next;
  }
  node.item = item;
}

function find<Route>(
  node: Node<Route>,
  segments: readonly string[],
  depth: number,
): PathItem<Route> | undefined {
  const segment = segments[depth];
  if (segment === undefined) return node.item ?? node.rest;
  const literal = node.literals.get(segment);
  const { parameter } = node;
  return (
    (literal && find(literal, segments, depth + 1)) ??
    (parameter && segment !== '' ? find(parameter, segments, depth + 1) : undefined) ??
    node.rest
  );
}

function segmentsOf(address: string): readonly string[] {
  return (address.endsWith('/') ? address.slice(0, -1) : address).split('/');
}

/** A segment as it is looked up: libraries that encode whole segments send `%24validate` for `$validate` (row 101). */
function operationOf(segment: string): string {
  return segment.startsWith('%24') ? `$${segment.slice(3)}` : segment;
}

function paramsOf(
  parameters: PathItem<unknown>['parameters'],
  segments: readonly string[],
): Record<string, string> {
  const params: Record<string, string> = {};
  for (const { place, name } of parameters) {
    const segment = segments[place] ?? '';
    params[name] = segment.includes('%') ? decodeURIComponent(segment) : segment;
  }
  return params;
}
