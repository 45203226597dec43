import ArrowUp from 'lucide-react/icons/arrow-up';
import { type KeyboardEvent, type Ref, useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { TextArea } from '../../../ui/TextArea.tsx';

interface ChatFormProps {
  ref: Ref<HTMLTextAreaElement>;
  placeholder: string;
  isBusy: boolean;
  /** Returns whether the question was accepted. */
  onSend: (text: string) => boolean;
}

/** The input of a question: Enter sends, Shift+Enter starts a new line. */
export function ChatForm({ ref, placeholder, isBusy, onSend }: ChatFormProps) {
  const [text, setText] = useState('');
  const send = () => {
    if (onSend(text)) setText('');
  };
  const handleKey = (event: KeyboardEvent) => {
    // During IME composition, Enter confirms the word.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      noValidate
      className="flex flex-none items-end gap-2 border-t border-line p-2.5"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <TextArea
        ref={ref}
        aria-label="Message"
        placeholder={placeholder}
        autoComplete="off"
        enterKeyHint="send"
        maxLength={2000}
        rows={1}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={handleKey}
        className="field-sizing-content max-h-36 min-h-9 flex-1 resize-none! pointer-coarse:min-h-11"
      />
      <Button
        type="submit"
        variant="primary"
        busy={isBusy}
        aria-label="Send"
        icon={ArrowUp}
        className="h-9 w-9 px-0! pointer-coarse:w-11"
      />
    </form>
  );
}
