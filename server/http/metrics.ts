/**
 * What a server measures of itself, for Prometheus. Called by app.ts where `--metrics` is given. Invariant: labels are names of
 * routes, methods and statuses alone, so that nothing of a record or a person is among them, and their number is bounded.
 */
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Guard } from './request.ts';
import { routeTemplate, type MatchRoute, type TableRoute } from './route-table.ts';

/** A number that is asked for when the page is. */
export interface Meter {
  /** Behind `chartkeeper_`, with its unit at the end (prometheus.io, "Metric and label naming"). */
  readonly name: string;
  readonly help: string;
  readonly read: () => number | Promise<number>;
}

/** Methods that are told apart: the others are one, whatever clients make up. */
const methods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What is measured of each request, and the address that tells it. */
export function createMetrics(meters: readonly Meter[]): {
  readonly guard: (match: MatchRoute) => Guard;
  readonly route: TableRoute;
} {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'chartkeeper_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets,
    registers: [registry],
  });
  for (const { name, help, read } of meters) {
    new Gauge({
      ...{ name: `chartkeeper_${name}`, help, registers: [registry] },
      async collect() {
        this.set(await read());
      },
    });
  }

  return {
    /** Times each request, by its route. */
    guard:
      (match: MatchRoute): Guard =>
      (request, response) => {
        const end = requests.startTimer();
        response.once('close', () => {
          const method = methods.includes(request.method) ? request.method : 'other';
          const status = response.writableFinished ? String(response.statusCode) : 'broken off';
          end({ method, route: routeTemplate(request, match), status });
        });
      },

    /** `GET /metrics`, for holders of any token. */
    route: {
      method: 'GET',
      path: '/metrics',
      access: 'token',
      async answer(_request, response) {
        const text = await registry.metrics();
        response.status(200).set('Content-Type', registry.contentType).end(text);
      },
    },
  };
}
