import Copy from 'lucide-react/icons/copy';
import { Button } from './Button.tsx';
import { Field } from './Field.tsx';
import { TextInput } from './TextInput.tsx';
import { toast } from './toast-store.ts';

/** A link that is shown once, to be copied. */
export function LinkToHandOver({ url, hint }: { url: string; hint: string }) {
  const copy = async () => {
    await navigator.clipboard.writeText(url);
    toast.success('Link copied');
  };
  return (
    <div className="space-y-3">
      <Field label="Link" hint={hint}>
        <TextInput readOnly value={url} onFocus={(event) => event.currentTarget.select()} />
      </Field>
      <Button icon={Copy} onClick={() => void copy()}>
        Copy link
      </Button>
    </div>
  );
}
