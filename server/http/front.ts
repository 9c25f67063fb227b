import type { ErrorRequestHandler, Express, Request, Response } from 'express';
import type { RequestListener } from 'node:http';
import type { TableHandler } from './route-table.ts';

/**
 * Has each request looked up in the table first, as Express' own request: the application's router costs a read as much as
 * its row in the table does. What the table does not have goes on to the application; `refuse` answers what it throws.
 */
export function withTable(app: Express, table: TableHandler, refuse: ErrorRequestHandler): RequestListener {
  return (incoming, outgoing) => {
    const request = Object.setPrototypeOf(incoming, app.request) as Request;
    const response = Object.setPrototypeOf(outgoing, app.response) as Response;
    request.res = response;
    response.req = request;
    response.locals = {};
    request.originalUrl = request.url;
    table(request, response, () => {
      app(request, response);
    })
      .catch((thrown: unknown) => {
        refuse(thrown, request, response, () => undefined);
      })
      // What cannot even be refused ends its own connection, and nothing else.
      .catch(() => response.destroy());
  };
}
