import { expect, it, vi } from 'vitest';
import { launchReady, flushPromises } from './testing/launch.ts';

it('returns the system’s proxy for an origin, and no proxy if it is unknown', async () => {
  const { fake, getLatestChild } = await launchReady();
  const { resolveProxy } = fake.session.defaultSession;
  resolveProxy.mockResolvedValueOnce('PROXY p.example:8080; DIRECT').mockRejectedValueOnce(new Error('no'));
  const postMessage = vi.mocked(getLatestChild().postMessage);
  for (const ask of [1, 2]) {
    getLatestChild().emit('message', { type: 'proxy', ask, origin: 'https://fhir.example.org' });
    await flushPromises();
  }
  expect(resolveProxy.mock.calls).toEqual([['https://fhir.example.org'], ['https://fhir.example.org']]);
  expect(postMessage.mock.calls.slice(-2)).toEqual([
    [{ type: 'proxy', ask: 1, pac: 'PROXY p.example:8080; DIRECT' }],
    [{ type: 'proxy', ask: 2 }],
  ]);
  expect(getLatestChild().kill).not.toHaveBeenCalled();
});
