import { expect, test } from 'vitest';
import { routeTable } from './contract.ts';

const match = routeTable([
  { method: 'GET', path: '/plans' },
  { method: 'POST', path: '/plans' },
  { method: 'GET', path: '/plans/:id' },
  { method: 'POST', path: '/plans/_search' },
  { method: 'POST', path: '/plans/:id/$check' },
  { method: 'GET', path: '/plans/:id/_history/:vid' },
  { method: 'GET', path: '/plans/_search/x/:vid' },
  { method: 'PUT', path: '/remote/:id/*' },
  { method: 'GET', path: '/remote/:id/page' },
  { method: 'OPTIONS', path: '/base' },
]);

test.each([
  ['/plans', '/plans', {}],
  ['/plans/', '/plans', {}],
  ['/plans/7', '/plans/:id', { id: '7' }],
  ['/plans/7/', '/plans/:id', { id: '7' }],
  ['/plans/a%2Fb%20c', '/plans/:id', { id: 'a/b c' }],
  ['/plans/_search', '/plans/_search', {}],
  ['/plans/7/$check', '/plans/:id/$check', { id: '7' }],
  ['/plans/7/%24check', '/plans/:id/$check', { id: '7' }],
  ['/plans/%247', '/plans/:id', { id: '$7' }],
  ['/plans/_search/_history/2', '/plans/:id/_history/:vid', { id: '_search', vid: '2' }],
  ['/remote/a/page', '/remote/:id/page', { id: 'a' }],
  ['/remote/a/page/2', '/remote/:id/*', { id: 'a' }],
  ['/remote/a/any//thing', '/remote/:id/*', { id: 'a' }],
  ['/remote/a', '/remote/:id/*', { id: 'a' }],
])('matches %s with %s', (address, path, params) => {
  const routeMatch = match(address);
  expect([routeMatch?.item.path, routeMatch?.params()]).toEqual([path, params]);
});

test.each([
  '',
  '/',
  'plans',
  '/Plans',
  '//plans',
  '/plans//',
  '/plans//_history/2',
  '/plans/7/_history',
  '/plans/7/x/2',
  '/remote',
  '/remote//page',
])('finds no route for %j', (address) => {
  expect(match(address)).toBeUndefined();
});

test.each([
  ['/plans', 'GET, HEAD, POST, OPTIONS'],
  ['/plans/_search', 'POST, OPTIONS'],
  ['/base', 'OPTIONS'],
])('lists the methods of %s: %s', (address, allow) => {
  expect(match(address)?.item.allow).toBe(allow);
});

test('serves HEAD by the route of GET', () => {
  const routes = match('/plans')?.item.routes;
  expect(routes?.get('HEAD')).toBe(routes?.get('GET'));
  expect(routes?.get('DELETE')).toBeUndefined();
});

test('matches an address with invalid escapes and throws when they are decoded', () => {
  const routeMatch = match('/plans/%zz');
  expect(routeMatch?.item.path).toBe('/plans/:id');
  expect(() => routeMatch?.params()).toThrow(URIError);
});
