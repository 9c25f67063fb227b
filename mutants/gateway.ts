import type { Mutant } from './mutant.ts';

const refusals = 'server/gateway/refusals.test.ts';

/** What goes to other servers, and what of it stays here. */
export const gatewayMutants: readonly Mutant[] = [
  {
    mechanism: 'gateway: ids and types of the API alone',
    file: 'server/gateway/target.ts',
    text: 'if (!Object.entries(params).every((one) => isParameter(one, isOther))) throw unknownPath();',
    test: { file: refusals, title: '%s' },
  },
  {
    mechanism: 'gateway: of other types the read alone',
    file: 'server/gateway/target.ts',
    text: "route?.operation === 'read' && route.method === 'GET' && ",
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
    mechanism: 'gateway: a redirect stays with the resource',
    file: 'server/gateway/remote.ts',
    text: 'below && resourceAt(next, base) === resourceAt(asked, base)',
    instead: 'below',
    test: { file: refusals, title: 'a redirect %s is not followed' },
  },
  {
    mechanism: 'gateway: what is answered is what was asked for',
    file: 'server/gateway/answer.ts',
    text: 'if (status < 400) checkIdentity(identity, host, context);',
    test: {
      file: 'server/gateway/identity.test.ts',
      title: '%s is answered 502 in a sentence, and nothing of it comes through',
    },
  },
  {
    mechanism: 'gateway: an answer is JSON',
    file: 'core/api/identity.ts',
    text: "if (!root || type === undefined) return 'no FHIR';",
    instead: "if (!root) return 'asked';",
    test: {
      file: 'server/gateway/identity.test.ts',
      title: '%s is answered 502 in a sentence, and nothing of it comes through',
    },
  },
  {
    mechanism: 'gateway: a switch of protocols is a fault',
    file: 'server/gateway/wire.ts',
    text: 'switched to another protocol',
    instead: 'went on with another protocol',
    test: {
      file: 'server/gateway/identity.test.ts',
      title: 'a switch of protocols that nobody asked for is a fault at once, and leaves a write unconfirmed',
    },
  },
  {
    mechanism: 'page: a record is the one that was asked for',
    file: 'core/api/client.ts',
    text: 'if (record && isAsked(record, asked))',
    instead: 'if (record)',
    test: {
      file: 'server/gateway/page-identity.test.ts',
      title: 'row 29: a record that is another one is not opened, and what is searched beside it neither',
    },
  },
  {
    mechanism: 'page: an ETag is of the version that was read',
    file: 'core/api/client.ts',
    text: 'return { text: answer.text };',
    instead: 'return answer;',
    test: {
      file: 'server/gateway/page-identity.test.ts',
      title:
        'row 29: an ETag of another version than the record says it is starts no write: the record is compared instead',
    },
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
    text: 'isOpenToOthers(mode)',
    instead: 'mode < 0',
    test: { file: 'server/gateway/secrets.test.ts', title: 'a file with mode %o is refused' },
  },
];
