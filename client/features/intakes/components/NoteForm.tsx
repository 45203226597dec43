import { type KeyboardEvent, type SubmitEvent, useState } from 'react';
import { CallError } from '../../../api.ts';
import { useClickKey } from '../../../core/use-click-key.ts';
import { Button } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/Field.tsx';
import { TextArea } from '../../../ui/TextArea.tsx';
import { addNote } from '../api.ts';

interface NoteFormProps {
  id: string;
  kind: 'call' | 'note';
  onDone: () => void;
}

/** What was said, or is worth remembering. */
export function NoteForm({ id, kind, onDone }: NoteFormProps) {
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const withKey = useClickKey();
  const save = async () => {
    setIsBusy(true);
    try {
      const body = { kind, text };
      await withKey(body, (key) => addNote(id, body, key));
      onDone();
    } catch (problem) {
      if (!(problem instanceof CallError)) throw problem;
      setError(problem.message);
    } finally {
      setIsBusy(false);
    }
  };
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void save();
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save();
    if (event.key !== 'Escape') return;
    event.preventDefault();
    onDone();
  };
  return (
    <form noValidate onSubmit={handleSubmit} className="mt-3">
      <Field label={kind === 'call' ? 'What was said' : 'Note'} error={error}>
        <TextArea
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the button that opens the form asks for it
          autoFocus
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={handleKeyDown}
        />
      </Field>
      <div className="mt-2 flex justify-end gap-2">
        <Button size="small" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" size="small" busy={isBusy}>
          {kind === 'call' ? 'Save call' : 'Save note'}
        </Button>
      </div>
    </form>
  );
}
