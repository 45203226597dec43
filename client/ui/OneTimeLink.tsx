import Copy from 'lucide-react/icons/copy';
import { Button } from './Button.tsx';
import { copyToClipboard } from './copy-to-clipboard.ts';
import { Field } from './Field.tsx';
import { TextInput } from './TextInput.tsx';

/** A link that is shown once, to be copied. */
export function OneTimeLink({ url, hint }: { url: string; hint: string }) {
  return (
    <div className="space-y-3">
      <Field label="Link" hint={hint}>
        <TextInput readOnly value={url} onFocus={(event) => event.currentTarget.select()} />
      </Field>
      <Button icon={Copy} onClick={() => void copyToClipboard(url, 'Link copied')}>
        Copy link
      </Button>
    </div>
  );
}
