import { useComputedColorScheme } from '@mantine/core';
import { memo, useEffect, useId } from 'react';
import { editorOptions } from '../../platform/editor-options.ts';
import { wrapLongLines } from '../../platform/long-lines.ts';
import { disposeModel, monacoModule } from '../../platform/monaco-loader.ts';
import { monacoThemes } from '../../platform/monaco-themes.ts';
import { useLazyModule } from '../../ui/lazy-module.ts';
import type { RecordName } from '../../platform/workbench-actions.ts';
import { RecordSkeleton } from '../../ui/record-skeleton.tsx';
import { text } from '../../ui/text.ts';

const options = { ...editorOptions, ariaLabel: text.damage.mend.editor };

interface WholeEditorProps {
  readonly record: RecordName;
  readonly json: string;
  readonly onChange: (json: string) => void;
}

/** Editor for the intact record, with the suggestions and markers of a record tab. */
export const WholeEditor = memo(function WholeEditor(props: WholeEditorProps) {
  const { type, id } = props.record;
  const { json, onChange } = props;
  const Editor = useLazyModule(monacoModule)?.Editor;
  const scheme = useComputedColorScheme('light');
  const path = `chartkeeper:/${type}/${id}/mend-${useId()}.json`;
  useEffect(() => () => disposeModel(path), [path]);
  if (!Editor) return <RecordSkeleton />;
  return (
    <Editor
      path={path}
      value={json}
      language="json"
      theme={monacoThemes[scheme]}
      className="monaco-component"
      loading={<RecordSkeleton />}
      options={options}
      onMount={wrapLongLines}
      onChange={(value) => onChange(value ?? '')}
    />
  );
});
