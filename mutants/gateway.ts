import type { Mutant } from './mutant.ts';

const refusals = 'server/gateway/refusals.test.ts';

/** What goes to other servers, and what of it stays here. */
export const gatewayMutants: readonly Mutant[] = [
  {
    mechanism: 'gateway: ids and types of the API alone',
    file: 'server/gateway/target.ts',
    text: '!found || !Object.entries(params).every(isParameter)',
    instead: '!found',
    test: { file: refusals, title: '%s' },
  },
  {
    mechanism: 'gateway: a page link stays at the host',
    file: 'server/gateway/target.ts',
    text: 'url.origin !== base.origin ||',
    test: { file: refusals, title: 'a link is not followed: %s' },
  },
  {
    mechanism: 'gateway: a page link stays below the base',
    file: 'server/gateway/target.ts',
    text: '!below ||',
    test: { file: refusals, title: 'a link is not followed: %s' },
  },
  {
    mechanism: 'gateway: a redirect stays at the host',
    file: 'server/gateway/remote.ts',
    text: 'next.origin === base.origin && next.username',
    instead: 'next.username',
    test: { file: refusals, title: 'a redirect %s is not followed' },
  },
  {
    mechanism: 'gateway: no redirect of a write',
    file: 'server/gateway/remote.ts',
    text: "!['GET', 'HEAD'].includes(request.method)",
    instead: "['TRACE'].includes(request.method)",
    test: { file: refusals, title: 'a redirect %s is not followed' },
  },
  {
    mechanism: 'gateway: read-only connections',
    file: 'server/http/gateway-routes.ts',
    text: 'checkMode(route, connection, request.get(confirmedHeader));',
    test: {
      file: 'server/gateway/modes.test.ts',
      title: 'read-only: reads and both kinds of search pass, every write is refused whatever it says',
    },
  },
  {
    mechanism: 'gateway: confirmed writes name the host',
    file: 'server/gateway/mode.ts',
    text: 'if (confirmed?.trim().toLowerCase() === host) return;',
    instead: 'if (confirmed !== undefined) return;',
    test: {
      file: 'server/gateway/modes.test.ts',
      title: 'confirm: a write passes when it names the host, and no other way',
    },
  },
  {
    mechanism: 'gateway: certificates are checked',
    file: 'server/gateway/wire.ts',
    text: 'rejectUnauthorized: true,',
    instead: 'rejectUnauthorized: false,',
    test: {
      file: 'server/gateway/certificates.test.ts',
      title: 'the certificate is checked even where the environment says otherwise',
    },
  },
  {
    mechanism: 'secrets: a file that others may read is refused',
    file: 'server/gateway/secrets.ts',
    text: "process.platform !== 'win32' && (mode & 0o077) !== 0",
    instead: 'mode < 0',
    test: { file: 'server/gateway/secrets.test.ts', title: 'a file with mode %o is refused' },
  },
];
