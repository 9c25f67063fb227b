import { Button, type ButtonProps } from '@mantine/core';
import { IconFolder, type TablerIcon } from '@tabler/icons-react';
import { useRef, type ReactNode } from 'react';
import { inputFiles, type NamedFile } from './chosen-files.ts';
import styles from './data.module.css';

interface FilePickerProps extends Pick<ButtonProps, 'variant' | 'disabled' | 'children'> {
  /** `folder` selects all files of a folder; otherwise files with these extensions. */
  readonly choose: 'folder' | { readonly accept: string; readonly multiple?: boolean };
  readonly icon?: TablerIcon | undefined;
  readonly onChosen: (files: readonly NamedFile[]) => void;
}

/** Button that opens a file dialog. */
export function FilePicker({ choose, icon: Icon = IconFolder, onChosen, ...button }: FilePickerProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={(element) => {
          input.current = element;
          if (element) element.webkitdirectory = choose === 'folder';
        }}
        type="file"
        hidden
        {...(choose === 'folder' ? { multiple: true } : choose)}
        onChange={({ currentTarget }) => {
          onChosen(inputFiles(currentTarget.files));
          // Resets the input, so that selecting the same files again fires a change event.
          currentTarget.value = '';
        }}
      />
      <Button
        {...button}
        leftSection={<Icon size={16} aria-hidden />}
        onClick={() => input.current?.click()}
      />
    </>
  );
}

interface FilePickersProps extends Pick<FilePickerProps, 'icon' | 'onChosen'> {
  /** Accepted file extensions. */
  readonly accept: string;
  readonly words: Readonly<Record<'chooseFiles' | 'chooseFolder', string>>;
  readonly busy: boolean;
  /** True if no file is selected yet. The buttons are then inside a drop zone. */
  readonly empty: boolean;
  /** Further actions. */
  readonly children: ReactNode;
}

/** Buttons that select files or a folder. */
export function FilePickers({ accept, words, busy, empty, children, icon, onChosen }: FilePickersProps) {
  return (
    <div className={empty ? styles.dropZone : styles.row}>
      <FilePicker
        choose={{ accept, multiple: true }}
        icon={icon}
        variant={empty ? 'filled' : 'default'}
        disabled={busy}
        onChosen={onChosen}
      >
        {words.chooseFiles}
      </FilePicker>
      <FilePicker choose="folder" disabled={busy} onChosen={onChosen}>
        {words.chooseFolder}
      </FilePicker>
      {children}
    </div>
  );
}
