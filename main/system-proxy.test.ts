import { expect, it, vi } from 'vitest';
import { launchReady, settle } from './testing/launch.ts';

it('answers the server which proxy the system has, by its origin, and says nothing where that is unknown', async () => {
  const { fake, child } = await launchReady();
  const { resolveProxy } = fake.session.defaultSession;
  resolveProxy.mockResolvedValueOnce('PROXY p.example:8080; DIRECT').mockRejectedValueOnce(new Error('no'));
  const answers = vi.mocked(child().postMessage);
  for (const ask of [1, 2]) {
    child().emit('message', { type: 'proxy', ask, origin: 'https://fhir.example.org' });
    await settle();
  }
  expect(resolveProxy.mock.calls).toEqual([['https://fhir.example.org'], ['https://fhir.example.org']]);
  expect(answers.mock.calls.slice(-2)).toEqual([
    [{ type: 'proxy', ask: 1, pac: 'PROXY p.example:8080; DIRECT' }],
    [{ type: 'proxy', ask: 2 }],
  ]);
  expect(child().kill).not.toHaveBeenCalled();
});
