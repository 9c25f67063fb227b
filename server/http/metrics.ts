/**
 * Metrics of the server for Prometheus. Called by app.ts with `--metrics`.
 *
 * Invariant: labels are names of routes, methods and statuses only. They never contain data of a record or
 * person, and their number is limited.
 */
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Guard } from './request.ts';
import { routeTemplate, type MatchRoute, type TableRoute } from './route-table.ts';

/** Metric that is read with each scrape. */
export interface Meter {
  /** Name after `chartkeeper_`, with the unit at the end (prometheus.io, "Metric and label naming"). */
  readonly name: string;
  readonly help: string;
  readonly readValue: () => number | Promise<number>;
}

/** Methods with a label. Other methods share the label `other`. */
const methods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Upper bounds in seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Creates the guard that measures requests and the `/metrics` route. */
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
  for (const { name, help, readValue } of meters) {
    new Gauge({
      name: `chartkeeper_${name}`,
      help,
      registers: [registry],
      async collect() {
        this.set(await readValue());
      },
    });
  }

  return {
    /** Measures each request by route. */
    guard:
      (match: MatchRoute): Guard =>
      (request) => {
        const stopTimer = requests.startTimer();
        request.onClosed(({ status, isComplete }) => {
          const method = methods.includes(request.method) ? request.method : 'other';
          const statusLabel = isComplete ? String(status) : 'broken off';
          stopTimer({ method, route: routeTemplate(request, match), status: statusLabel });
        });
      },

    /** `GET /metrics` requires any token. */
    route: {
      method: 'GET',
      path: '/metrics',
      access: 'token',
      async handler() {
        const headers = { 'Content-Type': registry.contentType };
        return { status: 200, headers, body: await registry.metrics() };
      },
    },
  };
}
