import { useState } from 'react';
import type { ConnectionSummary } from '../../../core/app/connections.ts';
import { secretKinds, type SecretKind } from '../../../core/app/secret-places.ts';
import { useConnection, useSwitchConnection } from '../../platform/connection.ts';
import { toFailure, type Failure } from '../../ui/failure.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import {
  copyOf,
  dropsSecret,
  emptyForm,
  fieldOf,
  formOf,
  secretFields,
  settingsOf,
  type ConnectionForm,
  type FormProblems,
} from './connection-form.ts';
import {
  SecretNotSaved,
  useConnectionRequests,
  useConnections,
  useConnectionTest,
} from './use-connections.ts';
import type { SecretState } from './way-fields.tsx';

/** What a dialog is of: a connection to edit, one to make another like, or a new one. */
export interface DialogOf {
  readonly connection?: ConnectionSummary | undefined;
  readonly like?: ConnectionSummary;
}

/** The dialog of one connection: its form, what is kept of it, and what can be done. Nothing rejects. */
export function useConnectionDialog({ connection: opened, like }: DialogOf, onClose: () => void) {
  const worked = useConnection().remote;
  const turn = useSwitchConnection();
  const announce = useAnnounce();
  const list = useConnections().data;
  const requests = useConnectionRequests();
  const test = useConnectionTest();
  const [id, setId] = useState(opened?.id);
  const [form, setForm] = useState<ConnectionForm>(() => {
    if (like) return copyOf(like, list?.connections.map(({ name }) => name) ?? []);
    return opened ? formOf(opened) : emptyForm;
  });
  const [problems, setProblems] = useState<FormProblems>({});
  const [failure, setFailure] = useState<Failure & { readonly title: string }>();
  const [busy, setBusy] = useState(false);
  const [address, setAddress] = useState<string>();
  const kept = list?.connections.find((one) => one.id === id) ?? (id === opened?.id ? opened : undefined);

  /** What the form says; undefined where something in it is wrong, which it then says. */
  function read() {
    const found = settingsOf(form);
    setFailure(undefined);
    setProblems('problems' in found ? found.problems : {});
    return 'problems' in found ? undefined : found.settings;
  }

  /** The secrets that were entered, as the server calls them. */
  function entered(): Partial<Record<SecretKind, string>> {
    const found = secretKinds.map((kind) => [kind, form[secretFields[kind]]] as const);
    return Object.fromEntries(found.filter(([, secret]) => secret.trim() !== ''));
  }

  /** Saves what the form says; undefined where that is not possible, which the form then says. */
  async function save(): Promise<ConnectionSummary | undefined> {
    const settings = read();
    if (!settings) return undefined;
    try {
      const saved = await requests.save(id, settings, entered());
      setId(saved.id);
      setForm({ ...formOf(saved) });
      return saved;
    } catch (error) {
      if (error instanceof SecretNotSaved) setId(error.id);
      refused(error);
      return undefined;
    }
  }

  function stateOf(kind: SecretKind, isSet = false): SecretState {
    if (!kept || !isSet) return 'none';
    return dropsSecret(form, kept, kind) ? 'dropped' : 'kept';
  }

  function refused(error: unknown) {
    const ofSecret = error instanceof SecretNotSaved;
    const found = toFailure(ofSecret ? error.cause : error);
    const issues = found.issues ?? [];
    setProblems(
      Object.fromEntries(
        issues.map((issue) => [fieldOf((issue.expression ?? '').replace('settings.', '')), issue.text]),
      ),
    );
    const title = ofSecret ? text.connection.secretFailed : text.connection.failed;
    setFailure({ ...found, title, sentences: issues.length > 0 ? [] : found.sentences });
  }

  /** Does one thing at a time. */
  async function attempt(act: () => Promise<void>) {
    setBusy(true);
    try {
      await act();
    } catch (error) {
      refused(error);
    } finally {
      setBusy(false);
    }
  }

  return {
    form,
    problems,
    failure,
    busy,
    kept,
    test,
    address,
    backend: list?.secrets,
    secrets: {
      secret: stateOf('secret', kept?.secretSet),
      proxy: stateOf('proxy', kept?.proxySecretSet),
      certificate: stateOf('certificate', kept?.certificateSecretSet),
    },
    change: (part: Partial<ConnectionForm>) => {
      setForm((now) => ({ ...now, ...part }));
      setProblems((now) => Object.fromEntries(Object.entries(now).filter(([name]) => !(name in part))));
      test.reset();
    },
    /** Saves and closes; a new connection, and the one that is worked on, are turned to. */
    saveAndClose: () =>
      attempt(async () => {
        const saved = await save();
        if (!saved) return;
        announce(text.connection.saved(saved.name));
        onClose();
        if (!opened || saved.id === worked?.id) await turn(saved);
      }),
    runTest: () =>
      attempt(async () => {
        const settings = read();
        if (settings)
          await test.mutateAsync({ settings, secrets: entered(), ...(id !== undefined && { id }) });
      }),
    signIn: () =>
      attempt(async () => {
        const saved = await save();
        if (!saved) return;
        const started = await requests.signIn(saved.id);
        setAddress(started.address);
        window.open(started.address, '_blank', 'noopener,noreferrer');
      }),
    signOut: () => attempt(() => (id === undefined ? Promise.resolve() : requests.signOut(id))),
    removeSecret: () =>
      attempt(async () => {
        if (id === undefined) return;
        await requests.removeSecret(id);
        announce(text.connection.secretRemoved);
      }),
    remove: () =>
      attempt(async () => {
        if (id === undefined) return;
        // First away from it: its drafts and tabs go with it.
        if (worked?.id === id && !(await turn(undefined))) return;
        await requests.remove(id);
        announce(text.connection.removed(form.name));
        onClose();
      }),
  } as const;
}
