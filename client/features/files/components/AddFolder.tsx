import { FOLDER_REQUIRED, folderName } from '@matterdesk/contract/files.ts';
import FolderPlus from 'lucide-react/icons/folder-plus';
import { type SubmitEvent, useId, useRef, useState } from 'react';
import { CallError } from '../../../api.ts';
import { useAppDispatch } from '../../../core/store.ts';
import { Button } from '../../../ui/Button.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { createFolder } from '../api.ts';

/** The form of a new folder. */
export function AddFolder({ caseId }: { caseId: string }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { name, change, error, isBusy, submit } = useNewFolder(caseId);
  const handleSubmit = async (event: SubmitEvent) => {
    event.preventDefault();
    await submit();
    input.current?.focus();
  };
  return (
    <form
      noValidate
      onSubmit={(event) => void handleSubmit(event)}
      className="min-w-0 max-sm:w-full"
    >
      <div className="flex gap-2">
        <TextInput
          ref={input}
          aria-label="Folder name"
          placeholder="Folder name"
          autoComplete="off"
          value={name}
          onChange={(event) => change(event.target.value)}
          aria-invalid={error !== null || undefined}
          aria-describedby={error === null ? undefined : id}
          className="sm:w-50"
        />
        <Button type="submit" icon={FolderPlus} busy={isBusy} className="h-9!">
          Add Folder
        </Button>
      </div>
      {error !== null && (
        <p id={id} role="alert" className="mt-1 text-note/[1.125rem] text-red">
          {error}
        </p>
      )}
    </form>
  );
}

function useNewFolder(caseId: string) {
  const dispatch = useAppDispatch();
  const [name, setName] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const submit = async () => {
    if (isBusy) return;
    const read = folderName.safeParse(name);
    if (!read.success) {
      setError(read.error.issues[0]?.message ?? FOLDER_REQUIRED);
      return;
    }
    setIsBusy(true);
    try {
      await dispatch(createFolder(caseId, read.data));
      setName('');
    } catch (failure) {
      if (failure instanceof CallError && failure.status !== 0) setError(failure.message);
    }
    setIsBusy(false);
  };
  const change = (text: string) => {
    setName(text);
    setError(null);
  };
  return { name, change, error, isBusy, submit };
}
