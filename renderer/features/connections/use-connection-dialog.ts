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
import { SecretNotSavedError, useConnectionRequests, useConnectionTest } from './connection-requests.ts';
import type { SecretState } from './form-fields.tsx';

/** Target of a dialog: a connection to edit or to copy. A new connection has none. */
export interface DialogOf {
  readonly connection?: ConnectionSummary | undefined;
  readonly copySource?: ConnectionSummary;
}

/** Form, saved connection and actions of a dialog. Actions never reject: errors appear in the form. */
export function useConnectionDialog(target: DialogOf, onClose: () => void) {
  const currentConnection = useConnection().remote;
  const switchTo = useSwitchConnection();
  const announce = useAnnounce();
  const requests = useConnectionRequests();
  const test = useConnectionTest();
  const connectionForm = useForm(target);
  const { id, form, problems, failure, savedConnection, backend } = connectionForm;
  const { busy, attempt, saveAnd, withSavedId } = useAttempts(connectionForm);
  const [address, setAddress] = useState<string>();

  return {
    form,
    problems,
    failure,
    busy,
    savedConnection,
    test,
    address,
    backend,
    secrets: secretStates(form, savedConnection),
    change: (part: Partial<ConnectionForm>) => {
      connectionForm.change(part);
      test.reset();
    },
    /** Saves and closes. Switches to a new connection, or back to the current connection. */
    saveAndClose: () =>
      saveAnd(async (connection) => {
        announce(text.connection.saved(connection.name));
        onClose();
        if (!target.connection || connection.id === currentConnection?.id) await switchTo(connection);
      }),
    runTest: () =>
      attempt(async () => {
        const settings = connectionForm.readSettings();
        if (!settings) return;
        await test.mutateAsync({
          settings,
          secrets: pickEnteredSecrets(form),
          ...(id !== undefined && { id }),
        });
      }),
    signIn: () =>
      saveAnd(async (connection) => {
        const signIn = await requests.signIn(connection.id);
        setAddress(signIn.address);
        window.open(signIn.address, '_blank', 'noopener,noreferrer');
      }),
    signOut: () => withSavedId(requests.signOut),
    removeSecret: () =>
      withSavedId(async (savedId) => {
        await requests.removeSecret(savedId);
        announce(text.connection.secretRemoved);
      }),
    remove: () =>
      withSavedId(async (savedId) => {
        // Switch away first: drafts and tabs of the connection close with it.
        if (currentConnection?.id === savedId && !(await switchTo(undefined))) return;
        await requests.remove(savedId);
        announce(text.connection.removed(form.name));
        onClose();
      }),
  } as const;
}

export type OpenDialog = ReturnType<typeof useConnectionDialog>;

/** Runs one action at a time and reports errors in the form. */
function useAttempts({ id, form, readSettings, applySaved, reportError }: ReturnType<typeof useForm>) {
  const requests = useConnectionRequests();
  const [busy, setBusy] = useState(false);
  const attempt = async (action: () => Promise<void>) => {
    setBusy(true);
    try {
      await action();
    } catch (error) {
      reportError(error);
    } finally {
      setBusy(false);
    }
  };
  return {
    busy,
    attempt,
    /** Saves the form and continues with the saved connection. Reports errors in the form. */
    saveAnd: (onSaved: (connection: ConnectionSummary) => Promise<void>) =>
      attempt(async () => {
        const settings = readSettings();
        if (!settings) return;
        const connection = await requests.save(id, settings, pickEnteredSecrets(form));
        applySaved(connection);
        await onSaved(connection);
      }),
    /** Runs an action with the ID of the saved connection. Does nothing for a new connection. */
    withSavedId: (action: (savedId: string) => Promise<void>) =>
      attempt(() => (id === undefined ? Promise.resolve() : action(id))),
  };
}

/** State of the form, with the saved connection and the problems. */
function useForm({ connection: savedTarget, copySource }: DialogOf) {
  const list = useConnections().data;
  const [id, setId] = useState(savedTarget?.id);
  const [form, setForm] = useState<ConnectionForm>(() => {
    if (copySource) return copyOf(copySource, list?.connections.map(({ name }) => name) ?? []);
    return savedTarget ? formOf(savedTarget) : emptyForm;
  });
  const [problems, setProblems] = useState<FormProblems>({});
  const [failure, setFailure] = useState<Failure & { readonly title: string }>();
  const savedConnection =
    list?.connections.find((candidate) => candidate.id === id) ??
    (id === savedTarget?.id ? savedTarget : undefined);
  return {
    id,
    form,
    problems,
    failure,
    savedConnection,
    backend: list?.secrets,
    change: (part: Partial<ConnectionForm>) => {
      setForm((previous) => ({ ...previous, ...part }));
      setProblems((previous) =>
        Object.fromEntries(Object.entries(previous).filter(([name]) => !(name in part))),
      );
    },
    /** Returns the settings of the form; undefined if it has problems, which then appear. */
    readSettings: () => {
      const result = settingsOf(form);
      setFailure(undefined);
      setProblems('problems' in result ? result.problems : {});
      return 'problems' in result ? undefined : result.settings;
    },
    /** Continues with the saved connection. */
    applySaved: (connection: ConnectionSummary) => {
      setId(connection.id);
      setForm({ ...formOf(connection) });
    },
    /** Reports an error, with each issue at its field. */
    reportError: (error: unknown) => {
      const isSecretError = error instanceof SecretNotSavedError;
      if (isSecretError) setId(error.id);
      const errorDetails = toFailure(isSecretError ? error.cause : error);
      const issues = errorDetails.issues ?? [];
      setProblems(problemsAt(issues));
      const title = isSecretError ? text.connection.secretFailed : text.connection.failed;
      setFailure({ ...errorDetails, title, sentences: issues.length > 0 ? [] : errorDetails.sentences });
    },
  };
}

function pickEnteredSecrets(form: ConnectionForm): Partial<Record<SecretKind, string>> {
  const secretEntries = secretKinds.map((kind) => [kind, form[secretFields[kind]]] as const);
  return Object.fromEntries(secretEntries.filter(([, secret]) => secret.trim() !== ''));
}

/** Returns for each secret if it is stored, and if the edited form keeps it. */
function secretStates(form: ConnectionForm, savedConnection: ConnectionSummary | undefined) {
  const stateOf = (kind: SecretKind, isSet = false): SecretState => {
    if (!savedConnection || !isSet) return 'none';
    return dropsSecret(form, savedConnection, kind) ? 'dropped' : 'kept';
  };
  return {
    secret: stateOf('secret', savedConnection?.secretSet),
    proxy: stateOf('proxy', savedConnection?.proxySecretSet),
    certificate: stateOf('certificate', savedConnection?.certificateSecretSet),
  };
}
