import type { RequestHandler } from 'express';

/**
 * One handler that runs several in turn. What every request passes stands in one: Express matches each of its own
 * handlers against the address anew, which on a read took longer than the guards themselves.
 */
export function series(...handlers: readonly RequestHandler[]): RequestHandler {
  return (request, response, next) => {
    const run = (place: number): void => {
      const handler = handlers[place];
      if (!handler) {
        next();
        return;
      }
      try {
        const ended: unknown = handler(request, response, (fault?: unknown) => {
          if (fault === undefined) run(place + 1);
          else next(fault);
        });
        if (ended instanceof Promise) ended.catch(next);
      } catch (fault) {
        next(fault);
      }
    };
    run(0);
  };
}

/** Hands on what is asked for at a path or below it, without Express' taking the path off the address and on again. */
export function below(path: string, handler: RequestHandler): RequestHandler {
  const start = `${path}/`;
  return (request, response, next) =>
    request.path === path || request.path.startsWith(start) ? handler(request, response, next) : next();
}
