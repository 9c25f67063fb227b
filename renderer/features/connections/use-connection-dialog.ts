import { useState } from 'react';
import type { ConnectionSummary } from '../../../core/app/connections.ts';
import { secretKinds, type SecretKind } from '../../../core/app/secret-places.ts';
import { useConnection, useSwitchConnection } from '../../platform/connection.ts';
import { useConnections } from '../../platform/use-connections.ts';
import { toFailure, type Failure } from '../../ui/failure.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import {
  copyOf,
  dropsSecret,
  emptyForm,
  formOf,
  problemsAt,
  secretFields,
  settingsOf,
  type ConnectionForm,
  type FormProblems,
} from './connection-form.ts';
import { SecretNotSaved, useConnectionRequests, useConnectionTest } from './connection-requests.ts';
import type { SecretState } from './form-fields.tsx';

/** What a dialog is of: a connection to edit, one to make another like, or a new one. */
export interface DialogOf {
  readonly connection?: ConnectionSummary | undefined;
  readonly like?: ConnectionSummary;
}

/** The dialog of one connection: its form, what is kept of it, and what can be done. Nothing rejects. */
export function useConnectionDialog(of: DialogOf, onClose: () => void) {
  const worked = useConnection().remote;
  const turn = useSwitchConnection();
  const announce = useAnnounce();
  const requests = useConnectionRequests();
  const test = useConnectionTest();
  const written = useForm(of);
  const { id, form, problems, failure, kept, backend } = written;
  const { busy, attempt, saveAnd, ofKept } = useAttempts(written);
  const [address, setAddress] = useState<string>();

  return {
    ...{ form, problems, failure, busy, kept, test, address, backend },
    secrets: secretStates(form, kept),
    change: (part: Partial<ConnectionForm>) => {
      written.change(part);
      test.reset();
    },
    /** Saves and closes; a new connection, and the one that is worked on, are turned to. */
    saveAndClose: () =>
      saveAnd(async (saved) => {
        announce(text.connection.saved(saved.name));
        onClose();
        if (!of.connection || saved.id === worked?.id) await turn(saved);
      }),
    runTest: () =>
      attempt(async () => {
        const settings = written.read();
        if (!settings) return;
        await test.mutateAsync({ settings, secrets: enteredIn(form), ...(id !== undefined && { id }) });
      }),
    signIn: () =>
      saveAnd(async (saved) => {
        const started = await requests.signIn(saved.id);
        setAddress(started.address);
        window.open(started.address, '_blank', 'noopener,noreferrer');
      }),
    signOut: () => ofKept(requests.signOut),
    removeSecret: () =>
      ofKept(async (own) => {
        await requests.removeSecret(own);
        announce(text.connection.secretRemoved);
      }),
    remove: () =>
      ofKept(async (own) => {
        // First away from it: its drafts and tabs go with it.
        if (worked?.id === own && !(await turn(undefined))) return;
        await requests.remove(own);
        announce(text.connection.removed(form.name));
        onClose();
      }),
  } as const;
}

export type OpenDialog = ReturnType<typeof useConnectionDialog>;

/** Does one thing at a time; what goes wrong, the form says. */
function useAttempts({ id, form, read, take, refuse }: ReturnType<typeof useForm>) {
  const requests = useConnectionRequests();
  const [busy, setBusy] = useState(false);
  const attempt = async (act: () => Promise<void>) => {
    setBusy(true);
    try {
      await act();
    } catch (error) {
      refuse(error);
    } finally {
      setBusy(false);
    }
  };
  return {
    busy,
    attempt,
    /** Saves what the form says and goes on with that; where it cannot be saved, the form says why. */
    saveAnd: (goOn: (saved: ConnectionSummary) => Promise<void>) =>
      attempt(async () => {
        const settings = read();
        if (!settings) return;
        const saved = await requests.save(id, settings, enteredIn(form));
        take(saved);
        await goOn(saved);
      }),
    /** Does what can be done with the connection as it is kept; nothing while it is new. */
    ofKept: (act: (own: string) => Promise<void>) =>
      attempt(() => (id === undefined ? Promise.resolve() : act(id))),
  };
}

/** What is written of a connection, which one it is of, and what is wrong with it. */
function useForm({ connection: opened, like }: DialogOf) {
  const list = useConnections().data;
  const [id, setId] = useState(opened?.id);
  const [form, setForm] = useState<ConnectionForm>(() => {
    if (like) return copyOf(like, list?.connections.map(({ name }) => name) ?? []);
    return opened ? formOf(opened) : emptyForm;
  });
  const [problems, setProblems] = useState<FormProblems>({});
  const [failure, setFailure] = useState<Failure & { readonly title: string }>();
  const kept = list?.connections.find((one) => one.id === id) ?? (id === opened?.id ? opened : undefined);
  return {
    ...{ id, form, problems, failure, kept },
    backend: list?.secrets,
    change: (part: Partial<ConnectionForm>) => {
      setForm((now) => ({ ...now, ...part }));
      setProblems((now) => Object.fromEntries(Object.entries(now).filter(([name]) => !(name in part))));
    },
    /** What the form says; undefined where something in it is wrong, which it then says. */
    read: () => {
      const found = settingsOf(form);
      setFailure(undefined);
      setProblems('problems' in found ? found.problems : {});
      return 'problems' in found ? undefined : found.settings;
    },
    /** Goes on with what the server keeps now. */
    take: (saved: ConnectionSummary) => {
      setId(saved.id);
      setForm({ ...formOf(saved) });
    },
    /** Says what the server would not do, each issue at its field. */
    refuse: (error: unknown) => {
      const ofSecret = error instanceof SecretNotSaved;
      if (ofSecret) setId(error.id);
      const found = toFailure(ofSecret ? error.cause : error);
      const issues = found.issues ?? [];
      setProblems(problemsAt(issues));
      const title = ofSecret ? text.connection.secretFailed : text.connection.failed;
      setFailure({ ...found, title, sentences: issues.length > 0 ? [] : found.sentences });
    },
  };
}

/** The secrets that were entered, as the server calls them. */
function enteredIn(form: ConnectionForm): Partial<Record<SecretKind, string>> {
  const found = secretKinds.map((kind) => [kind, form[secretFields[kind]]] as const);
  return Object.fromEntries(found.filter(([, secret]) => secret.trim() !== ''));
}

/** Whether each secret is kept, and whether it stays with what the form says now. */
function secretStates(form: ConnectionForm, kept: ConnectionSummary | undefined) {
  const stateOf = (kind: SecretKind, isSet = false): SecretState => {
    if (!kept || !isSet) return 'none';
    return dropsSecret(form, kept, kind) ? 'dropped' : 'kept';
  };
  return {
    secret: stateOf('secret', kept?.secretSet),
    proxy: stateOf('proxy', kept?.proxySecretSet),
    certificate: stateOf('certificate', kept?.certificateSecretSet),
  };
}
