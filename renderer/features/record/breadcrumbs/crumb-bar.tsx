import { IconLayoutSidebarRight, IconListTree, IconTextWrap } from '@tabler/icons-react';
import { Fragment, memo, type ComponentType } from 'react';
import { listBreadcrumbs } from '../../../../core/fhir/validation/finding.ts';
import { usePreference } from '../../../platform/preferences.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { text } from '../../../ui/text.ts';
import styles from './crumbs.module.css';

interface CrumbBarProps {
  readonly type: string;
  readonly tokens: readonly string[];
  readonly inspector: boolean;
  readonly onGo: (pointer: string) => void;
  readonly onOutline: () => void;
  readonly onInspector: () => void;
}

/**
 * Bar with the path to the element at the cursor as buttons, and the commands of the editor at its right.
 */
export const Breadcrumbs = memo(function CrumbBar({ type, tokens, inspector, ...handlers }: CrumbBarProps) {
  const crumbs = listBreadcrumbs(type, tokens);
  const [wrap, setWrap] = usePreference('wordWrap');
  return (
    <div className={styles.bar}>
      <nav className={styles.crumbs} aria-label={text.crumbs.name}>
        {crumbs.map(({ name, pointer }, index) => (
          <Fragment key={pointer}>
            {index > 0 && <span aria-hidden>›</span>}
            <button
              type="button"
              {...(index === crumbs.length - 1 && { 'aria-current': 'location' as const })}
              onClick={() => handlers.onGo(pointer)}
            >
              {name}
            </button>
          </Fragment>
        ))}
      </nav>
      <Tool label={text.crumbs.outline} icon={IconListTree} onClick={handlers.onOutline} />
      <Tool label={text.crumbs.wrap} icon={IconTextWrap} pressed={wrap} onClick={() => setWrap(!wrap)} />
      <Tool
        label={text.inspector.name}
        hint={inspector ? text.inspector.hide : text.inspector.show}
        icon={IconLayoutSidebarRight}
        pressed={inspector}
        onClick={handlers.onInspector}
      />
    </div>
  );
});

interface ToolProps {
  readonly label: string;
  readonly hint?: string;
  readonly icon: ComponentType<{ size: number }>;
  readonly pressed?: boolean;
  readonly onClick: () => void;
}

const Tool = memo(function Tool({ label, hint = label, icon: Icon, pressed, onClick }: ToolProps) {
  return (
    <IconButton
      label={label}
      hint={hint}
      size={24}
      {...(pressed !== undefined && { 'aria-pressed': pressed })}
      className={styles.tool ?? ''}
      onClick={onClick}
    >
      <Icon size={16} />
    </IconButton>
  );
});
