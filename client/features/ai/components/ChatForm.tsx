import ArrowUp from 'lucide-react/icons/arrow-up';
import { type Ref, useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';

interface ChatFormProps {
  ref: Ref<HTMLInputElement>;
  placeholder: string;
  isBusy: boolean;
  /** Says whether the words were taken. */
  onSend: (text: string) => boolean;
}

/** Where the question is written. */
export function ChatForm({ ref, placeholder, isBusy, onSend }: ChatFormProps) {
  const [text, setText] = useState('');
  return (
    <form
      noValidate
      className="flex flex-none gap-2 border-t border-line p-2.5"
      onSubmit={(event) => {
        event.preventDefault();
        if (onSend(text)) setText('');
      }}
    >
      <TextInput
        ref={ref}
        aria-label="Message"
        placeholder={placeholder}
        autoComplete="off"
        maxLength={2000}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button
        type="submit"
        variant="primary"
        busy={isBusy}
        aria-label="Send"
        icon={ArrowUp}
        className="h-9 w-9 px-0!"
      />
    </form>
  );
}
