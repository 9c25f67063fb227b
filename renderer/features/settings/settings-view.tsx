/**
 * features/settings shows the settings of the user and information about the program. The app shell mounts it.
 * Invariant: a setting applies at once and is stored in the workspace; nothing here changes a record.
 */
import { Button, Checkbox, NativeSelect, SegmentedControl } from '@mantine/core';
import { useRef, type ReactNode } from 'react';
import {
  dateLanguages,
  densities,
  draftPauses,
  editorFonts,
  themes,
  type DateLanguage,
  type PreferenceName,
  type Preferences,
} from '../../../core/app/preferences.ts';
import type { Overview } from '../../../core/app/models.ts';
import type { ValidationLevel } from '../../../core/fhir/validation/levels.ts';
import { useOverview } from '../../platform/app-queries.ts';
import { useCommandHandlers } from '../../platform/commands.ts';
import { useConnection } from '../../platform/connection.ts';
import { usePreference } from '../../platform/preferences.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { dateFormat } from '../../ui/date-language.ts';
import { DetailItem } from '../../ui/log/log-details.tsx';
import { text } from '../../ui/text.ts';
import frame from '../../ui/view.module.css';
import { PeopleSection } from './people-part.tsx';
import { KeyTable } from './key-table.tsx';
import styles from './settings.module.css';

const messages = text.settings;

interface SettingsViewProps {
  /** Color theme, which the frame applies. */
  readonly theme: { readonly now: string; readonly choose: (theme: (typeof themes)[number]) => void };
}

/** Settings page. */
export function SettingsView({ theme }: SettingsViewProps) {
  const { remote } = useConnection();
  const overview = useOverview().data;
  const page = useRef<HTMLDivElement>(null);
  const aboutSection = useRef<HTMLElement>(null);
  useCommandHandlers({
    'app.settings': () => page.current?.scrollTo({ top: 0 }),
    'app.about': () => aboutSection.current?.scrollIntoView(),
  });
  return (
    <div className={frame.view}>
      <div ref={page} className={styles.page}>
        <h1 className={styles.title}>{text.views.settings}</h1>
        <Part name={text.people.part}>
          <PeopleSection />
        </Part>
        <Part name={messages.parts.display}>
          <Display theme={theme} />
        </Part>
        <Part name={messages.parts.export}>
          <CheckRow name="csvForExcel" label={messages.csvForExcel} detail={messages.csvForExcelDetail} />
        </Part>
        <Part name={messages.parts.editor}>
          <SelectRow
            name="editorFont"
            label={messages.font}
            values={editorFonts}
            formatValue={messages.fonts}
          />
          <CheckRow name="wordWrap" label={messages.wrap} />
          <CheckRow name="minimap" label={messages.minimap} />
        </Part>
        <Part name={messages.parts.drafts}>
          <SelectRow
            name="draftPause"
            label={messages.draftPause}
            detail={messages.draftDetail}
            values={draftPauses}
            formatValue={messages.draftPauses}
          />
        </Part>
        <Part name={messages.parts.server}>
          {remote ? (
            <p className={styles.detail}>{messages.elsewhere}</p>
          ) : (
            <ServerPart level={overview?.level} />
          )}
        </Part>
        <section ref={aboutSection} className={styles.part} aria-label={messages.parts.about}>
          <h2>{messages.parts.about}</h2>
          <ProgramDetails overview={overview} />
        </section>
        <Part name={messages.parts.keys}>
          <KeyTable />
        </Part>
      </div>
    </div>
  );
}

/** Background work of the local server, with links to details. */
function ServerPart({ level }: { readonly level: ValidationLevel | undefined }) {
  const { openView } = useWorkbenchActions();
  return (
    <dl className={styles.facts}>
      <dt>{messages.level}</dt>
      <dd>
        <span>{level && messages.levels[level]}</span>
        <p className={styles.detail}>{messages.levelDetail}</p>
      </dd>
      <dt>{messages.judging}</dt>
      <dd className={styles.led}>
        {messages.judgingDetail}
        <Button size="compact-xs" onClick={() => openView('quality')}>
          {messages.openQuality}
        </Button>
      </dd>
      <dt>{messages.backups}</dt>
      <dd className={styles.led}>
        {messages.backupsDetail}
        <Button size="compact-xs" onClick={() => openView('backups')}>
          {messages.openBackups}
        </Button>
      </dd>
    </dl>
  );
}

/** Information about the program and the data folder. Version and folder of another server are unknown. */
function ProgramDetails({
  overview,
}: {
  readonly overview: Pick<Overview, 'version' | 'folder'> | undefined;
}) {
  return (
    <dl className={styles.facts}>
      {overview && <DetailItem name={messages.version} value={overview.version} mono />}
      <DetailItem name={messages.standard} value={messages.fhir} />
      {overview && <DetailItem name={messages.folder} value={overview.folder} mono />}
      <DetailItem name={messages.network} value={messages.networkDetail} />
      <DetailItem name={messages.licence} value={messages.mit} />
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
          onChange={(value) => theme.choose(themes.find((candidate) => candidate === value) ?? 'auto')}
        />
      </Row>
      <Row label={text.frame.density}>
        <SegmentedControl
          size="xs"
          aria-label={text.frame.density}
          data={densities.map((value) => ({ value, label: text.frame.densities[value] }))}
          value={density}
          onChange={(value) => setDensity(densities.find((candidate) => candidate === value) ?? 'compact')}
        />
      </Row>
      <SelectRow
        name="dateLanguage"
        label={messages.dateLanguage}
        detail={messages.dateDetail}
        values={dateLanguages}
        formatValue={dateSample}
      />
    </>
  );
}

/** A sample time whose parts are distinct, to compare date languages. */
const sample = Date.UTC(2026, 0, 23, 14, 2);

function dateSample(language: DateLanguage): string {
  const samples = (['day', 'minute'] as const).map((format) =>
    dateFormat(format, { language, utc: true }).format(sample),
  );
  return messages.dates(language, samples.join(' '));
}

interface SelectRowProps<Name extends PreferenceName> {
  readonly name: Name;
  readonly label: string;
  readonly detail?: string;
  readonly values: readonly Preferences[Name][];
  readonly formatValue: (value: Preferences[Name]) => string;
}

/** A preference with a few values. */
function SelectRow<Name extends PreferenceName>({ name, values, formatValue, ...row }: SelectRowProps<Name>) {
  const [selectedValue, select] = usePreference(name);
  return (
    <Row {...row}>
      <NativeSelect
        size="xs"
        aria-label={row.label}
        data={values.map((value) => ({ value: String(value), label: formatValue(value) }))}
        value={String(selectedValue)}
        onChange={({ currentTarget: { value } }) => {
          const match = values.find((candidate) => String(candidate) === value);
          if (match !== undefined) select(match);
        }}
      />
    </Row>
  );
}

interface CheckRowProps {
  readonly name: 'wordWrap' | 'minimap' | 'csvForExcel';
  readonly label: string;
  readonly detail?: string;
}

function CheckRow({ name, label, ...rowProps }: CheckRowProps) {
  const [checked, set] = usePreference(name);
  return (
    <Row label={label} {...rowProps}>
      <Checkbox
        size="xs"
        aria-label={label}
        checked={checked}
        onChange={({ currentTarget }) => set(currentTarget.checked)}
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
