/** Method and path of a route. */
export interface RoutePattern {
  readonly method: string;
  /** Literal segments, `:name` for any segment, and a final `*` for any further segments or none. */
  readonly path: string;
}

/** Routes of one path. */
export interface PathItem<Route> {
  readonly path: string;
  /** Routes by method. HEAD exists if GET does. */
  readonly routes: ReadonlyMap<string, Route>;
  /** Methods for an `Allow` header (RFC 9110 section 10.2.1). */
  readonly allow: string;
  /** Names and indices of parameter segments. */
  readonly parameters: readonly { readonly place: number; readonly name: string }[];
}

export interface Match<Route> {
  readonly item: PathItem<Route>;
  /**
   * Returns the decoded parameters of the path.
   *
   * @throws URIError if a percent escape is invalid.
   */
  params(): Record<string, string>;
}

interface Node<Route> {
  readonly literals: Map<string, Node<Route>>;
  parameter?: Node<Route>;
  /** Path that ends at this node. */
  item?: PathItem<Route>;
  /** Path that ends with `*` at this node. */
  wildcard?: PathItem<Route>;
}

/**
 * Compiles routes into a tree of segments. A lookup costs one step for each segment, for any count of routes.
 * A literal segment precedes a parameter. A trailing slash is ignored.
 */
export function routeTable<Route extends RoutePattern>(
  routes: readonly Route[],
): (address: string) => Match<Route> | undefined {
  const root: Node<Route> = { literals: new Map() };
  for (const [path, pathRoutes] of Map.groupBy(routes, (route) => route.path))
    add(root, itemOf(path, pathRoutes));
  return (address) => {
    const segments = segmentsOf(address).map(decodeOperation);
    const item = find(root, segments, 0);
    return item && { item, params: () => paramsOf(item.parameters, segments) };
  };
}

function itemOf<Route extends RoutePattern>(path: string, pathRoutes: readonly Route[]): PathItem<Route> {
  const routes = new Map(
    pathRoutes.flatMap((route) =>
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
      node.wildcard = item;
      return;
    }
    const existingNode = segment.startsWith(':') ? node.parameter : node.literals.get(segment);
    const next: Node<Route> = existingNode ?? { literals: new Map() };
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
  if (segment === undefined) return node.item ?? node.wildcard;
  const literal = node.literals.get(segment);
  const { parameter } = node;
  return (
    (literal && find(literal, segments, depth + 1)) ??
    (parameter && segment !== '' ? find(parameter, segments, depth + 1) : undefined) ??
    node.wildcard
  );
}

function segmentsOf(address: string): readonly string[] {
  return (address.endsWith('/') ? address.slice(0, -1) : address).split('/');
}

/**
 * Decodes the operation prefix: libraries that encode whole segments send `%24validate` for `$validate` (row
 * 101).
 */
function decodeOperation(segment: string): string {
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
