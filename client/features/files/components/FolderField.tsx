import { useState } from 'react';
import { useResource } from '../../../core/use-resource.ts';
import { Combobox } from '../../../ui/Combobox.tsx';
import { matchingOptions } from '../../../ui/option.ts';
import { caseLibrary } from '../api.ts';

interface FolderFieldProps {
  folder: string;
  folders: readonly string[];
  /** Taken without a choice; it may be new. */
  first: string;
  onChange: (folder: string) => void;
  'aria-label'?: string;
}

/** A folder of a case, or the name of a new one. */
export function FolderField({ folder, folders, first, onChange, ...label }: FolderFieldProps) {
  const [text, setText] = useState('');
  const names = folders.includes(first) ? folders : [...folders, first];
  const known = names.map((name) => ({ id: name, label: name }));
  const found = matchingOptions(known, text);
  const wanted = text.trim();
  const isNew = wanted !== '' && !names.some((name) => name.toLowerCase() === wanted.toLowerCase());
  return (
    <Combobox
      {...label}
      placeholder="Select a folder"
      value={{ id: folder, label: folder }}
      options={isNew ? [...found, { id: wanted, label: `New folder “${wanted}”` }] : found}
      onSearch={setText}
      onChange={(option) => onChange(option?.id ?? first)}
    />
  );
}

const NONE: readonly string[] = [];

/** A `FolderField` that loads the folders of its case, which may not be chosen yet. */
export function CaseFolderField({
  caseId,
  ...props
}: Omit<FolderFieldProps, 'folders'> & { caseId: string | null }) {
  const { data: library } = useResource(caseLibrary, caseId);
  return <FolderField {...props} folders={library ? Object.keys(library.files) : NONE} />;
}
