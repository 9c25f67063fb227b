/**
 * features/settings shows what the steward can choose, and what the program says of itself. The app shell mounts it.
 * Invariant: a choice holds at once and is kept in the workspace; nothing here changes a record.
 */
import { Checkbox, NativeSelect, SegmentedControl } from '@mantine/core';
import { useRef, type ReactNode } from 'react';
import {
  dateLanguages,
  densities,
  draftPauses,
  editorFonts,
  themes,
  type DateLanguage,
} from '../../../core/app/preferences.ts';
import type { Overview } from '../../../core/app/models.ts';
import { useOverview } from '../../platform/app-queries.ts';
import { useCommandHandlers } from '../../platform/commands.ts';
import { useConnection } from '../../platform/connection.ts';
import { usePreference } from '../../platform/preferences.ts';
import { dateFormat } from '../../ui/date-language.ts';
import { FactPair } from '../../ui/log/log-details.tsx';
import { text } from '../../ui/text.ts';
import frame from '../../ui/view.module.css';
import { PeoplePart } from './people-part.tsx';
import { KeyTable } from './key-table.tsx';
import { ServerPart } from './server-part.tsx';
import styles from './settings.module.css';

const words = text.settings;

interface SettingsViewProps {
  /** The choice of colours, which the frame makes. */
  readonly theme: { readonly now: string; readonly choose: (theme: (typeof themes)[number]) => void };
}

/** The Settings page. */
export function SettingsView({ theme }: SettingsViewProps) {
  const { remote } = useConnection();
  const overview = useOverview().data;
  const page = useRef<HTMLDivElement>(null);
  const about = useRef<HTMLElement>(null);
  useCommandHandlers({
    'app.settings': () => page.current?.scrollTo({ top: 0 }),
    'app.about': () => about.current?.scrollIntoView(),
  });
  return (
    <div className={frame.view}>
      <div ref={page} className={styles.page}>
        <h1 className={styles.title}>{text.views.settings}</h1>
        <Part name={text.people.part}>
          <PeoplePart />
        </Part>
        <Part name={words.parts.display}>
          <Display theme={theme} />
        </Part>
        <Part name={words.parts.editor}>
          <Editor />
        </Part>
        <Part name={words.parts.drafts}>
          <DraftPause />
        </Part>
        <Part name={words.parts.server}>
          {remote ? (
            <p className={styles.detail}>{words.elsewhere}</p>
          ) : (
            <ServerPart level={overview?.level} />
          )}
        </Part>
        <section ref={about} className={styles.part} aria-label={words.parts.about}>
          <h2>{words.parts.about}</h2>
          <About of={overview} />
        </section>
        <Part name={words.parts.keys}>
          <KeyTable />
        </Part>
      </div>
    </div>
  );
}

/** What the program is, and where the data lies; of another server neither its version nor its folder. */
function About({ of }: { readonly of: Pick<Overview, 'version' | 'folder'> | undefined }) {
  return (
    <dl className={styles.facts}>
      {of && <FactPair name={words.version} value={of.version} mono />}
      <FactPair name={words.standard} value={words.fhir} />
      {of && <FactPair name={words.folder} value={of.folder} mono />}
      <FactPair name={words.network} value={words.networkDetail} />
      <FactPair name={words.licence} value={words.mit} />
    </dl>
  );
}

function Part({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <section className={styles.part} aria-label={name}>
      <h2>{name}</h2>
      {children}
    </section>
  );
}

function Display({ theme }: Pick<SettingsViewProps, 'theme'>) {
  const [density, setDensity] = usePreference('density');
  return (
    <>
      <Row label={text.frame.theme}>
        <SegmentedControl
          size="xs"
          aria-label={text.frame.theme}
          data={themes.map((value) => ({ value, label: text.frame.themes[value] }))}
          value={theme.now}
          onChange={(value) => theme.choose(themes.find((one) => one === value) ?? 'auto')}
        />
      </Row>
      <Row label={text.frame.density}>
        <SegmentedControl
          size="xs"
          aria-label={text.frame.density}
          data={densities.map((value) => ({ value, label: text.frame.densities[value] }))}
          value={density}
          onChange={(value) => setDensity(densities.find((one) => one === value) ?? 'compact')}
        />
      </Row>
      <Dates />
    </>
  );
}

/** A time by which languages of dates are told apart: no part of it can be taken for another. */
const sample = Date.UTC(2026, 0, 23, 14, 2);

function Dates() {
  const [language, setLanguage] = usePreference('dateLanguage');
  const label = (value: DateLanguage) => {
    const written = (['day', 'minute'] as const).map((one) =>
      dateFormat(one, { language: value, utc: true }).format(sample),
    );
    return words.dates(value, written.join(' '));
  };
  return (
    <Row label={words.dateLanguage} detail={words.dateDetail}>
      <NativeSelect
        size="xs"
        aria-label={words.dateLanguage}
        data={dateLanguages.map((value) => ({ value, label: label(value) }))}
        value={language}
        onChange={({ currentTarget: { value } }) =>
          setLanguage(dateLanguages.find((one) => one === value) ?? 'iso')
        }
      />
    </Row>
  );
}

function Editor() {
  const [font, setFont] = usePreference('editorFont');
  return (
    <>
      <Row label={words.font}>
        <NativeSelect
          size="xs"
          aria-label={words.font}
          data={editorFonts.map((value) => ({ value: String(value), label: words.fonts(value) }))}
          value={String(font)}
          onChange={({ currentTarget: { value } }) =>
            setFont(editorFonts.find((one) => String(one) === value) ?? 13)
          }
        />
      </Row>
      <CheckRow name="wordWrap" label={words.wrap} />
      <CheckRow name="minimap" label={words.minimap} />
    </>
  );
}

interface CheckRowProps {
  readonly name: 'wordWrap' | 'minimap';
  readonly label: string;
}

function CheckRow({ name, label }: CheckRowProps) {
  const [checked, set] = usePreference(name);
  return (
    <Row label={label}>
      <Checkbox
        size="xs"
        aria-label={label}
        checked={checked}
        onChange={({ currentTarget }) => set(currentTarget.checked)}
      />
    </Row>
  );
}

function DraftPause() {
  const [pause, setPause] = usePreference('draftPause');
  return (
    <Row label={words.draftPause} detail={words.draftDetail}>
      <NativeSelect
        size="xs"
        aria-label={words.draftPause}
        data={draftPauses.map((value) => ({ value: String(value), label: words.draftPauses(value) }))}
        value={String(pause)}
        onChange={({ currentTarget: { value } }) =>
          setPause(draftPauses.find((one) => String(one) === value) ?? 500)
        }
      />
    </Row>
  );
}

interface RowProps {
  readonly label: string;
  readonly detail?: string;
  readonly children: ReactNode;
}

function Row({ label, detail, children }: RowProps) {
  return (
    <div className={styles.row}>
      <div>
        <span aria-hidden>{label}</span>
        {detail !== undefined && <p className={styles.detail}>{detail}</p>}
      </div>
      {children}
    </div>
  );
}
