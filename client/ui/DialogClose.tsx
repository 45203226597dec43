import { Dialog as Base } from '@base-ui/react/dialog';
import { Button } from './Button.tsx';

/** A button in a Dialog's footer that closes it and, like Escape, asks before discarding changes. */
export function DialogClose({ children = 'Close' }: { children?: string }) {
  return <Base.Close render={<Button />}>{children}</Base.Close>;
}
